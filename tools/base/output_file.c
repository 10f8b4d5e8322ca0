#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *path, const uint8_t *bytes, size_t size,
                      struct contprof_error *error) {
  while (size) {
    ssize_t put = write(fd, bytes, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return contprof_fail_errno(error, errno, path, "can't write");
    bytes += put;
    size -= (size_t)put;
  }
  return true;
}

static bool write_through(int fd, const char *path, const void *bytes, size_t size,
                          struct contprof_error *error) {
  if (fd < 0)
    return contprof_fail_errno(error, errno, path, "can't open for writing");
  bool ok = write_all(fd, path, bytes, size, error);
  if (fd != STDOUT_FILENO)
    close(fd);
  return ok;
}

static mode_t default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// close() reports what a network file system or quota refused, so it is checked before the rename.
static bool write_and_rename(int fd, const char *temporary, const char *path, mode_t mode,
                             const void *bytes, size_t size, struct contprof_error *error) {
  bool ok = write_all(fd, path, bytes, size, error);
  if (ok && fchmod(fd, mode) != 0)
    ok = contprof_fail_errno(error, errno, path, "can't set the mode");
  if (close(fd) != 0 && ok)
    ok = contprof_fail_errno(error, errno, path, "can't write");
  if (ok && rename(temporary, path) != 0)
    ok = contprof_fail_errno(error, errno, path, "can't replace");
  if (!ok)
    unlink(temporary);
  return ok;
}

// --- where an output really goes ----------------------------------------------------------------

enum { LINKS = 40 }; // as many as the kernel follows

// The descriptor of this process that the path means, -1 if it means none. To open such a path
// again would begin at the file's start, over what has been written through the descriptor.
static int descriptor_of(const char *path) {
  static const char *const places[] = {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"};
  char own[64], *end;
  snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
  for (int i = 0; i < 4; i++) {
    const char *place = i < 3 ? places[i] : own;
    size_t length = strlen(place);
    if (strncmp(path, place, length) != 0 || path[length] < '0' || path[length] > '9')
      continue;
    long number = strtol(path + length, &end, 10);
    return *end || number > INT_MAX ? -1 : (int)number;
  }
  return -1;
}

// Replaces `path`, a symbolic link, by what it says; false if it is none.
static bool follow_one(char path[PATH_MAX]) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  const char *slash = strrchr(path, '/');
  size_t directory = slash ? (size_t)(slash - path) + 1 : 0;
  if (length <= 0)
    return false;
  target[length] = '\0';
  if (*target == '/')
    directory = 0;
  if (directory + (size_t)length >= PATH_MAX)
    return false;
  memcpy(path + directory, target, (size_t)length + 1);
  return true;
}

// Follows links, also one to a file that is not there yet. Returns the descriptor that is meant, or
// -1, with `place` the file's own name.
static int resolve(const char *path, char place[PATH_MAX]) {
  int fd = -1;
  snprintf(place, PATH_MAX, "%s", path);
  for (int i = 0; i < LINKS && (fd = descriptor_of(place)) < 0 && follow_one(place); i++)
    ;
  return fd;
}

static bool write_beside(const char *path, const char *place, mode_t mode, const void *bytes,
                         size_t size, struct contprof_error *error) {
  char temporary[PATH_MAX + 16];
  snprintf(temporary, sizeof temporary, "%s.tmp-XXXXXX", place);
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0)
    return contprof_fail_errno(error, errno, path, "can't create a file beside the output");
  return write_and_rename(fd, temporary, place, mode, bytes, size, error);
}

bool contprof_output_write(const char *path, const void *bytes, size_t size,
                           struct contprof_error *error) {
  struct stat status, named;
  char place[PATH_MAX];
  if (strcmp(path, "-") == 0)
    return write_through(STDOUT_FILENO, "standard output", bytes, size, error);
  if (strlen(path) >= sizeof place)
    return contprof_fail_errno(error, ENAMETOOLONG, path, "can't write");
  int fd = resolve(path, place);
  if (fd >= 0)
    return write_through(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), path, bytes, size, error);
  bool exists = stat(path, &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, path, "can't write");
  // What has no name that leads to it can't be replaced: a device, a pipe, a file of another
  // process's descriptor.
  if (exists && (!S_ISREG(status.st_mode) || lstat(place, &named) != 0 ||
                 named.st_ino != status.st_ino || named.st_dev != status.st_dev))
    return write_through(open(path, O_WRONLY | O_APPEND | O_CLOEXEC), path, bytes, size, error);
  return write_beside(path, place, exists ? status.st_mode & 07777 : default_mode(), bytes, size,
                      error);
}
