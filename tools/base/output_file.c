#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { IN_TURN = -1 }; // an offset: behind what was written last

static bool write_all(int fd, const char *path, const uint8_t *bytes, size_t size, off_t offset,
                      struct contprof_error *error) {
  while (size) {
    ssize_t put = offset == IN_TURN ? write(fd, bytes, size) : pwrite(fd, bytes, size, offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return contprof_fail_errno(error, errno, path, "can't write");
    bytes += put;
    size -= (size_t)put;
    offset += offset == IN_TURN ? 0 : put;
  }
  return true;
}

static bool write_through(int fd, const char *path, const void *bytes, size_t size,
                          struct contprof_error *error) {
  if (fd < 0)
    return contprof_fail_errno(error, errno, path, "can't open for writing");
  bool ok = write_all(fd, path, bytes, size, IN_TURN, error);
  if (fd != STDOUT_FILENO)
    close(fd);
  return ok;
}

static mode_t default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
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

// --- a new file beside its place ----------------------------------------------------------------

// Where the file system has files without a name, and /proc is there to give them one later, a
// process that is killed while it writes leaves nothing behind. -1 elsewhere.
static int create_nameless(const char *place) {
  char directory[PATH_MAX];
  const char *slash = strrchr(place, '/');
  if (access("/proc/self/fd", X_OK) != 0)
    return -1;
  snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - place) + 1 : 1,
           slash ? place : ".");
  return open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

// How much of the place a temporary name can begin with, for its last part not to be too long.
static int beginning_of(const char *place) {
  enum { ENDING = sizeof ".tmp-XXXXXX" - 1 };
  const char *slash = strrchr(place, '/');
  size_t most = (slash ? (size_t)(slash - place) + 1 : 0) + NAME_MAX - ENDING;
  return (int)strnlen(place, most);
}

// Fills `temporary`, the name of the new file, which is empty if it has none. Returns its
// descriptor, or -1 with the error set.
static int create_beside(const char *path, const char *place, char temporary[PATH_MAX + 16],
                         struct contprof_error *error) {
  int fd = create_nameless(place);
  *temporary = '\0';
  if (fd >= 0)
    return fd;
  snprintf(temporary, PATH_MAX + 16, "%.*s.tmp-XXXXXX", beginning_of(place), place);
  fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0)
    contprof_fail_errno(error, errno, path, "can't create a file beside the output");
  return fd;
}

static bool link_to(int fd, const char *name) {
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

// Gives a nameless file its place, or, since a link can't replace what is there, the name
// `temporary` to be renamed.
static bool name_file(int fd, const char *place, char temporary[PATH_MAX + 16]) {
  struct timespec now;
  if (link_to(fd, place))
    return true;
  for (int i = 0; errno == EEXIST && i < 100; i++) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(temporary, PATH_MAX + 16, "%.*s.tmp-%06lx", beginning_of(place), place,
             (unsigned long)(now.tv_nsec ^ getpid()) & 0xffffff);
    if (link_to(fd, temporary))
      return true;
  }
  *temporary = '\0';
  return false;
}

// close() reports what a network file system or quota refused; a file needs its descriptor to get
// a name.
static bool flush(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 && close(copy) == 0;
}

// The end of a file beside its place, `ok` if it is whole.
static bool finish(int fd, char temporary[PATH_MAX + 16], const char *place, const char *path,
                   mode_t mode, bool ok, struct contprof_error *error) {
  if (ok && fchmod(fd, mode) != 0)
    ok = contprof_fail_errno(error, errno, path, "can't set the mode");
  if (ok && !flush(fd))
    ok = contprof_fail_errno(error, errno, path, "can't write");
  if (ok && !*temporary && !name_file(fd, place, temporary))
    ok = contprof_fail_errno(error, errno, path, "can't replace");
  if (ok && *temporary && rename(temporary, place) != 0)
    ok = contprof_fail_errno(error, errno, path, "can't replace");
  if (!ok && *temporary)
    unlink(temporary);
  close(fd);
  return ok;
}

static bool write_beside(const char *path, const char *place, mode_t mode, const void *bytes,
                         size_t size, struct contprof_error *error) {
  char temporary[PATH_MAX + 16];
  int fd = create_beside(path, place, temporary, error);
  return fd >= 0 && finish(fd, temporary, place, path, mode,
                           write_all(fd, path, bytes, size, 0, error), error);
}

// What has no name that leads to it can't be replaced: a device, a pipe, a file of another
// process's descriptor.
static bool can_be_replaced(const char *place, const struct stat *status) {
  struct stat named;
  return S_ISREG(status->st_mode) && lstat(place, &named) == 0 && named.st_ino == status->st_ino &&
         named.st_dev == status->st_dev;
}

