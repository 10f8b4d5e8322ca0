#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif
#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

#if defined(__x86_64__)
static long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return number;
}
#elif defined(__aarch64__)
static long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "contprof knows the system call instruction of x86-64 and AArch64 only"
#endif

#define CALL0(n) call6(n, 0, 0, 0, 0, 0, 0)
#define CALL1(n, a) call6(n, (long)(a), 0, 0, 0, 0, 0)
#define CALL2(n, a, b) call6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL3(n, a, b, c) call6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL4(n, a, b, c, d) call6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CALL5(n, a, b, c, d, e) call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

// The same open file under a number of at least `minimum`; closes `fd` unless that fails.
static long move_descriptor(long fd, int minimum) {
  long moved = CALL3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, minimum);
  if (moved >= 0)
    CALL1(SYS_close, fd);
  return moved;
}

static int open_with(const char *path, int flags, unsigned mode) {
  long fd;
  do {
    fd = CALL4(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
  } while (fd == -EINTR);
  if (fd < 0 || fd > 2)
    return (int)fd;
  long moved = move_descriptor(fd, 3);
  if (moved < 0)
    CALL1(SYS_close, fd);
  return (int)moved;
}

// Below the usual limit of 1,024, above what programs use first.
enum { HIGH_DESCRIPTOR = 200 };

int contprof_raise_descriptor(int fd) {
  long moved = fd < HIGH_DESCRIPTOR ? move_descriptor(fd, HIGH_DESCRIPTOR) : fd;
  return moved < 0 ? fd : (int)moved;
}

int contprof_open(const char *path, int flags, unsigned mode) {
  return open_with(path, flags | O_NOFOLLOW, mode);
}

int contprof_open_following(const char *path, int flags, unsigned mode) {
  return open_with(path, flags, mode);
}

int contprof_close(int fd) {
  return (int)CALL1(SYS_close, fd);
}

bool contprof_appends(int fd) {
  long flags = CALL2(SYS_fcntl, fd, F_GETFL);
  return flags >= 0 && (flags & O_APPEND);
}

int contprof_fstat(int fd, struct stat *status) {
  return (int)CALL2(SYS_fstat, fd, status);
}

int contprof_lstat(const char *path, struct stat *status) {
  return (int)CALL4(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int contprof_stat(const char *path, struct stat *status) {
  return (int)CALL4(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

int contprof_mkdir(const char *path, unsigned mode) {
  return (int)CALL3(SYS_mkdirat, AT_FDCWD, path, mode);
}

int contprof_unlink(const char *path) {
  return (int)CALL3(SYS_unlinkat, AT_FDCWD, path, 0);
}

int contprof_rename(const char *from, const char *to) {
  return (int)CALL5(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int contprof_link(const char *from, const char *to) {
  return (int)CALL5(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int contprof_exchange(const char *from, const char *to) {
  return (int)CALL5(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
}

// Some file systems (NFS, old FUSE) know no RENAME_NOREPLACE; a link and an unlink do the same in
// two steps, with both names there in between.
int contprof_rename_new(const char *from, const char *to) {
  long result = CALL5(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (result != -EINVAL && result != -ENOSYS)
    return (int)result;
  result = contprof_link(from, to);
  return result < 0 ? (int)result : contprof_unlink(from);
}

// By its descriptor from Linux 6.10 on, or with a capability; else by way of /proc, which takes
// longer.
int contprof_link_fd(int fd, const char *to) {
  long result = CALL5(SYS_linkat, fd, "", AT_FDCWD, to, AT_EMPTY_PATH);
  if (result == 0 || result == -EEXIST)
    return (int)result;
  char path[32] = "/proc/self/fd/", digits[12];
  size_t count = 0, length = strlen(path);
  do {
    digits[count++] = (char)('0' + fd % 10);
    fd /= 10;
  } while (fd);
  while (count)
    path[length++] = digits[--count];
  path[length] = 0;
  return (int)CALL5(SYS_linkat, AT_FDCWD, path, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

int64_t contprof_read_some(int fd, void *buffer, size_t size, uint64_t offset) {
  long got;
  do {
    got = CALL4(SYS_pread64, fd, buffer, size, offset);
  } while (got == -EINTR);
  return got;
}

int64_t contprof_read_at(int fd, void *buffer, size_t size, uint64_t offset) {
  size_t done = 0;
  while (done < size) {
    int64_t got = contprof_read_some(fd, (char *)buffer + done, size - done, offset + done);
    if (got < 0)
      return got;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (int64_t)done;
}

int contprof_write_at(int fd, const void *bytes, size_t size, uint64_t offset) {
  while (size) {
    long put = CALL4(SYS_pwrite64, fd, bytes, size, offset);
    if (put == -EINTR)
      continue;
    if (put <= 0)
      return put ? (int)put : -EIO;
    bytes = (const char *)bytes + put;
    offset += (uint64_t)put;
    size -= (size_t)put;
  }
  return 0;
}

int contprof_write_pieces(int fd, struct contprof_piece *pieces, int count, uint64_t offset) {
  while (count) {
    // The offset in two words, of which 64-bit kernels take the first (fs/read_write.c).
    long put = CALL5(SYS_pwritev, fd, pieces, count, offset, 0);
    if (put == -EINTR)
      continue;
    if (put <= 0)
      return put ? (int)put : -EIO;
    offset += (uint64_t)put;
    for (; count && (size_t)put >= pieces->size; pieces++, count--)
      put -= (long)pieces->size;
    if (count) {
      pieces->bytes = (const char *)pieces->bytes + put;
      pieces->size -= (size_t)put;
    }
  }
  return 0;
}

int contprof_write(int fd, const void *bytes, size_t size) {
  while (size) {
    long put = CALL3(SYS_write, fd, bytes, size);
    if (put == -EINTR)
      continue;
    if (put <= 0)
      return put ? (int)put : -EIO;
    bytes = (const char *)bytes + put;
    size -= (size_t)put;
  }
  return 0;
}

// glibc cancels threads and changes their user by signals 32 and 33, musl by 32 to 34; the kernel's
// set has a bit for each signal, from 1.
#define LIBRARY_SIGNALS (UINT64_C(7) << 31)

uint64_t contprof_hold_signals(void) {
  uint64_t all = ~LIBRARY_SIGNALS, before = 0;
  CALL4(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
  return before;
}

void contprof_release_signals(uint64_t held) {
  CALL4(SYS_rt_sigprocmask, SIG_SETMASK, &held, NULL, sizeof held);
}

#define SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))

// Nobody can hold these two, and the kernel says so.
void contprof_release_signals_if_held(uint64_t held) {
  uint64_t never = SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP), now = 0;
  uint64_t ours = (held | ~LIBRARY_SIGNALS) & ~never;
  CALL4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &now, sizeof now);
  if (now == ours)
    contprof_release_signals(held);
}

int contprof_thread_id(void) {
  return (int)CALL0(SYS_gettid);
}

bool contprof_thread_exists(int id) {
  return CALL3(SYS_tgkill, CALL0(SYS_getpid), id, 0) != -ESRCH;
}

// SIGPIPE and SIGXFSZ come to the thread that writes. One that waited before stays.
int contprof_write_without_signal(int fd, const void *bytes, size_t size) {
  static const struct timespec at_once = {0, 0};
  uint64_t waiting = 0, held = contprof_hold_signals();
  CALL2(SYS_rt_sigpending, &waiting, sizeof waiting);
  int error = contprof_write(fd, bytes, size);
  uint64_t raised = (SIGNAL_BIT(SIGPIPE) | SIGNAL_BIT(SIGXFSZ)) & ~waiting;
  if (error == -EPIPE || error == -EFBIG)
    CALL4(SYS_rt_sigtimedwait, &raised, NULL, &at_once, sizeof raised);
  contprof_release_signals(held);
  return error;
}

// For file systems without fallocate: a hole would be a SIGBUS when the disk fills.
static int fill_with_zeros(int fd, uint64_t offset, uint64_t end) {
  static const char zeros[4096];
  for (uint64_t size; offset < end; offset += size) {
    size = end - offset < sizeof zeros ? end - offset : sizeof zeros;
    int error = contprof_write_at(fd, zeros, size, offset);
    if (error)
      return error;
  }
  return 0;
}

int contprof_reserve_part(int fd, uint64_t offset, uint64_t end, uint64_t whole) {
  struct rlimit limit;
  long result = CALL4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit);
  if (result == 0 && limit.rlim_cur != RLIM_INFINITY && whole > limit.rlim_cur)
    return -EFBIG;
  do {
    result = CALL4(SYS_fallocate, fd, 0, offset, end - offset);
  } while (result == -EINTR);
  if (result == -EOPNOTSUPP || result == -ENOSYS)
    return fill_with_zeros(fd, offset, end);
  return (int)result;
}

int contprof_reserve(int fd, uint64_t size) {
  return contprof_reserve_part(fd, 0, size, size);
}

int contprof_fill_holes(int fd, uint64_t size) {
  long result;
  do {
    result = CALL4(SYS_fallocate, fd, 0, 0, size);
  } while (result == -EINTR);
  return result == -EOPNOTSUPP || result == -ENOSYS ? 0 : (int)result;
}

int contprof_sync_file(int fd) {
  long result;
  do {
    result = CALL1(SYS_fsync, fd);
  } while (result == -EINTR);
  return (int)result;
}

static int set_lock(int fd, short type) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  long result = CALL3(SYS_fcntl, fd, F_OFD_SETLK, &lock);
  return result == -EACCES ? -EAGAIN : (int)result;
}

int contprof_lock_file(int fd) {
  return set_lock(fd, F_WRLCK);
}

int contprof_unlock_file(int fd) {
  return set_lock(fd, F_UNLCK);
}

void *contprof_map(void *address, uint64_t size, int protection, int flags, int fd, int *error) {
  long result = call6(SYS_mmap, (long)address, (long)size, protection, flags, fd, 0);
  if (result < 0 && result > -4096) {
    *error = (int)-result;
    return NULL;
  }
  return (void *)result;
}

int contprof_map_part(void *address, uint64_t size, int fd, uint64_t offset) {
  long result = call6(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, fd, (long)offset);
  return result < 0 && result > -4096 ? (int)result : 0;
}

int contprof_unmap(void *address, uint64_t size) {
  return (int)CALL2(SYS_munmap, address, size);
}

int contprof_drop_pages(void *address, uint64_t size) {
  return (int)CALL3(SYS_madvise, address, size, MADV_DONTNEED);
}

// mremap(2): an old size of 0 makes a further mapping of the same shared pages.
void *contprof_map_again(void *address, uint64_t size, int *error) {
  long result = CALL4(SYS_mremap, address, 0, size, MREMAP_MAYMOVE);
  if (result < 0 && result > -4096) {
    *error = (int)-result;
    return NULL;
  }
  return (void *)result;
}

int contprof_move_mapping(void *from, uint64_t size, void *to) {
  long result = CALL5(SYS_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
  return result < 0 && result > -4096 ? (int)result : 0;
}

uint64_t contprof_page_size(void) {
  uint64_t size = getauxval(AT_PAGESZ);
  return size ? size : 65536; // no page is larger
}

uint64_t contprof_pid(void) {
  return (uint64_t)CALL0(SYS_getpid);
}

// The C library's would do without a system call, but may be one that tells another time
// (libfaketime).
uint64_t contprof_boot_clock(void) {
  struct timespec now;
  if (CALL2(SYS_clock_gettime, CLOCK_BOOTTIME, &now) < 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t contprof_clock_tick(void) {
  uint64_t frequency = getauxval(AT_CLKTCK);
  return 1000000000u / (frequency ? frequency : 100);
}

void contprof_yield(void) {
  CALL0(SYS_sched_yield);
}

bool contprof_pid_exists(uint64_t pid) {
  long result = CALL2(SYS_kill, pid, 0);
  return result != -ESRCH; // else it is another's, or a sandbox does not tell
}

int contprof_read_link(const char *path, char *buffer, size_t size) {
  long length = CALL4(SYS_readlinkat, AT_FDCWD, path, buffer, size - 1);
  buffer[length < 0 ? 0 : length] = 0;
  return (int)length;
}

// A directory outside the process's root reads as "(unreachable)...", which is no path to use.
int contprof_current_directory(char *buffer, size_t size) {
  long length = CALL2(SYS_getcwd, buffer, size);
  if (length > 0 && buffer[0] == '/')
    return (int)length - 1;
  buffer[0] = 0;
  return length < 0 ? (int)length : -ENOENT;
}

int contprof_host_name(char *buffer, size_t size) {
  struct utsname names;
  long result = CALL1(SYS_uname, &names);
  buffer[0] = 0;
  if (result < 0)
    return (int)result;
  size_t length = strlen(names.nodename);
  if (length >= size)
    return -ENAMETOOLONG;
  memcpy(buffer, names.nodename, length + 1);
  return (int)length;
}

bool contprof_is_secure(void) {
  return getauxval(AT_SECURE) != 0;
}
