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

bool contprof_output_write(const char *path, const void *bytes, size_t size,
                           struct contprof_error *error) {
  struct stat status;
  char resolved[PATH_MAX], temporary[PATH_MAX + 16];
  if (strcmp(path, "-") == 0)
    return write_through(STDOUT_FILENO, "standard output", bytes, size, error);
  bool exists = stat(path, &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, path, "can't write");
  if (exists && !S_ISREG(status.st_mode))
    return write_through(open(path, O_WRONLY | O_CLOEXEC), path, bytes, size, error);
  const char *target = exists && realpath(path, resolved) ? resolved : path;
  int used = snprintf(temporary, sizeof temporary, "%s.tmp-XXXXXX", target);
  if (used < 0 || (size_t)used >= sizeof temporary)
    return contprof_fail_errno(error, ENAMETOOLONG, path, "can't write");
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0)
    return contprof_fail_errno(error, errno, path, "can't create a file beside the output");
  mode_t mode = exists ? status.st_mode & 07777 : default_mode();
  return write_and_rename(fd, temporary, target, mode, bytes, size, error);
}