bool contprof_output_write(const char *path, const void *bytes, size_t size,
                           struct contprof_error *error) {
  struct stat status;
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
  if (exists && !can_be_replaced(place, &status))
    return write_through(open(path, O_WRONLY | O_APPEND | O_CLOEXEC), path, bytes, size, error);
  return write_beside(path, place, exists ? status.st_mode & 07777 : default_mode(), bytes, size,
                      error);
}

bool contprof_output_check(const char *path, char place[PATH_MAX], struct contprof_error *error) {
  struct stat status;
  char temporary[PATH_MAX + 16];
  snprintf(place, PATH_MAX, "%s", "/proc/self/fd/1");
  if (strcmp(path, "-") == 0)
    return true;
  if (strlen(path) >= PATH_MAX)
    return contprof_fail_errno(error, ENAMETOOLONG, path, "can't write");
  int fd = resolve(path, place);
  if (fd >= 0)
    return true;
  bool exists = stat(path, &status) == 0;
  if (!exists && errno == ENAMETOOLONG) // which is no matter until a nameless file gets it
    return contprof_fail_errno(error, errno, path, "can't write");
  if (exists && S_ISDIR(status.st_mode))
    return contprof_fail_errno(error, EISDIR, path, "can't write");
  if (exists && !can_be_replaced(place, &status))
    return access(path, W_OK) == 0 || contprof_fail_errno(error, errno, path, "can't write");
  fd = create_beside(path, place, temporary, error);
  if (fd < 0)
    return false;
  close(fd);
  unlink(temporary);
  return true;
}

// --- bit by bit ---------------------------------------------------------------------------------

enum { PIECE = 1 << 20 }; // bytes

// Of the output, at its place.
struct piece {
  uint64_t offset;
  size_t size;
  uint8_t bytes[PIECE];
};

static void write_pieces(void *context, const void *items, size_t count) {
  struct contprof_output *output = context;
  const struct piece *pieces = items;
  for (size_t i = 0; i < count && !output->failed; i++)
    output->failed = !write_all(output->fd, output->path, pieces[i].bytes, pieces[i].size,
                                (off_t)pieces[i].offset, &output->failure);
}

static void hand_to_writer(struct contprof_output *output, size_t offset, const uint8_t *bytes,
                           size_t size) {
  while (output->writing && size) {
    struct piece *piece = contprof_handoff_next(output->writing);
    piece->offset = offset;
    piece->size = size < PIECE ? size : PIECE;
    memcpy(piece->bytes, bytes, piece->size);
    bytes += piece->size;
    offset += piece->size;
    size -= piece->size;
  }
}

static void begin(struct contprof_output *output) {
  output->begun = true;
  output->fd = create_beside(output->path, output->place, output->temporary, &output->failure);
  output->failed = output->fd < 0;
  if (!output->failed)
    output->writing =
        contprof_handoff_new(sizeof(struct piece), 1, output->threaded, write_pieces, output);
}

static void append(struct contprof_byte_outlet *outlet, const uint8_t *bytes, size_t size) {
  struct contprof_output *output = (struct contprof_output *)outlet;
  if (!output->begun)
    begin(output);
  hand_to_writer(output, output->size, bytes, size);
  output->size += size;
}

static void patch(struct contprof_byte_outlet *outlet, size_t offset, const uint8_t *bytes,
                  size_t size) {
  hand_to_writer((struct contprof_output *)outlet, offset, bytes, size);
}

struct contprof_byte_outlet *contprof_output_begin(struct contprof_output *output, const char *path,
                                                   bool threaded, struct contprof_error *error) {
  struct stat status;
  *output = (struct contprof_output){
      .outlet = {append, patch}, .path = path, .threaded = threaded, .error = error, .fd = -1};
  contprof_error_clear(&output->failure);
  if (strcmp(path, "-") == 0 || strlen(path) >= sizeof output->place ||
      resolve(path, output->place) >= 0)
    return NULL;
  bool exists = stat(path, &status) == 0;
  output->mode = exists ? status.st_mode & 07777 : default_mode();
  return exists && !can_be_replaced(output->place, &status) ? NULL : &output->outlet;
}

bool contprof_output_end(struct contprof_output *output, const struct contprof_byte_writer *rest,
                         bool ok) {
  if (!output->begun)
    return ok && contprof_output_write(output->path, rest->bytes, rest->size, output->error);
  contprof_handoff_end(output->writing);
  if (ok && output->failed)
    *output->error = output->failure;
  ok = ok && !output->failed &&
       write_all(output->fd, output->path, rest->bytes, rest->size - rest->gone,
                 (off_t)output->size, output->error);
  if (output->fd < 0)
    return false;
  return finish(output->fd, output->temporary, output->place, output->path, output->mode, ok,
                output->error);
}
