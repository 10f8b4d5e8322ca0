#include "file_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

// What a descriptor is to be read for.
struct reading {
  int fd;
  uint64_t guess; // bytes that there may be: a file may grow, and a pipe tells none
  uint64_t most;  // that are read
};

// Memory for all of the file is asked for once its beginning is known to be worth it. Returns true
// with *end where there is no more to be read.
static bool read_more(const struct reading *from, size_t most, struct contprof_file_view *view,
                      bool *end, struct contprof_error *error) {
  if (view->size == view->room && !reserve_more(view, from->most, error))
    return false;
  size_t room = view->room - view->size;
  ssize_t got = read(from->fd, (uint8_t *)view->bytes + view->size, room < most ? room : most);
  if (got < 0 && errno != EINTR)
    return contprof_fail_errno(error, errno, view->path, "can't read");
  *end = got == 0;
  if (got > 0)
    view->size += (size_t)got;
  return true;
}

// Memory for all of the file is asked for once its beginning is known to be worth it.
static bool read_beginning(const struct reading *from, uint64_t least,
                           struct contprof_file_view *view, bool *end,
                           struct contprof_error *error) {
  size_t most = from->guess > least ? FIRST_READ : SIZE_MAX;
  if (!reserve(view, FIRST_READ, error))
    return false;
  while (!*end && view->size < TELLING)
    if (!read_more(from, most, view, end, error))
      return false;
  if (*end)
    return true;
  if (view->is_wanted && !view->is_wanted(view))
    *end = true;
  return *end || reserve(view, from->guess, error);
}

// Of what is cut off a file while it is read, read() may give zeros. A file that had no size to
// begin with, such as one of /proc, has none to lose.
static void drop_what_was_cut(const struct reading *from, struct contprof_file_view *view) {
  struct stat status;
  if (fstat(from->fd, &status) == 0 && (uint64_t)status.st_size < from->guess - 1 &&
      (uint64_t)status.st_size < view->size)
    view->size = (uint64_t)status.st_size;
}

static bool read_to_end(const struct reading *from, struct contprof_file_view *view,
                        struct contprof_error *error) {
  for (bool end = false; !end;)
    if (!read_more(from, SIZE_MAX, view, &end, error))
      return false;
  drop_what_was_cut(from, view);
  return true;
}

// Reads all, or, of what has `least` bytes, the beginning: then view->descriptor is set.
static bool read_all(const struct reading *from, uint64_t least, struct contprof_file_view *view,
                     struct contprof_error *error) {
  bool end = false;
  if (!read_beginning(from, least, view, &end, error))
    return false;
  if (!end && from->guess > least && view->size < from->guess - 1) {
    view->descriptor = from->fd + 1;
    view->held = view->size;
    view->size = from->guess - 1;
    return true;
  }
  bool ok = end || read_to_end(from, view, error);
  view->held = view->size;
  return ok;
}

static bool open_and_read(int fd, uint64_t least, struct contprof_file_view *view,
                          struct contprof_error *error) {
  struct stat status;
  if (fd < 0)
    return contprof_fail_errno(error, errno, view->path, "can't open");
  if (fstat(fd, &status) != 0)
    return contprof_fail_errno(error, errno, view->path, "can't examine");
  if (S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, view->path, "can't read");
  bool regular = S_ISREG(status.st_mode);
  uint64_t guess = regular ? (uint64_t)status.st_size : 0;
  if (guess > SIZE_MAX / 4)
    return contprof_fail(error, CONTPROF_NO_MEMORY, view->path, NULL, CONTPROF_NO_OFFSET,
                         "no memory for the file's contents");
  struct reading from = {fd, guess + 1, regular ? UINT64_MAX : most_of_a_stream()};
  return read_all(&from, least, view, error);
}

static void let_go(struct contprof_file_view *view) {
  contprof_torn_mapping_end(&view->window);
  view->window.torn = 0;
  if (view->descriptor)
    close(view->descriptor - 1);
  view->descriptor = 0;
}

