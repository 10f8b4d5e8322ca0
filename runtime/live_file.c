#include "live_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "file_name.h"
#include "image_write.h"
#include "live_mapping.h"
#include "mappings.h"
#include "module.h"
#include "owner.h"
#include "platform.h"
#include "shard_file.h"
#include "timestamps.h"

static void compute_layout(struct contprof_live *live, const struct contprof_image *image) {
  contprof_image_layout(image, &live->layout);
  contprof_shards_plan(live, image);
  live->size = contprof_mapped_size(contprof_whole_size(live, live->images), contprof_page_size());
}

// So that it is known again.
static int remember_file(struct contprof_live *live, int fd) {
  struct stat status;
  int error = contprof_fstat(fd, &status);
  if (error)
    return error;
  live->device = status.st_dev;
  live->inode = status.st_ino;
  return 0;
}

static struct contprof_owner *owner_of(const struct contprof_live *live) {
  return (struct contprof_owner *)(live->base + live->layout.owner);
}

static struct contprof_owner this_owner(const struct contprof_image *image) {
  struct contprof_owner owner = *contprof_owner_self();
  owner.records = image->records;
  return owner;
}

enum { SMALL_PAGES = 4, MANY_PAGES = 256 };

// Its pages are touched soon anyway, by counting.
static bool is_small(const struct contprof_live *live) {
  return live->size <= SMALL_PAGES * contprof_page_size();
}

static bool is_large(const struct contprof_live *live) {
  return live->size > MANY_PAGES * contprof_page_size();
}

// What is written by calls has its blocks, or the call says that there are none; on tmpfs it costs
// twice to have them reserved before, which shows in a large file. What is stored to needs them
// beforehand.
static int reserve(const struct contprof_live *live, int fd) {
  const struct contprof_layout *layout = &live->layout;
  uint64_t whole = contprof_whole_size(live, live->images);
  if (!is_large(live))
    return contprof_reserve(fd, whole);
  if (live->images > 1) // shards are stored through the mapping
    return contprof_reserve_part(fd, layout->counters, whole, whole);
  uint64_t end = layout->values < layout->total ? layout->total : layout->names;
  return contprof_reserve_part(fd, layout->counters, end, layout->total);
}

// Everything but the name. What is mapped at `address` is replaced only when all else is well.
static int prepare(struct contprof_live *live, const struct contprof_image *image, int fd,
                   char *address) {
  const struct contprof_owner owner = this_owner(image);
  bool through_mapping = is_small(live);
  int error = reserve(live, fd);
  if (!error && !through_mapping)
    error = contprof_image_write(image, &live->layout, &owner, fd, NULL);
  if (!error)
    error = contprof_lock_file(fd);
  // Without locks (some network file systems) the owner record still speaks.
  if (error == -ENOLCK || error == -EOPNOTSUPP || error == -ENOSYS || error == -EINVAL)
    error = 0;
  if (!error)
    error = remember_file(live, fd);
  if (error)
    return error;
  live->fd = fd;
  int map_error = 0;
  live->base = contprof_live_map(live, image, fd, address, &map_error);
  if (!live->base)
    return -map_error;
  contprof_shards_write(live);
  return through_mapping ? contprof_image_write(image, &live->layout, &owner, -1, live->base) : 0;
}

static int expand(const struct contprof_pattern *pattern, unsigned pool_index, char *path) {
  struct contprof_name_values values = contprof_module_name_values(pattern, pool_index);
  return contprof_pattern_expand(pattern, &values, path);
}

