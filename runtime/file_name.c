#include "file_name.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "mappings.h"
#include "module.h"
#include "owner.h"
#include "platform.h"

enum { TRIES = 10000, MODE = 0666 /* less the umask */ };

// Of most files the record stands where ours does.
static bool read_owner(int fd, struct contprof_owner *owner) {
  return contprof_owner_read(fd, contprof_module.live.layout.owner, owner);
}

// The lock is free, and ours now. The record tells of a process that has lost its lock.
static enum contprof_holder holder_by_record(int fd) {
  struct contprof_owner owner;
  if (!read_owner(fd, &owner))
    return CONTPROF_HOLDER_DEAD;
  if (!contprof_owner_is_self(&owner))
    return contprof_owner_lives(&owner) ? CONTPROF_HOLDER_LIVING : CONTPROF_HOLDER_DEAD;
  if (owner.state == CONTPROF_OWNER_RELEASED)
    return CONTPROF_HOLDER_SELF;
  // Ours, and counting: another module's if it is mapped, else from before an exec.
  return contprof_is_mapped(fd) ? CONTPROF_HOLDER_LIVING : CONTPROF_HOLDER_DEAD;
}

// A program that closed the descriptor before it unloaded the module left the lock to the mapping.
static bool released_by_self(int fd) {
  struct contprof_owner owner;
  return read_owner(fd, &owner) && contprof_owner_is_self(&owner) &&
         owner.state == CONTPROF_OWNER_RELEASED;
}

static int examine_open(int fd, const char *path) {
  struct stat opened, named;
  int error = contprof_fstat(fd, &opened);
  if (error)
    return error;
  if (!S_ISREG(opened.st_mode))
    return -ENXIO;
  error = contprof_lock_file(fd);
  if (error == -EAGAIN)
    return released_by_self(fd) ? CONTPROF_HOLDER_SELF : CONTPROF_HOLDER_LIVING;
  if (contprof_lstat(path, &named) || named.st_ino != opened.st_ino ||
      named.st_dev != opened.st_dev)
    return CONTPROF_HOLDER_NONE; // replaced in the meantime: look again
  return (int)holder_by_record(fd);
}

// Looked at before it is opened: to open a device or a FIFO may do something.
static int kind_error(const char *path) {
  struct stat named;
  int error = contprof_lstat(path, &named);
  if (error)
    return error;
  return S_ISREG(named.st_mode)   ? 0
         : S_ISDIR(named.st_mode) ? -EISDIR
         : S_ISLNK(named.st_mode) ? -ELOOP
                                  : -ENXIO;
}

int contprof_examine(const char *path, int *fd) {
  *fd = kind_error(path);
  if (*fd == 0)
    *fd = contprof_open(path, O_RDWR | O_NONBLOCK | O_NOCTTY, 0);
  if (*fd == -ENOENT)
    return CONTPROF_HOLDER_NONE;
  if (*fd < 0)
    return *fd;
  int holder = examine_open(*fd, path);
  if (holder != CONTPROF_HOLDER_DEAD && holder != CONTPROF_HOLDER_SELF)
    contprof_close(*fd);
  return holder;
}

// As `mkdir -p` for all but the last component.
int contprof_make_directories(const char *path) {
  static char part[CONTPROF_PATH_SIZE];
  size_t length = strlen(path);
  if (length >= sizeof part)
    return -ENAMETOOLONG;
  memcpy(part, path, length + 1);
  struct stat status;
  for (char *at = part + 1; (at = strchr(at, '/')); at++) {
    *at = 0;
    int error = contprof_mkdir(part, 0755);
    bool refused = error == -EROFS || error == -EACCES || error == -EPERM;
    if (refused && contprof_stat(part, &status) != -ENOENT)
      error = 0; // it is there, or in a directory that can be passed but not read
    if (error && error != -EEXIST)
      return error;
    *at = '/';
  }
  return 0;
}

enum { TEMPORARY_SIZE = 64 }; // of the last component: 14 letters, two numbers

static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

size_t contprof_temporary_size(const char *path) {
  return directory_length(path) + TEMPORARY_SIZE;
}

// Beside the name, so that a rename is enough; a dot file with that ending keeps out of globs.
// Short, as the name itself may be as long as the file system allows.
static void temporary_name(char *temporary, const char *path, unsigned number) {
  char digits[24];
  size_t length = directory_length(path);
  memcpy(temporary, path, length);
  contprof_decimal(temporary + length, ".contprof-", contprof_owner_self()->pid);
  strcat(temporary, contprof_decimal(digits, ".", number));
  strcat(temporary, ".tmp");
}

// On the stack no more than the name takes: a child may have been forked by a signal's handler, on
// a stack of its own that is small.
static int open_unnamed(const char *path) {
  size_t length = directory_length(path);
  char directory[length + 2];
  memcpy(directory, length ? path : ".", length ? length : 1);
  directory[length ? length : 1] = 0;
  return contprof_open_following(directory, O_TMPFILE | O_RDWR, MODE);
}

static void forget_temporary(struct contprof_new_file *file) {
  file->temporary[0] = 0;
}

static int open_temporary(struct contprof_new_file *file, const char *path) {
  for (unsigned i = 0; i < TRIES; i++) {
    temporary_name(file->temporary, path, i);
    int fd = contprof_open(file->temporary, O_CREAT | O_EXCL | O_RDWR, MODE);
    if (fd != -EEXIST)
      return fd;
  }
  return -EEXIST;
}

