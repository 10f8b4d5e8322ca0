#include "live_mapping.h"

#include <sys/mman.h>

#include "platform.h"
#include "shard_file.h"

enum { SEARCH_STEPS = 22 }; // 16 MiB to 2^46

// A positive bias is one that arch_prctl and ptrace take as a segment base, so of all places those
// above the module are tried first, nearest first.
static char *map_above(const struct contprof_image *image, uint64_t size, int fd, int flags,
                       int *error) {
  for (unsigned attempt = 0; attempt < SEARCH_STEPS; attempt++) {
    uint64_t place = contprof_place_above(image->end, size, contprof_page_size(), attempt);
    if (place + size >= UINT64_C(1) << 47)
      break;
    char *base = contprof_map((void *)place, size, PROT_READ | PROT_WRITE,
                              flags | MAP_FIXED_NOREPLACE, fd, error);
    if (base == (char *)place)
      return base;
    if (base) // a kernel before 4.17 takes the address as a hint
      contprof_unmap(base, size);
  }
  return NULL;
}

// Over what is mapped at `address`. qemu-user, told of larger pages than the machine has, refuses
// that in one step for a file that does not fill its last page.
static char *map_over(uint64_t size, int fd, int flags, char *address, int *error) {
  char *base = contprof_map(address, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, error);
  if (base)
    return base;
  base = contprof_map(NULL, size, PROT_READ | PROT_WRITE, flags, fd, error);
  if (!base)
    return NULL;
  int moved = contprof_move_mapping(base, size, address);
  if (!moved)
    return address;
  *error = -moved;
  contprof_unmap(base, size);
  return NULL;
}

// `address` fixed, or NULL. NULL on failure, with *error an errno.
static char *map_image(const struct contprof_image *image, uint64_t size, int fd, char *address,
                       int *error) {
  int flags = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  if (address)
    return map_over(size, fd, flags, address, error);
  char *base = contprof_map(NULL, size, PROT_READ | PROT_WRITE, flags, fd, error);
  if (!base || base > image->counters)
    return base;
  char *above = map_above(image, size, fd, flags, error);
  if (!above)
    return base;
  contprof_unmap(base, size);
  return above;
}

// Address space, above the module if that can be had (as for map_image).
static char *reserve_room(const struct contprof_image *image, uint64_t room, int *error) {
  static const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *base = contprof_map(NULL, room, PROT_NONE, flags, -1, error);
  if (!base || base > image->counters)
    return base;
  char *above = map_above(image, room, -1, flags, error);
  if (!above)
    return base;
  contprof_unmap(base, room);
  return contprof_map(above, room, PROT_NONE, flags | MAP_FIXED, -1, error);
}

// Room for all shards that there may be, with the file (or memory, where fd is -1) at its start.
// Where that is refused, by a limit for instance, there is room for those that the file has.
static char *map_with_room(struct contprof_live *live, const struct contprof_image *image, int fd,
                           int *error) {
  uint64_t room = contprof_shards_room(live);
  char *base = reserve_room(image, room, error);
  int flags = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  if (base &&
      contprof_map(base, live->size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, error)) {
    live->room = room;
    return base;
  }
  if (base)
    contprof_unmap(base, room);
  live->room = live->size;
  return map_image(image, live->size, fd, NULL, error);
}

// The next file of a switch needs no room: it moves to where there is some.
char *contprof_live_map(struct contprof_live *live, const struct contprof_image *image, int fd,
                        char *address, int *error) {
  bool with_room = contprof_sharded && !address && !live->room;
  return with_room ? map_with_room(live, image, fd, error)
                   : map_image(image, live->size, fd, address, error);
}