// What a runtime wrote in this boot has all that it wrote, and the owner record knows its data
// records. Names and value data follow from these, which have their hashes and sizes. Else the
// whole file is looked at: the machine may have gone down before all of it was on the disk, or a
// copy has left something out. To compare a large file brings its pages in; few of them are needed
// again.
static bool same_build(const struct contprof_live *live, const struct contprof_image *image,
                       bool complete, char *file) {
  const struct contprof_owner *writer = (const void *)(file + live->layout.owner);
  const uint64_t *boot = contprof_owner_self()->boot;
  bool this_boot = complete && boot[0] && memcmp(writer->boot, boot, sizeof writer->boot) == 0;
  enum contprof_parts parts = !this_boot                          ? CONTPROF_ALL_PARTS
                              : writer->records != image->records ? CONTPROF_HEAD_AND_RECORDS
                                                                  : CONTPROF_HEAD;
  bool same = contprof_image_matches(image, &live->layout, file, parts);
  if (is_large(live))
    contprof_drop_pages(file, live->size);
  return same;
}

// Takes over a file of this build, mapped at live->base, and puts it where `address` says. 0 or a
// negated errno.
static int take_over(struct contprof_live *live, const struct contprof_image *image, int fd,
                     const struct stat *status, char *address) {
  if (!address && !image->executable) // unloaded while other threads ran: its mapping stayed
    address = (char *)contprof_mapped_elsewhere(live->base);
  int error = address ? contprof_move_mapping(live->base, live->size, address) : 0;
  if (error)
    return error;
  if (address) {
    live->base = address;
    contprof_lock_file(fd); // again: a lock that a replaced mapping had kept is gone now
  }
  *owner_of(live) = this_owner(image);
  live->device = status->st_dev;
  live->inode = status->st_ino;
  live->fd = contprof_raise_descriptor(fd);
  live->adopted = true;
  return 0;
}

// What live says of a mapping while another file than its own is looked at.
struct extent {
  uint64_t size, room;
  unsigned images;
};

static void leave_it(struct contprof_live *live, const struct extent *mine) {
  if (live->base)
    contprof_unmap(live->base, mine->room || live->room < live->size ? live->size : live->room);
  live->base = NULL;
  live->size = mine->size;
  live->room = mine->room;
  live->images = mine->images;
}

// Of a file's size: no more than there is room for, and the shards that threads count in now.
static bool fits(const struct contprof_live *live, uint64_t whole, const char *address) {
  if (!contprof_sharded)
    return whole == live->layout.total;
  return whole >= contprof_whole_size(live, live->images) &&
         whole <= (address || live->room ? live->room : contprof_shards_room(live));
}

static bool same_images(struct contprof_live *live, const struct contprof_image *image,
                        bool complete, uint64_t whole) {
  unsigned least = live->images;
  if (!same_build(live, image, complete, live->base))
    return false;
  live->images = contprof_shards_look(live, live->base, whole);
  return live->images >= least;
}

// Counts on in a file whose lock this process holds. Zero, 1 if the file is of another build, or a
// negated errno.
static int adopt(struct contprof_live *live, const struct contprof_image *image, int fd,
                 char *address) {
  struct stat status;
  int error = contprof_fstat(fd, &status);
  if (error)
    return error;
  uint64_t whole = (uint64_t)status.st_size;
  if (!fits(live, whole, address))
    return 1;
  // To look into a hole is a SIGBUS on a full tmpfs already. What can't be made whole is left
  // alone.
  bool complete = (uint64_t)status.st_blocks * 512 >= whole;
  if (!complete && contprof_fill_holes(fd, whole))
    return 1;
  struct extent mine = {live->size, live->room, live->images};
  live->size = contprof_mapped_size(whole, contprof_page_size());
  live->base = contprof_live_map(live, image, fd, NULL, &error);
  if (!live->base)
    error = -error;
  else if (!same_images(live, image, complete, whole))
    error = 1;
  else
    error = take_over(live, image, fd, &status, address);
  if (error)
    leave_it(live, &mine);
  return error;
}

// What is to be done with a name, besides 0 (its file is adopted) and negated errnos.
enum { CREATE = 1, NEXT_IN_POOL = 2 };

static bool is_there(const char *path) {
  struct stat status;
  return contprof_lstat(path, &status) == 0;
}

