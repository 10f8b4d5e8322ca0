#include "perf_spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int make_file(void) {
  char name[4096];
  const char *directory = getenv("TMPDIR");
  if (!directory || !*directory)
    directory = "/tmp";
  if (snprintf(name, sizeof name, "%s/contprof-XXXXXX", directory) >= (int)sizeof name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  int fd = mkostemp(name, 0);
  if (fd >= 0)
    unlink(name);
  return fd;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size) {
  while (size) {
    ssize_t done = write(fd, bytes, size);
    if (done < 0 && errno != EINTR)
      return false;
    bytes += done > 0 ? done : 0;
    size -= done > 0 ? (size_t)done : 0;
  }
  return true;
}

static bool copy_rest(int from, int to, uint64_t *size) {
  enum { PIECE = 65536 };
  uint8_t bytes[PIECE];
  for (;;) {
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return false;
    if (got > 0 && !write_all(to, bytes, (size_t)got))
      return false;
    *size += got > 0 ? (uint64_t)got : 0;
  }
}

bool contprof_perf_spool(struct contprof_perf_file *file, const uint8_t *bytes, size_t size,
                         struct contprof_error *error) {
  uint64_t copied = size;
  int fd = make_file();
  if (fd < 0 || !write_all(fd, bytes, size) || !copy_rest(file->fd, fd, &copied)) {
    contprof_fail_errno(error, errno, file->path, "can't copy what comes through a pipe to a file");
    if (fd >= 0)
      close(fd);
    return false;
  }
  if (!file->is_input)
    close(file->fd);
  file->fd = fd;
  file->is_input = false;
  file->can_seek = true;
  file->size = copied;
  return true;
}
