#include "shard_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "image_write.h"
#include "platform.h"
#include "profile_add.h"
#include "shard_cover.h"
#include "value_sites.h"

__attribute__((weak)) bool contprof_sharded = false;

// Of every shard of this module; computed anew with each file, to the same.
static struct {
  struct contprof_image image;   // without values, vtables and their slots
  struct contprof_layout layout; // from the shard's start
  struct contprof_cover cover;
  uint64_t first;  // offset of shard 1 in the file
  uint64_t stride; // from one shard to the next, a multiple of the counters' alignment
} plan;

unsigned contprof_least_images(void) {
  return contprof_sharded ? 2 : 1;
}

static uint64_t aligned(uint64_t size) {
  return (size + CONTPROF_COUNTER_ALIGNMENT - 1) & ~(uint64_t)(CONTPROF_COUNTER_ALIGNMENT - 1);
}

// A name of no function would be one of a vtable, if it stood behind those.
void contprof_shards_plan(const struct contprof_live *live, const struct contprof_image *image) {
  if (!contprof_sharded)
    return;
  memcpy(&plan.image, image, sizeof plan.image);
  plan.image.vtables_end = plan.image.vtables;
  plan.image.vtable_names_end = plan.image.vtable_names;
  contprof_values_plan_none(&plan.image);
  plan.image.covers = plan.image.values_size == 0;
  if (image->values_size) // by then the records in memory lead to image 0's
    plan.image.records_as_in_file = false;
  contprof_image_layout(&plan.image, &plan.layout);
  contprof_cover_plan(&plan.image, &plan.layout, &plan.cover);
  plan.first = aligned(live->layout.total);
  plan.stride = aligned(plan.layout.total);
}

static uint64_t offset_of(unsigned index) {
  return plan.first + (index - 1) * plan.stride;
}

uint64_t contprof_whole_size(const struct contprof_live *live, unsigned images) {
  return images > 1 ? offset_of(images) : live->layout.total;
}

// All but what programs of many threads with large profiles would take of a small address space.
uint64_t contprof_shards_room(const struct contprof_live *live) {
  static const uint64_t most = UINT64_C(1) << 36;
  unsigned images = CONTPROF_MOST_IMAGES;
  while (images > 2 && contprof_whole_size(live, images) > most)
    images /= 2;
  return contprof_mapped_size(contprof_whole_size(live, images), contprof_page_size());
}

char *contprof_shard_counters(const struct contprof_live *live, const char *base, unsigned index) {
  return (char *)base + (index ? offset_of(index) + plan.layout.counters : live->layout.counters);
}

static void write_shard(char *base, unsigned index) {
  static const struct contprof_owner nobody;
  contprof_image_write(&plan.image, &plan.layout, &nobody, -1, base + offset_of(index));
}

void contprof_shards_write(const struct contprof_live *live) {
  for (unsigned i = 1; i < live->images; i++)
    write_shard(live->base, i);
}

// ---- Growing

// Under the cover of the one before. What is there may be the half of one.
static void add_under_cover(char *base, unsigned index) {
  memset(base + offset_of(index), 0, plan.stride);
  write_shard(base, index);
  contprof_cover_take_off(&plan.cover, base + offset_of(index - 1));
}

static bool is_shard(char *base, unsigned index) {
  return contprof_image_matches(&plan.image, &plan.layout, base + offset_of(index),
                                CONTPROF_HEAD_AND_RECORDS);
}

static bool is_empty(const char *base, uint64_t size, uint64_t from) {
  while (from < size && !base[from])
    from++;
  return from == size;
}

unsigned contprof_shards_look(const struct contprof_live *live, char *base, uint64_t size) {
  unsigned images = contprof_least_images();
  if (!contprof_sharded)
    return size == live->layout.total ? images : 0;
  if (size < offset_of(2))
    return 0;
  for (; images < CONTPROF_MOST_IMAGES && size >= offset_of(images + 1); images++) {
    if (contprof_cover_is_on(&plan.cover, base + offset_of(images - 1)))
      add_under_cover(base, images);
    else if (is_empty(base, size, offset_of(images)))
      break;
  }
  for (unsigned i = 1; i < images; i++)
    if (!is_shard(base, i))
      return 0;
  return images;
}

// Behind what is mapped already. The pages are the same file's, and go on with those before.
static int map_more(struct contprof_live *live, int fd, uint64_t size) {
  uint64_t mapped = contprof_mapped_size(size, contprof_page_size());
  if (mapped <= live->size)
    return 0;
  int error = contprof_map_part(live->base + live->size, mapped - live->size, fd, live->size);
  if (!error)
    live->size = mapped;
  return error;
}

static int make_room(struct contprof_live *live, uint64_t from, uint64_t to) {
  bool opened;
  int fd = contprof_live_descriptor(live, &opened);
  if (fd < 0)
    return fd;
  int error = contprof_reserve_part(fd, from, to, to);
  if (!error)
    error = map_more(live, fd, to);
  if (opened)
    contprof_close(fd);
  return error;
}

int contprof_shards_grow(struct contprof_live *live) {
  unsigned index = live->images;
  uint64_t from = contprof_whole_size(live, index), to = contprof_whole_size(live, index + 1);
  char *before = live->base + offset_of(index - 1);
  if (to > live->room || !contprof_cover_reaches(&plan.cover, 2 * plan.stride))
    return -ENOMEM;
  int error = make_room(live, from, to);
  if (error)
    return error;
  contprof_cover_put(&plan.cover, before, 2 * plan.stride);
  add_under_cover(live->base, index);
  live->images = index + 1;
  return 0;
}

// ---- All shards

void contprof_shards_add_to_copy(const struct contprof_live *live,
                                 const struct contprof_image *image, const char *base, char *copy) {
  for (unsigned i = 1; i < live->images; i++)
    contprof_counters_add_to_copy(image, copy + live->layout.counters,
                                  contprof_shard_counters(live, base, i));
}

void contprof_shards_carry(const struct contprof_live *live, const struct contprof_image *image,
                           const char *from, char *to) {
  for (unsigned i = 1; i < live->images; i++)
    contprof_counters_add(image, to + live->layout.counters,
                          contprof_shard_counters(live, from, i));
}

void contprof_shards_reset(const struct contprof_live *live, const struct contprof_image *image) {
  for (unsigned i = 1; i < live->images; i++)
    contprof_counters_reset(image, contprof_shard_counters(live, live->base, i));
}

void contprof_shards_forget(const struct contprof_live *live, uint64_t size) {
  int error;
  if (size > live->size)
    contprof_map(live->base + live->size, size - live->size, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, &error);
}