// Adopts the file at live->path if the rules allow. In a pool, whatever else has the name (a file
// of another user or build, a directory) keeps it.
static int try_adopt(struct contprof_live *live, const struct contprof_image *image, bool of_pool,
                     char *address) {
  int fd, holder = contprof_examine(live->path, &fd);
  if (holder < 0)
    return of_pool && is_there(live->path) ? NEXT_IN_POOL : holder;
  if (holder == CONTPROF_HOLDER_NONE)
    return CREATE;
  if (holder == CONTPROF_HOLDER_LIVING)
    return of_pool ? NEXT_IN_POOL : CREATE;
  // What was written stays; another process's order of first runs can't be continued.
  if (live->written || (of_pool && holder == CONTPROF_HOLDER_DEAD && contprof_is_temporal(image))) {
    contprof_close(fd);
    return of_pool ? NEXT_IN_POOL : CREATE;
  }
  int result = of_pool || holder == CONTPROF_HOLDER_SELF ? adopt(live, image, fd, address) : 1;
  if (result)
    contprof_close(fd);
  return result <= 0 ? result : of_pool ? NEXT_IN_POOL : CREATE;
}

enum { POOL_LIMIT = 100000, RACES = 16 };

static enum contprof_taken rule_for_taken(const struct contprof_live *live,
                                          const struct contprof_pattern *pattern) {
  if (pattern->has_pid || pattern->has_pool || (live->written && !live->forked))
    return CONTPROF_BY_NUMBER;
  return live->forked || live->rotated ? CONTPROF_KEEP_DEAD : CONTPROF_REPLACE_DEAD;
}

// Looks, under each name that live->path may have become, for the file that a module of this
// process left when it was unloaded. With copies of a shared object loaded, any of the names may be
// free.
static int adopt_own(struct contprof_live *live, const struct contprof_image *image,
                     const struct contprof_pattern *pattern, char *address) {
  static char name[CONTPROF_PATH_SIZE];
  memcpy(name, live->path, sizeof name);
  for (unsigned variant = 1; variant < POOL_LIMIT && is_there(live->path); variant++) {
    int result = try_adopt(live, image, false, address);
    if (result != CREATE)
      return result;
    result = contprof_name_variant(name, rule_for_taken(live, pattern), variant, live->path);
    if (result)
      return result;
  }
  memcpy(live->path, name, sizeof name);
  return CREATE;
}

// Leaves in live->path the name to create (CREATE), or adopts. A pool with no file to adopt grows
// by an index, so that it has as many files as processes ever ran at once. Without a pool, a module
// that was unloaded may have left a file of this process; an executable never.
static int choose(struct contprof_live *live, const struct contprof_image *image,
                  const struct contprof_pattern *pattern, char *address) {
  int result = expand(pattern, 0, live->path);
  if (result || (image->executable && !pattern->has_pool))
    return result ? result : CREATE;
  if (!pattern->has_pool)
    return live->written ? CREATE : adopt_own(live, image, pattern, address);
  result = NEXT_IN_POOL;
  for (unsigned index = 0; index < POOL_LIMIT && result == NEXT_IN_POOL; index++) {
    result = expand(pattern, index, live->path);
    if (!result)
      result = try_adopt(live, image, true, address);
  }
  return result == NEXT_IN_POOL ? -EBUSY : result;
}

enum naming { AS_IT_IS, BY_RULES, OVER };

static int name_new(struct contprof_new_file *file, struct contprof_live *live,
                    const struct contprof_pattern *pattern, enum naming naming) {
  if (naming == OVER)
    return contprof_replace_name(file, live->path);
  return naming == AS_IT_IS ? contprof_put_name(file, live->path)
                            : contprof_settle_name(file, live->path, rule_for_taken(live, pattern));
}