// A file without a name is given one through /proc, so that has to be there; and not every file
// system makes such files.
static int open_new(struct contprof_new_file *file, const char *path) {
  int fd = contprof_owner_self()->pid_namespace ? open_unnamed(path) : -EOPNOTSUPP;
  if (fd < 0 && fd != -ENOENT && fd != -ENOTDIR && fd != -EACCES && fd != -EROFS && fd != -ENOSPC)
    fd = open_temporary(file, path);
  return fd;
}

int contprof_new_file(struct contprof_new_file *file, const char *path, char *temporary) {
  file->temporary = temporary;
  file->hurried = false;
  forget_temporary(file);
  file->fd = open_new(file, path);
  if (file->fd == -ENOENT) {
    int error = contprof_make_directories(path);
    file->fd = error ? error : open_new(file, path);
  }
  if (file->fd < 0) {
    forget_temporary(file);
    return file->fd;
  }
  file->fd = contprof_raise_descriptor(file->fd);
  return 0;
}

// Gives an unnamed file a temporary name, for a rename over another.
static int name_temporarily(struct contprof_new_file *file, const char *path) {
  int error = 0;
  for (unsigned i = 0; i < TRIES && !file->temporary[0]; i++) {
    temporary_name(file->temporary, path, i);
    error = contprof_link_fd(file->fd, file->temporary);
    if (error)
      forget_temporary(file);
    if (error && error != -EEXIST)
      break;
  }
  return error;
}

int contprof_put_name(struct contprof_new_file *file, const char *path) {
  int error;
  if (!file->temporary[0])
    return contprof_link_fd(file->fd, path);
  error = contprof_rename_new(file->temporary, path);
  if (!error)
    forget_temporary(file);
  return error;
}

// A file renamed over another one is first sent to the disk by some file systems (ext4's
// auto_da_alloc), and the next process to replace that one waits until it is there. Two that change
// places are not.
static int rename_over(const struct contprof_new_file *file, const char *path) {
  if (file->hurried && contprof_exchange(file->temporary, path) == 0) {
    contprof_unlink(file->temporary);
    return 0;
  }
  return contprof_rename(file->temporary, path);
}

int contprof_replace_name(struct contprof_new_file *file, const char *path) {
  int error = name_temporarily(file, path);
  if (!error)
    error = rename_over(file, path);
  if (!error)
    forget_temporary(file);
  return error;
}

int contprof_name_variant(const char *name, enum contprof_taken taken, unsigned variant,
                          char *path) {
  char text[24];
  bool by_pid = variant && taken != CONTPROF_BY_NUMBER;
  unsigned number = by_pid ? variant : variant + 1; // 1 is the name without a number
  memcpy(path, name, strlen(name) + 1);
  int error = 0;
  if (by_pid)
    error = contprof_name_insert(path, contprof_decimal(text, "-", contprof_owner_self()->pid));
  if (!error && number > 1)
    error = contprof_name_insert(path, contprof_decimal(text, ".", number));
  return error;
}

// How far a name that is taken has been varied.
struct variation {
  char *path;
  char *original; // what `path` was, once it has been varied; kept from one settling to the next
  enum contprof_taken taken;
  unsigned variant; // the one in `path`
};

// A process that starts new files under one name has taken all numbers up to the last one it found
// free; a forked child goes on there.
static int vary(struct variation *variation) {
  static unsigned last; // of `original`, by number
  if (!variation->variant) {
    if (variation->taken != CONTPROF_BY_NUMBER || strcmp(variation->original, variation->path) != 0)
      last = 0;
    memcpy(variation->original, variation->path, strlen(variation->path) + 1);
    variation->variant = last;
  }
  variation->variant++;
  if (variation->taken == CONTPROF_BY_NUMBER)
    last = variation->variant;
  return contprof_name_variant(variation->original, variation->taken, variation->variant,
                               variation->path);
}

// `path` was there. 0: named; -EEXIST: try (the name it now is) again; else a negated errno.
static int resolve(struct contprof_new_file *file, struct variation *variation) {
  int fd, holder = contprof_examine(variation->path, &fd);
  if (holder < 0)
    return holder;
  int error = 0;
  if (holder == CONTPROF_HOLDER_NONE)
    return -EEXIST;
  // What this process has counted stays: another module's of the same name, say.
  if (holder != CONTPROF_HOLDER_DEAD || variation->taken != CONTPROF_REPLACE_DEAD ||
      variation->variant)
    error = vary(variation);
  else if (!(error = contprof_replace_name(file, variation->path)))
    error = 1;
  // Held until here, so that of two newcomers one replaces the file and the other finds it taken.
  if (holder != CONTPROF_HOLDER_LIVING)
    contprof_close(fd);
  return error == 1 ? 0 : error ? error : -EEXIST;
}

// A plain name is most often that of the last run's file, so that is looked for first.
int contprof_settle_name(struct contprof_new_file *file, char *path, enum contprof_taken taken) {
  static char original[CONTPROF_PATH_SIZE];
  struct variation variation = {.path = path, .original = original, .taken = taken};
  bool likely_taken = taken == CONTPROF_REPLACE_DEAD;
  int error = -EEXIST;
  for (int i = 0; i < TRIES && error == -EEXIST; i++) {
    if (i || !likely_taken)
      error = contprof_put_name(file, path);
    if (error == -EEXIST)
      error = resolve(file, &variation);
  }
  return error;
}

void contprof_new_file_abandon(struct contprof_new_file *file) {
  if (file->temporary[0])
    contprof_unlink(file->temporary);
  if (file->fd >= 0)
    contprof_close(file->fd);
  forget_temporary(file);
  file->fd = -1;
}
