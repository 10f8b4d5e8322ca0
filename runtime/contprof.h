// Public interface of the contprof runtime: the functions of LLVM's profile runtime
// (compiler-rt's InstrProfiling.h) that programs call, as they work on a continuous profile.
//
// The runtime is linked into every executable and shared object that contprof-clang links; every
// module has its own copy of these functions, and they act on the module that calls them. They may
// be called from any thread, but not from signal handlers. None allocates, exits or changes errno.
// Functions that return int return 0 for success and -1 or 1 for failure, as LLVM's do; a failure
// is also said in one line on standard error.
#ifndef CONTPROF_H
#define CONTPROF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CONTPROF_API __attribute__((visibility("hidden")))

// The profile is to be found under its current name from now on, whatever comes after: while
// counting into the live file there is nothing to write, and this only remembers that the name was
// asked for (see __llvm_profile_set_filename); while counting in memory, writes it. 0, or -1 on
// failure.
CONTPROF_API int __llvm_profile_write_file(void);

// As __llvm_profile_write_file.
CONTPROF_API int __llvm_profile_dump(void);

// Sets all counts to 0. After __llvm_profile_write_file the written file keeps its counts, and
// counting goes on in a new file, `.2`, `.3`... inserted into its name. An increment by another
// thread at that moment lands on one of the two sides.
CONTPROF_API void __llvm_profile_reset_counters(void);

// The profile's name is now `pattern` (%p %h %m %Nm %t %b as in LLVM_PROFILE_FILE; NULL: the name
// of program start). The live file moves there with its counts; if __llvm_profile_write_file was
// called since the last change, the old file stays as it is and the new one starts as its copy.
// `pattern` is copied.
CONTPROF_API void __llvm_profile_set_filename(const char *pattern);

// The name of the live file as expanded; while counting in memory, the name it will be written to.
// Valid until the name changes.
CONTPROF_API const char *__llvm_profile_get_filename(void);

// Bytes that __llvm_profile_write_buffer writes.
CONTPROF_API uint64_t __llvm_profile_get_size_for_buffer(void);

// Copies the profile as it is now to `buffer`. 0.
CONTPROF_API int __llvm_profile_write_buffer(char *buffer);

// Adds the counts of a raw profile of `size` bytes, of this very build. 0, or 1 if it is another's.
CONTPROF_API int __llvm_profile_merge_from_buffer(const char *profile, uint64_t size);

// 0 if the raw profile of `size` bytes is one of this very build, else 1.
CONTPROF_API int __llvm_profile_check_compatibility(const char *profile, uint64_t size);

// 1 while counting into the live file, 0 while counting in memory.
CONTPROF_API int __llvm_profile_is_continuous_mode_enabled(void);

#undef CONTPROF_API

#ifdef __cplusplus
}
#endif

#endif
