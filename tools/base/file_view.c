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

static uint64_t most_of_a_stream(void) {
  uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
  return half < CONTPROF_STREAM_MAX ? half : CONTPROF_STREAM_MAX;
}

// Doubles the room, up to `most` bytes.
static bool reserve_more(struct contprof_file_view *view, uint64_t most,
                         struct contprof_error *error) {
  if (view->size >= most)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, view->path, NULL, view->size,
                         "no end in sight: of what has no size of its own, no more is read");
  return reserve(view, view->room * 2, error);
}

enum { FIRST_READ = 65536, TELLING = 8 }; // bytes

// The size from fstat is a first guess only: a file may grow, and a pipe has none. Memory for all
// of it is asked for once its beginning is known to be worth it.
static bool read_all(int fd, uint64_t guess, uint64_t most, struct contprof_file_view *view,
                     struct contprof_error *error) {
  bool judged = false;
  if (!reserve(view, FIRST_READ, error))
    return false;
  for (;;) {
    if (!judged && view->size >= TELLING) {
      if (view->is_wanted && !view->is_wanted(view))
        return true;
      judged = true;
      if (!reserve(view, guess, error))
        return false;
    }
    if (view->size == view->room && !reserve_more(view, most, error))
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
  return read_all(fd, guess + 1, S_ISREG(status.st_mode) ? UINT64_MAX : most_of_a_stream(), view,
                  error);
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
