#include "file_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool reserve(struct contprof_file_view *view, size_t room, struct contprof_error *error) {
  if (room <= view->room)
    return true;
  uint8_t *bytes = realloc((void *)view->bytes, room);
  if (!bytes)
    return contprof_fail(error, CONTPROF_NO_MEMORY, view->path, NULL, CONTPROF_NO_OFFSET,
                         "no memory for the file's contents");
  view->bytes = bytes;
  view->room = room;
  return true;
}

// The size from fstat is a first guess only: a file may grow, and a pipe has none.
static bool read_all(int fd, struct contprof_file_view *view, struct contprof_error *error) {
  for (;;) {
    if (view->size == view->room && !reserve(view, view->room * 2, error))
      return false;
    ssize_t got = read(fd, (uint8_t *)view->bytes + view->size, view->room - view->size);
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return contprof_fail_errno(error, errno, view->path, "can't read");
    if (got > 0)
      view->size += (size_t)got;
  }
}

static bool open_and_read(int fd, struct contprof_file_view *view, struct contprof_error *error) {
  struct stat status;
  if (fd < 0)
    return contprof_fail_errno(error, errno, view->path, "can't open");
  if (fstat(fd, &status) != 0)
    return contprof_fail_errno(error, errno, view->path, "can't examine");
  if (S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, view->path, "can't read");
  uint64_t guess = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
  if (guess > SIZE_MAX / 4)
    return contprof_fail(error, CONTPROF_NO_MEMORY, view->path, NULL, CONTPROF_NO_OFFSET,
                         "no memory for the file's contents");
  return reserve(view, guess < 65536 ? 65536 : (size_t)guess + 1, error) &&
         read_all(fd, view, error);
}

bool contprof_file_open_next(const char *path, struct contprof_file_view *view,
                             struct contprof_error *error) {
  bool standard_input = strcmp(path, "-") == 0;
  view->path = path;
  view->size = 0;
  int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  bool ok = open_and_read(fd, view, error);
  if (fd >= 0 && !standard_input)
    close(fd);
  if (!ok)
    view->size = 0;
  return ok;
}

bool contprof_file_open(const char *path, struct contprof_file_view *view,
                        struct contprof_error *error) {
  *view = (struct contprof_file_view){0};
  bool ok = contprof_file_open_next(path, view, error);
  if (!ok)
    contprof_file_close(view);
  return ok;
}

void contprof_file_close(struct contprof_file_view *view) {
  free((void *)view->bytes);
  *view = (struct contprof_file_view){0};
}