// `pattern` is for BY_RULES alone.
static int create_new(struct contprof_live *live, const struct contprof_image *image,
                      const struct contprof_pattern *pattern, enum naming naming, char *address) {
  struct contprof_new_file file;
  char temporary[contprof_temporary_size(live->path)];
  int error = contprof_new_file(&file, live->path, temporary);
  if (error)
    return error;
  const struct extent mine = {live->size, live->room, live->images};
  error = prepare(live, image, file.fd, address);
  file.hurried = is_large(live); // blocks that are reserved need not be sent to the disk first
  if (!error)
    error = name_new(&file, live, pattern, naming);
  if (!error)
    return 0;
  if (!address)
    leave_it(live, &mine);
  contprof_new_file_abandon(&file);
  live->base = NULL;
  live->fd = -1;
  return error;
}

int contprof_live_create(struct contprof_live *live, const struct contprof_image *image,
                         const struct contprof_pattern *pattern, char *address) {
  int result = -EEXIST;
  live->base = NULL;
  live->fd = -1;
  live->adopted = false;
  if (live->images < contprof_least_images())
    live->images = contprof_least_images();
  compute_layout(live, image);
  if (contprof_sharded && address && live->size > live->room) { // threads count together then
    live->images = 1;
    compute_layout(live, image);
  }
  contprof_owner_look();
  // Of several processes that found the same place in a pool free, all but one look again.
  for (int i = 0; i < RACES && result == -EEXIST; i++) {
    result = choose(live, image, pattern, address);
    if (result == CREATE)
      result = create_new(live, image, pattern,
                          pattern->has_pool && i + 1 < RACES ? AS_IT_IS : BY_RULES, address);
  }
  return result;
}

bool contprof_live_has_name(const struct contprof_live *live) {
  struct stat status;
  return contprof_lstat(live->path, &status) == 0 && status.st_ino == live->inode &&
         status.st_dev == live->device;
}

int contprof_live_create_over(struct contprof_live *live, const struct contprof_image *image,
                              const struct contprof_live *old) {
  live->base = NULL;
  live->fd = -1;
  live->adopted = false;
  memcpy(live->path, old->path, sizeof live->path);
  compute_layout(live, image);
  contprof_owner_look();
  return contprof_live_has_name(old) ? create_new(live, image, NULL, OVER, NULL) : -ESTALE;
}

int contprof_live_in_memory(struct contprof_live *live, const struct contprof_image *image,
                            char *address) {
  struct contprof_owner owner;
  int error = 0;
  live->images = 1;
  compute_layout(live, image);
  live->fd = -1;
  live->base = contprof_live_map(live, image, -1, address, &error);
  if (!live->base)
    return -error;
  contprof_owner_look();
  owner = this_owner(image);
  owner.state = CONTPROF_OWNER_RELEASED;
  return contprof_image_write(image, &live->layout, &owner, -1, live->base);
}

int contprof_live_rename(struct contprof_live *live, const struct contprof_pattern *pattern) {
  static char path[CONTPROF_PATH_SIZE], old[CONTPROF_PATH_SIZE];
  struct contprof_new_file file = {.fd = live->fd, .temporary = old};
  int error = expand(pattern, 0, path);
  if (error || strcmp(path, live->path) == 0)
    return error;
  if (pattern->has_pool || !contprof_live_has_name(live))
    return -EXDEV; // the name was taken away, or is one to be shared: a new file is the way
  memcpy(old, live->path, sizeof old);
  error = contprof_make_directories(path);
  if (!error)
    error = contprof_settle_name(&file, path,
                                 pattern->has_pid ? CONTPROF_BY_NUMBER : CONTPROF_REPLACE_DEAD);
  if (!error)
    memcpy(live->path, path, sizeof path);
  return error;
}

// A finished profile takes the first free place of its pool, where others will count on in it.
static int name_in_pool(struct contprof_live *live, const struct contprof_pattern *pattern,
                        struct contprof_new_file *file) {
  int error = -EEXIST;
  for (unsigned index = 0; index < POOL_LIMIT && error == -EEXIST; index++) {
    error = expand(pattern, index, live->path);
    if (!error)
      error = contprof_put_name(file, live->path);
  }
  return error;
}

