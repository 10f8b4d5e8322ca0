// contprof.h's own functions: the profile as a file of its own, a change of files, stable storage.
#include "contprof.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "file_name.h"
#include "live_switch.h"
#include "module.h"
#include "owner.h"
#include "platform.h"
#include "profile_add.h"
#include "shard_file.h"

static struct contprof_module *const module = &contprof_module;

// Not started, or without counters, or without even the memory for them.
static bool has_profile(void) {
  return module->state != CONTPROF_IDLE && module->live.base;
}

static int why_in_memory(void) {
  return module->failure ? -module->failure : -ENODEV;
}

const char *contprof_filename(void) {
  return module->state == CONTPROF_LIVE ? module->live.path : NULL;
}

// ---- Snapshots

// Replaces files that nobody counts into, and nothing else: no device, link or live file.
static int may_replace(const char *path) {
  int fd, holder = contprof_examine(path, &fd);
  if (holder == CONTPROF_HOLDER_LIVING)
    return -EBUSY;
  if (holder == CONTPROF_HOLDER_DEAD || holder == CONTPROF_HOLDER_SELF)
    contprof_close(fd);
  return holder < 0 ? holder : 0;
}

static int copy_into(int fd) {
  const struct contprof_live *live = &module->live;
  int error = contprof_reserve(fd, live->layout.total);
  if (error)
    return error;
  uint64_t mapped = contprof_mapped_size(live->layout.total, contprof_page_size());
  char *copy = contprof_map(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, &error);
  if (!copy)
    return -error;
  contprof_profile_copy(&module->image, &live->layout, copy, live->base);
  contprof_shards_add_to_copy(live, &module->image, live->base, copy);
  ((struct contprof_owner *)(copy + live->layout.owner))->state = CONTPROF_OWNER_RELEASED;
  return contprof_unmap(copy, mapped);
}

static int snapshot_locked(const char *path) {
  struct contprof_new_file file;
  char temporary[contprof_temporary_size(path)];
  contprof_owner_look();
  int error = may_replace(path);
  if (error)
    return error;
  error = contprof_new_file(&file, path, temporary);
  if (error)
    return error;
  error = copy_into(file.fd);
  if (!error)
    error = contprof_replace_name(&file, path);
  contprof_new_file_abandon(&file);
  return error;
}

int contprof_snapshot(const char *path) {
  if (!path || !*path)
    return -EINVAL;
  if (strlen(path) >= CONTPROF_PATH_SIZE)
    return -ENAMETOOLONG;
  contprof_lock();
  int error = has_profile() ? snapshot_locked(path) : -ENODATA;
  contprof_unlock();
  return error;
}

// ---- Rotation

// The new file is another one than any that is there, also in a pool.
static int rotate_live(void) {
  bool written = module->live.written;
  if (contprof_counts_beside())
    contprof_take_static_counts();
  module->live.written = true;
  int error = contprof_switch_file(CONTPROF_ROTATE);
  module->live.written = error ? written : false;
  return error;
}

// What is in memory becomes a file now, and counting goes on in memory.
static int rotate_memory(void) {
  if (module->quiet)
    return why_in_memory();
  module->live.written = false; // a file of its own, not the last one again
  module->dumped = false;       // and asked for
  int error = contprof_write_from_memory();
  module->live.written = false;
  if (!error)
    contprof_profile_reset(&module->image, &module->live.layout, module->live.base);
  return error;
}

static int rotate_locked(const char *pattern) {
  static char old[CONTPROF_PATH_SIZE];
  memcpy(old, module->pattern.text, sizeof old);
  contprof_module_keep_start();
  if (module->state == CONTPROF_MEMORY) {
    int error = rotate_memory(); // under the name that has been promised for it
    if (!error && pattern)
      error = contprof_pattern_parse(&module->pattern, pattern);
    return error;
  }
  int error = pattern ? contprof_pattern_parse(&module->pattern, pattern) : 0;
  if (!error)
    error = rotate_live();
  if (error)
    contprof_pattern_parse(&module->pattern, old);
  return error;
}

int contprof_rotate(const char *pattern) {
  if (pattern && !*pattern)
    return -EINVAL;
  contprof_lock();
  int error = has_profile() ? rotate_locked(pattern) : -ENODATA;
  if (!error)
    module->live.rotated = true;
  contprof_unlock();
  return error;
}

// ---- Stable storage

// Another descriptor of the live file, which the lock need not be held for, by its name.
static int open_live_file(void) {
  struct stat status;
  int fd = contprof_open(module->live.path, O_RDONLY | O_NONBLOCK, 0);
  if (fd >= 0 && contprof_fstat(fd, &status) == 0 && status.st_ino == module->live.inode &&
      status.st_dev == module->live.device)
    return fd;
  if (fd >= 0)
    contprof_close(fd);
  return fd < 0 ? fd : -ESTALE;
}

static int open_directory_of(const char *path) {
  static char directory[CONTPROF_PATH_SIZE];
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  if (!slash)
    return contprof_open_following(".", O_RDONLY | O_DIRECTORY, 0);
  memcpy(directory, path, length ? length : 1);
  directory[length ? length : 1] = 0;
  return contprof_open_following(directory, O_RDONLY | O_DIRECTORY, 0);
}

// The file before its name: a name that is there after a power cut has what it promises.
static int sync_both(int file, int directory) {
  int error = contprof_sync_file(file);
  if (!error)
    error = contprof_sync_file(directory);
  return error == -EINVAL ? 0 : error; // a file system that knows no such thing for directories
}

int contprof_sync(void) {
  int file = -ENODATA, directory = -ENODATA;
  contprof_lock();
  if (module->state == CONTPROF_MEMORY)
    file = why_in_memory();
  else if (has_profile())
    file = open_live_file();
  if (file >= 0)
    directory = open_directory_of(module->live.path);
  contprof_unlock();
  int error = file < 0 ? file : directory < 0 ? directory : sync_both(file, directory);
  if (file >= 0)
    contprof_close(file);
  if (directory >= 0)
    contprof_close(directory);
  return error;
}
