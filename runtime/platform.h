// What the runtime asks of the operating system. Every call is made without the C library's
// wrapper: errno stays the program's, no program that defines its own open() or write() is entered,
// and nothing is a cancellation point. Results are as the kernel gives them: >= 0, or a negated
// errno.
//
// Paths are terminated strings, borrowed for the call. No call keeps a pointer.
#ifndef CONTPROF_RUNTIME_PLATFORM_H
#define CONTPROF_RUNTIME_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

// Bytes to write, borrowed. As the kernel's struct iovec, which writev(2) describes.
struct contprof_piece {
  const void *bytes;
  size_t size;
};

// O_CLOEXEC and O_NOFOLLOW are added to `flags` always. Retries on EINTR. Never gives 0, 1 or 2: a
// program started with one of them closed would write its output into the file.
int contprof_open(const char *path, int flags, unsigned mode);
// As contprof_open, but a symbolic link in the last component is followed: for directories and
// /proc.
int contprof_open_following(const char *path, int flags, unsigned mode);
int contprof_close(int fd);
// Moves a descriptor that is kept for long out of the low numbers, which programs count on. The new
// number, or `fd` itself where there is none.
int contprof_raise_descriptor(int fd);
// Whether what is written goes to the end of the file always.
bool contprof_appends(int fd);
int contprof_fstat(int fd, struct stat *status);
// Does not follow a symbolic link in the last component.
int contprof_lstat(const char *path, struct stat *status);
int contprof_stat(const char *path, struct stat *status);
int contprof_mkdir(const char *path, unsigned mode);
int contprof_unlink(const char *path);
int contprof_rename(const char *from, const char *to);
// Both exist, and change places.
int contprof_exchange(const char *from, const char *to);
// Fails with -EEXIST where `to` exists.
int contprof_rename_new(const char *from, const char *to);
// Gives the file open as `fd` (made with O_TMPFILE) the name `to`; older kernels need /proc.
int contprof_link_fd(int fd, const char *to);
int contprof_link(const char *from, const char *to);

// As pread(2): may read less than there is.
int64_t contprof_read_some(int fd, void *buffer, size_t size, uint64_t offset);
// Bytes read, short only at the end of the file.
int64_t contprof_read_at(int fd, void *buffer, size_t size, uint64_t offset);
// 0 when all was written.
int contprof_write_at(int fd, const void *bytes, size_t size, uint64_t offset);
// The same for several pieces of memory, which follow each other in the file.
int contprof_write_pieces(int fd, struct contprof_piece *pieces, int count, uint64_t offset);
// 0 when all was written, at the descriptor's own offset.
int contprof_write(int fd, const void *bytes, size_t size);
// As contprof_write, but a reader that is gone or a limit on file sizes raises no signal.
int contprof_write_without_signal(int fd, const void *bytes, size_t size);
// Makes the empty file `size` bytes long with all its blocks reserved, reading as zeros. Never
// raises SIGXFSZ: a size above RLIMIT_FSIZE is -EFBIG.
int contprof_reserve(int fd, uint64_t size);
// The same for the bytes from `offset` up to `end`, of a file that will be `whole` bytes long.
int contprof_reserve_part(int fd, uint64_t offset, uint64_t end, uint64_t whole);
// Reserves what blocks the file still lacks, one that a copy has left out as a hole for instance.
// 0 also where the file system can't: it may then have no holes either.
int contprof_fill_holes(int fd, uint64_t size);
// Everything written to the file, or to the directory's entries, is on stable storage on success.
int contprof_sync_file(int fd);
// Locks the open file description for writing; -EAGAIN if another one holds a lock. The lock ends
// with the last descriptor and the last mapping of the description.
int contprof_lock_file(int fd);
int contprof_unlock_file(int fd);

// As mmap; MAP_FAILED never: NULL with *error set to an errno.
void *contprof_map(void *address, uint64_t size, int protection, int flags, int fd, int *error);
// Maps `size` bytes of the file from `offset` on, shared and writable, over what is at `address`;
// both are page boundaries. 0 or a negated errno.
int contprof_map_part(void *address, uint64_t size, int fd, uint64_t offset);
int contprof_unmap(void *address, uint64_t size);
// Gives back the memory of pages that are as in the file that is mapped there, or are shared with
// it; they come again when they are used.
int contprof_drop_pages(void *address, uint64_t size);
// Moves a mapping over whatever stands at `to`.
int contprof_move_mapping(void *from, uint64_t size, void *to);
// Maps what the shared mapping at `address` shows at a second place, whatever became of the file's
// descriptor. NULL with *error set to an errno.
void *contprof_map_again(void *address, uint64_t size, int *error);
uint64_t contprof_page_size(void);

// Holds back the calling thread's signals (but those that the C library keeps for itself), and lets
// them come again; what the first returns is for the second.
uint64_t contprof_hold_signals(void);
void contprof_release_signals(uint64_t held);

// Lets the calling thread's signals come as `held` says, if they are held back as its creator had
// them when it called contprof_hold_signals; else leaves them alone.
void contprof_release_signals_if_held(uint64_t held);

// The kernel's number for the calling thread, and whether this process has a thread of that number.
int contprof_thread_id(void);
bool contprof_thread_exists(int id);

uint64_t contprof_pid(void);
// Nanoseconds since the machine started, suspension counted in; 0 if unknown.
uint64_t contprof_boot_clock(void);
// Nanoseconds of a clock tick, the unit of times in /proc/PID/stat.
uint64_t contprof_clock_tick(void);
void contprof_yield(void);
// Whether a process with this id exists, whoever it belongs to.
bool contprof_pid_exists(uint64_t pid);
// Length without terminator, or negated errno; terminates the buffer always.
int contprof_read_link(const char *path, char *buffer, size_t size);
int contprof_current_directory(char *buffer, size_t size);
int contprof_host_name(char *buffer, size_t size);

// Whether the kernel marked the process as one that must not trust its environment.
bool contprof_is_secure(void);

#endif