static int name_written(struct contprof_live *live, const struct contprof_pattern *pattern,
                        struct contprof_new_file *file, bool again) {
  if (again && contprof_live_has_name(live)) // else it has become another process's
    return contprof_replace_name(file, live->path);
  if (pattern->has_pool)
    return name_in_pool(live, pattern, file);
  return contprof_settle_name(file, live->path, rule_for_taken(live, pattern));
}

// Under live->path; `again` if it has that name already.
static int write_whole(struct contprof_live *live, const struct contprof_pattern *pattern,
                       const char *bytes, uint64_t size, bool again) {
  struct contprof_new_file file;
  char temporary[contprof_temporary_size(live->path)];
  int error = contprof_new_file(&file, live->path, temporary);
  if (error)
    return error;
  error = contprof_reserve(file.fd, size);
  if (!error)
    error = contprof_write_at(file.fd, bytes, size, 0);
  if (!error)
    error = name_written(live, pattern, &file, again);
  if (!error)
    error = remember_file(live, file.fd);
  contprof_new_file_abandon(&file);
  return error;
}

int contprof_live_write_out(struct contprof_live *live, const struct contprof_pattern *pattern,
                            const char *bytes, uint64_t size) {
  bool again = live->path[0] && live->written;
  contprof_owner_look();
  int error = again ? 0 : expand(pattern, 0, live->path);
  if (!error)
    error = write_whole(live, pattern, bytes, size, again);
  live->written = live->written || !error;
  return error;
}

static bool is_live_file(const struct contprof_live *live, int fd) {
  struct stat status;
  return fd >= 0 && contprof_fstat(fd, &status) == 0 && status.st_ino == live->inode &&
         status.st_dev == live->device;
}

// A program that closed every descriptor may have opened another file under this number.
static bool descriptor_is_ours(const struct contprof_live *live) {
  return is_live_file(live, live->fd);
}

int contprof_live_descriptor(const struct contprof_live *live, bool *opened) {
  *opened = !descriptor_is_ours(live);
  if (!*opened)
    return live->fd;
  int fd = contprof_open(live->path, O_RDWR, 0);
  if (fd < 0 || is_live_file(live, fd))
    return fd;
  contprof_close(fd);
  return -ESTALE;
}

// qemu-user has no mremap that makes a second mapping; there the file is opened again, if it still
// has its name.
char *contprof_live_map_again(const struct contprof_live *live, int *error) {
  char *again = contprof_map_again(live->base, live->size, error);
  if (again)
    return again;
  int fd = contprof_open(live->path, O_RDWR, 0);
  if (is_live_file(live, fd))
    again = contprof_map(NULL, live->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, error);
  if (fd >= 0)
    contprof_close(fd);
  return again;
}

void contprof_live_name_again(struct contprof_live *live) {
  char temporary[contprof_temporary_size(live->path)];
  struct contprof_new_file file = {.fd = live->fd, .temporary = temporary};
  temporary[0] = 0;
  if (descriptor_is_ours(live))
    contprof_replace_name(&file, live->path);
}

void contprof_live_close(struct contprof_live *live) {
  if (descriptor_is_ours(live))
    contprof_close(live->fd);
  live->fd = -1;
}

bool contprof_live_is_own(const struct contprof_live *live) {
  return owner_of(live)->pid == contprof_pid();
}

// Closing alone would leave the lock to the mapping. A parent's file is counted on in.
void contprof_live_release(struct contprof_live *live) {
  if (contprof_live_is_own(live)) {
    owner_of(live)->state = CONTPROF_OWNER_RELEASED;
    if (descriptor_is_ours(live))
      contprof_unlock_file(live->fd);
  }
  contprof_live_close(live);
}
