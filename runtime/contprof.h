// Public interface of the contprof runtime: contprof's own functions, and those of LLVM's profile
// runtime (compiler-rt's InstrProfiling.h) that programs call, as they work on a profile that is
// counted in place. For C and C++. docs/api.md has examples.
//
// contprof-clang -fprofile-continuous finds this header as <contprof.h>, and links the functions
// into every executable and shared object. Each module (executable or shared object) has its own
// copy, hidden from all others, and it acts on the module that calls it: a program made of several
// instrumented modules calls in each.
//
// All functions are declared weak: in a program or shared object linked without
// -fprofile-continuous their addresses are NULL, so ask first:
//
//     if (contprof_rotate)
//       contprof_rotate(NULL);
//
// Thread-safety: all may be called from any thread at any time, while all threads count; none
// stops another thread. Not from signal handlers. None allocates, exits or changes errno. Strings
// given are borrowed for the call. After fork they act on the child's own file; after vfork they
// must not be called.
//
// A module *counts in memory* when its live file could not be made at start (the reason was said on
// standard error then), or when LLVM_PROFILE_FILE names a device such as /dev/null.
#ifndef CONTPROF_H
#define CONTPROF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CONTPROF_API
#define CONTPROF_API __attribute__((weak))
#endif

// ---- contprof's own. Those that return int return 0, or a negated errno; nothing is said on
// standard error. For all of them -ENODATA: the module has no counters, or has not started to count
// (a program that defines __llvm_profile_runtime itself).

// The absolute path of the live file this module counts into; NULL while it counts in memory.
// Owned by the runtime; valid until the name changes (contprof_rotate,
// __llvm_profile_set_filename, fork): a program that lets one thread change it and another ask
// keeps the two apart itself.
CONTPROF_API const char *contprof_filename(void);

// Writes the profile as it is now to a file of its own at `path`, a plain path (no %p and the
// like), relative to the current directory; missing directories are made. The file appears whole or
// not at all; a file that is there already is replaced. Counting goes on, and the live file
// stays as it is.
//
// Every count in the copy is one that its counter had during the call. When no other thread counts
// meanwhile, all are of one instant; otherwise the counts of code that runs during the call may be
// of slightly different moments of it (well under a millisecond for 100,000 counters).
//
// Also while counting in memory. -EBUSY: `path` is a live file, this module's own or another
// process's; -EINVAL: `path` is NULL or empty; -ELOOP, -EISDIR, -ENXIO: a symbolic link, directory
// or device is there; and what open, write and rename give (-ENOSPC, -EACCES, ...): nothing is left
// behind then.
CONTPROF_API int contprof_snapshot(const char *path);

// Starts a new live file, with all counts 0. The old one is complete: it holds every count up to
// the change, gets none any more, is marked as released, and stays. `pattern` names the new file
// (%p %h %m %Nm %t %b as in LLVM_PROFILE_FILE) from now on, also for the next rotation and for
// forked children; NULL: the current pattern. The rules for a name that is taken hold, but no file
// that is there is ever replaced or added to: `.2`, `.3`... are inserted before the extension (with
// %m, the next number is taken). `pattern` is copied.
//
// No increment is lost or counted twice, in any thread, where an update of a counter is one
// instruction: what contprof-clang makes for x86-64 (also -fprofile-update=atomic). An update of
// several instructions (AArch64 without atomic; objects of stock clang -O0) may be interrupted
// after it has loaded the old count, and store it, plus one, into the new file. Such a count is
// found and taken out if it comes within a tenth of a millisecond (AArch64: twenty milliseconds)
// and is more than could have been counted since the change, four a nanosecond; others stay in.
// Threads that lose counts to one another (two update the same counter, not
// atomic) do so here as always.
//
// While counting in memory: writes what has been counted to the file named for it, then starts from
// 0; `pattern` names the next.
//
// Errors: what making a file gives (-ENOSPC, -EACCES, -ENAMETOOLONG, ...); -ENODATA also for %t
// without TMPDIR; -EINVAL for an empty pattern; -ENXIO where profiles go to a device. Then nothing
// has changed.
CONTPROF_API int contprof_rotate(const char *pattern);

// Returns when everything counted before the call is on stable storage under its name: it survives
// a power cut. (A killed process loses nothing without this.) Waits for the disk, without keeping
// other threads from these functions.
//
// Errors: the reason why the module counts in memory (-ENXIO for a device); -ENOENT or -ESTALE:
// the live file is not under its name any more; -EIO and what else fsync gives.
CONTPROF_API int contprof_sync(void);

// ---- LLVM's. Those that return int return 0 for success and -1 or 1 for failure, as LLVM's do; a
// failure is also said in one line on standard error.

// The profile is to be found under its current name from now on, whatever comes after: while
// counting into the live file there is nothing to write, and this only remembers that the name was
// asked for (see __llvm_profile_set_filename); while counting in memory, writes it. 0, or -1 on
// failure.
CONTPROF_API int __llvm_profile_write_file(void);

// As __llvm_profile_write_file.
CONTPROF_API int __llvm_profile_dump(void);

// Sets all counts to 0. After __llvm_profile_write_file the written file keeps its counts, and
// counting goes on in a new file, `.2`, `.3`... inserted into its name, exactly as with
// contprof_rotate. Otherwise the file is the same, and another thread's increments at that moment
// land on one of the two sides: a count that was stored over the 0 is found and taken off again
// unless it is small, less than the counter can grow by in some microseconds.
CONTPROF_API void __llvm_profile_reset_counters(void);

// The profile's name is now `pattern` (%p %h %m %Nm %t %b as in LLVM_PROFILE_FILE; NULL: the name
// of program start). The live file moves there with its counts: under a new name, or, on another
// file system and in a pool (%m), into another file, which in a pool may have counts of the dead
// already. If __llvm_profile_write_file was called since the last change, the old file stays as it
// is and the new one starts as its copy.
// `pattern` is copied.
CONTPROF_API void __llvm_profile_set_filename(const char *pattern);

// The name of the live file as expanded; while counting in memory, the name it will be written to.
// Valid until the name changes.
CONTPROF_API const char *__llvm_profile_get_filename(void);

// Bytes that __llvm_profile_write_buffer writes.
CONTPROF_API uint64_t __llvm_profile_get_size_for_buffer(void);

// Copies the profile as it is now to `buffer`, which is aligned to 8 bytes; each count is one that
// its counter had during the call. 0; 1 if there is no profile.
CONTPROF_API int __llvm_profile_write_buffer(char *buffer);

// Adds the counts of a raw profile of `size` bytes, of this very build. 0, or 1 if it is another's.
CONTPROF_API int __llvm_profile_merge_from_buffer(const char *profile, uint64_t size);

// 0 if the raw profile of `size` bytes is one of this very build, else 1.
CONTPROF_API int __llvm_profile_check_compatibility(const char *profile, uint64_t size);

// 1 while counting into the live file, 0 while counting in memory.
CONTPROF_API int __llvm_profile_is_continuous_mode_enabled(void);

// Writes the order file of -forder-file-instrumentation, beside the profile, `.order` added to its
// name. 0, or -1 on failure and where no object was compiled so.
CONTPROF_API int __llvm_orderfile_dump(void);

#ifdef __cplusplus
}
#endif

#endif
