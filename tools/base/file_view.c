#include "file_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct buffer {
  uint8_t *bytes;
  size_t size, room;
};

static bool reserve(struct buffer *buffer, size_t room) {
  uint8_t *bytes = realloc(buffer->bytes, room);
  if (!bytes)
    return false;
  buffer->bytes = bytes;
  buffer->room = room;
  return true;
}

// The size from fstat is a first guess only: a file may grow, and a pipe has none.
static bool read_all(int fd, const char *path, struct buffer *buffer,
                     struct contprof_error *error) {
  for (;;) {
    if (buffer->size == buffer->room && !reserve(buffer, buffer->room * 2))
      return contprof_fail(error, CONTPROF_NO_MEMORY, path, NULL, CONTPROF_NO_OFFSET,
                           "no memory for the file's contents");
    ssize_t got = read(fd, buffer->bytes + buffer->size, buffer->room - buffer->size);
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return contprof_fail_errno(error, errno, path, "can't read");
    if (got > 0)
      buffer->size += (size_t)got;
  }
}

static bool open_and_read(int fd, const char *path, struct buffer *buffer,
                          struct contprof_error *error) {
  struct stat status;
  if (fd < 0)
    return contprof_fail_errno(error, errno, path, "can't open");
  if (fstat(fd, &status) != 0)
    return contprof_fail_errno(error, errno, path, "can't examine");
  if (S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, path, "can't read");
  size_t guess = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  if (guess > SIZE_MAX / 4 || !reserve(buffer, guess < 65536 ? 65536 : guess + 1))
    return contprof_fail(error, CONTPROF_NO_MEMORY, path, NULL, CONTPROF_NO_OFFSET,
                         "no memory for the file's contents");
  return read_all(fd, path, buffer, error);
}

bool contprof_file_open(const char *path, struct contprof_file_view *view,
                        struct contprof_error *error) {
  struct buffer buffer = {0};
  bool standard_input = strcmp(path, "-") == 0;
  int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  bool ok = open_and_read(fd, path, &buffer, error);
  if (fd >= 0 && !standard_input)
    close(fd);
  if (!ok) {
    free(buffer.bytes);
    buffer = (struct buffer){0};
  }
  *view = (struct contprof_file_view){.path = path, .bytes = buffer.bytes, .size = buffer.size};
  return ok;
}

void contprof_file_close(struct contprof_file_view *view) {
  free((void *)view->bytes);
  *view = (struct contprof_file_view){0};
}