void contprof_file_leave(struct contprof_file_view *view) {
  let_go(view);
  view->size = view->held = 0;
}

bool contprof_file_open_part(const char *path, uint64_t least, struct contprof_file_view *view,
                             struct contprof_error *error) {
  bool standard_input = strcmp(path, "-") == 0;
  let_go(view);
  view->path = path;
  view->size = 0;
  int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  bool ok = open_and_read(fd, standard_input ? UINT64_MAX : least, view, error);
  if (fd >= 0 && !standard_input && !view->descriptor)
    close(fd);
  if (!ok)
    view->size = 0;
  return ok;
}

bool contprof_file_open_next(const char *path, struct contprof_file_view *view,
                             struct contprof_error *error) {
  return contprof_file_open_part(path, UINT64_MAX, view, error);
}

bool contprof_file_read_part(const struct contprof_file_view *view, uint64_t offset, uint64_t size,
                             void *into) {
  uint8_t *to = into;
  while (size) {
    ssize_t got = pread(view->descriptor - 1, to, size, (off_t)offset);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    if (got > 0) {
      offset += (uint64_t)got;
      size -= (uint64_t)got;
      to += got;
    }
  }
  return true;
}

enum { WINDOW = 4 << 20 }; // bytes: few calls, and little memory that several views have at once

// Moves the window to where it has the bytes. Returns false if it can't.
static bool move_window(struct contprof_file_view *view, uint64_t offset, uint64_t size) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), at = offset & -page;
  uint64_t least = offset + size - at, most = view->size - at;
  uint64_t wanted = least > WINDOW ? least : WINDOW;
  contprof_torn_mapping_end(&view->window);
  view->window_at = at;
  return contprof_torn_mapping_begin(&view->window, view->descriptor - 1, (off_t)at,
                                     wanted < most ? wanted : most);
}

static bool is_in_window(const struct contprof_file_view *view, uint64_t offset, uint64_t size) {
  return view->window.bytes && offset >= view->window_at &&
         offset + size <= view->window_at + view->window.size;
}

const uint8_t *contprof_file_part(struct contprof_file_view *view, uint64_t offset, uint64_t size,
                                  void *scratch) {
  if (view->window.torn || offset > view->size || size > view->size - offset)
    return NULL;
  if (is_in_window(view, offset, size) || move_window(view, offset, size))
    return view->window.bytes + (offset - view->window_at);
  return contprof_file_read_part(view, offset, size, scratch) ? scratch : NULL;
}

// What is missing of a page that is there in part is zeros without a signal.
bool contprof_file_is_whole(const struct contprof_file_view *view) {
  struct stat status;
  return !view->window.torn && fstat(view->descriptor - 1, &status) == 0 &&
         (uint64_t)status.st_size >= view->size;
}

bool contprof_file_read_rest(struct contprof_file_view *view, struct contprof_error *error) {
  struct reading from = {view->descriptor - 1, view->size + 1, UINT64_MAX};
  view->size = view->held;
  bool ok = read_to_end(&from, view, error);
  view->held = view->size = ok ? view->size : 0;
  let_go(view);
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

enum { FORGET_FROM = 32 << 20, FORGET_STEP = 1 << 20 }; // bytes

// Only memory that was allocated here, which `room` tells: others have views of memory of theirs.
void contprof_file_forget(const struct contprof_file_view *view, uint64_t until,
                          uint64_t *forgotten) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), bytes = (uintptr_t)view->bytes;
  if (view->room < FORGET_FROM || until < *forgotten + FORGET_STEP)
    return;
  uintptr_t from = (bytes + *forgotten + page - 1) & -page, to = (bytes + until) & -page;
  madvise((void *)from, to - from, MADV_DONTNEED); // what fails only keeps the memory
  *forgotten = to - bytes;
}

void contprof_file_close(struct contprof_file_view *view) {
  let_go(view);
  free((void *)view->bytes);
  *view = (struct contprof_file_view){0};
}
