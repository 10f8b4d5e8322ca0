#include "profile_add.h"

#include <string.h>

#include "platform.h"
#include "timestamps.h"
#include "value_sites.h"

enum {
  BLOCK = 64,         // counters that are changed, and then looked at again
  TRIES = 100,        // then a count has been changed so often that it is no use
  SETTLE = 1000,      // nanoseconds in which another processor's store surely arrives
  COPY_ROUNDS = 8,    // readings of all counts, to find two that are the same
  PER_NANOSECOND = 4, // what a counter can grow by, generously
};

static uint64_t load(const char *at) {
  return __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED);
}

static void settle(void) {
  uint64_t start = contprof_boot_clock();
  while (contprof_boot_clock() - start < SETTLE) {
  }
}

// What is to be added to the counters of one block, and what they were before that.
struct block {
  char *counters;
  uint64_t since;         // nanoseconds; just before the addition
  uint64_t by[BLOCK];     // 0: left alone
  uint64_t before[BLOCK]; // valid after the addition
};

static bool is_work(const struct block *block) {
  uint64_t any = 0;
  for (unsigned i = 0; i < BLOCK; i++)
    any |= block->by[i];
  return any != 0;
}

// Most blocks have nothing to add, and the clock is a system call.
static bool add_to_block(struct block *block) {
  bool added = false;
  if (!is_work(block))
    return false;
  block->since = contprof_boot_clock();
  for (unsigned i = 0; i < BLOCK; i++)
    if (block->by[i]) {
      block->before[i] =
          __atomic_fetch_add((uint64_t *)block->counters + i, block->by[i], __ATOMIC_SEQ_CST);
      added = true;
    }
  return added;
}

// A count never falls by itself. Whether it has grown past what was taken off, or was stored over
// that, can be told only where it can't have grown so far. The clock is looked at where it matters:
// each look makes the time longer in which the next counters can have grown.
static bool is_lost(const struct block *block, unsigned i) {
  int64_t by = (int64_t)block->by[i];
  int64_t grown = (int64_t)(load(block->counters + 8 * (size_t)i) - block->before[i]);
  if (grown < 0)
    return false;
  if (by > 0)
    return grown < by;
  return (uint64_t)-by > (contprof_boot_clock() - block->since) * PER_NANOSECOND;
}

static void keep_the_lost(struct block *block) {
  for (unsigned i = 0; i < BLOCK; i++)
    if (block->by[i] && !is_lost(block, i))
      block->by[i] = 0;
}

static void add_surely(struct block *block) {
  for (int i = 0; i < TRIES && add_to_block(block); i++) {
    settle();
    keep_the_lost(block);
  }
}

// Adds from - seen to `to`, for `size` bytes of counters.
static void add_words(char *to, const char *from, const char *seen, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8 * BLOCK) {
    struct block block = {.counters = to + at};
    for (uint64_t i = 0; i < BLOCK && at + 8 * i + 8 <= size; i++) {
      uint64_t count, known = 0;
      memcpy(&count, from + at + 8 * i, sizeof count);
      if (seen)
        memcpy(&known, seen + at + 8 * i, sizeof known);
      block.by[i] = count - known;
    }
    add_surely(&block);
  }
}

// A byte counter is 0xff until its code has run, then 0.
static void add_bytes(char *to, const char *from, uint64_t size) {
  for (uint64_t at = 0; at < size; at++)
    if (!from[at])
      __atomic_store_n(&to[at], 0, __ATOMIC_RELAXED);
}

static void add_byte_part(char *to, char *from, uint64_t size) {
  add_bytes(to, from, size);
}

static void add_bits(char *to, const char *from, uint64_t size) {
  for (uint64_t at = 0; at < size; at++)
    if (from[at])
      __atomic_fetch_or(&to[at], from[at], __ATOMIC_RELAXED);
}

static void add_counters(const struct contprof_image *image, char *to, const char *from,
                         const char *seen) {
  uint64_t counters = contprof_image_counters_size(image);
  bool bytes = CONTPROF_BYTE_COUNTERS(image->version);
  if (bytes && contprof_is_temporal(image))
    contprof_timestamps_each(image, to, (char *)from, false, add_byte_part);
  else if (bytes)
    add_bytes(to, from, counters);
  else
    add_words(to, from, seen, counters);
}

void contprof_counters_add(const struct contprof_image *image, char *to, const char *from) {
  add_counters(image, to, from, NULL);
}

static void add_counts(const struct contprof_image *image, char *to_counters,
                       const char *from_counters, const char *seen_counters, char *to_bitmap,
                       const char *from_bitmap) {
  add_counters(image, to_counters, from_counters, seen_counters);
  add_bits(to_bitmap, from_bitmap, contprof_image_bitmap_size(image));
}

void contprof_counts_add(const struct contprof_image *image, char *to_counters,
                         const char *from_counters, char *to_bitmap, const char *from_bitmap) {
  add_counts(image, to_counters, from_counters, NULL, to_bitmap, from_bitmap);
}

void contprof_profile_add(const struct contprof_image *image, const struct contprof_layout *layout,
                          char *to, const char *from, const char *seen) {
  add_counts(image, to + layout->counters, from + layout->counters,
             seen ? seen + layout->counters : NULL, to + layout->bitmap, from + layout->bitmap);
  if (!seen)
    contprof_values_add(image, to + layout->values, from + layout->values);
}

static void reset_words(char *counters, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8 * BLOCK) {
    struct block block = {.counters = counters + at};
    for (uint64_t i = 0; i < BLOCK && at + 8 * i + 8 <= size; i++)
      block.by[i] = -load(counters + at + 8 * i);
    add_surely(&block);
  }
}

static bool is_zero(const char *counters, uint64_t size) {
  uint64_t any = 0;
  for (uint64_t at = 0; at < 8 * BLOCK && at + 8 <= size; at += 8)
    any |= load(counters + at);
  return any == 0;
}

void contprof_counters_move(char *from, char *to, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8 * BLOCK) {
    if (is_zero(from + at, size - at)) // as nearly all at start
      continue;
    struct block block = {.counters = from + at};
    for (uint64_t i = 0; i < BLOCK && at + 8 * i + 8 <= size; i++) {
      block.by[i] = -load(from + at + 8 * i);
      if (block.by[i])
        __atomic_fetch_sub((uint64_t *)(to + at) + i, block.by[i], __ATOMIC_RELAXED);
    }
    add_surely(&block);
  }
}

void contprof_counters_reset(const struct contprof_image *image, char *counters) {
  uint64_t size = contprof_image_counters_size(image);
  if (CONTPROF_BYTE_COUNTERS(image->version))
    memset(counters, 0xff, size);
  else
    reset_words(counters, size);
}

void contprof_profile_reset(const struct contprof_image *image,
                            const struct contprof_layout *layout, char *memory) {
  contprof_counters_reset(image, memory + layout->counters);
  memset(memory + layout->bitmap, 0, contprof_image_bitmap_size(image));
  contprof_values_reset(image, memory + layout->values);
  contprof_timestamps_restart();
}

void contprof_counts_drop_carried(const struct contprof_image *image,
                                  const struct contprof_layout *layout, char *now,
                                  const char *before, uint64_t since) {
  uint64_t size = contprof_image_counters_size(image);
  const char *old = before + layout->counters;
  char *counters = now + layout->counters;
  if (CONTPROF_BYTE_COUNTERS(image->version))
    return; // a byte that says "not reached" is never stored
  for (uint64_t at = 0; at + 8 <= size; at += 8 * BLOCK) {
    struct block block = {.counters = counters + at};
    for (uint64_t i = 0; i < BLOCK && at + 8 * i + 8 <= size; i++) {
      uint64_t count = load(counters + at + 8 * i), last = load(old + at + 8 * i);
      if (!last || count < last / 2 || !count)
        continue;
      if (count / PER_NANOSECOND > contprof_boot_clock() - since)
        block.by[i] = last < count ? -last : 1 - count;
    }
    add_surely(&block);
  }
}

// False if something was different.
static bool copy_again(char *copy, const char *live, uint64_t size) {
  uint64_t changed = 0;
  for (uint64_t at = 0; at + 8 <= size; at += 8) {
    uint64_t *to = (uint64_t *)(copy + at), count = load(live + at);
    changed |= *to ^ count;
    *to = count;
  }
  return !changed;
}

// To a copy that nobody counts into.
static void add_static_words(char *copy, char *statics, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8)
    *(uint64_t *)(copy + at) += load(statics + at);
}

void contprof_counters_add_to_copy(const struct contprof_image *image, char *to, char *from) {
  void (*add)(char *, char *, uint64_t) =
      CONTPROF_BYTE_COUNTERS(image->version) ? add_byte_part : add_static_words;
  if (contprof_is_temporal(image))
    contprof_timestamps_each(image, to, from, false, add);
  else
    add(to, from, contprof_image_counters_size(image));
}

void contprof_profile_copy(const struct contprof_image *image, const struct contprof_layout *layout,
                           char *copy, const char *live) {
  uint64_t start = layout->counters & ~(uint64_t)7, end = layout->bitmap;
  bool same = false;
  memcpy(copy, live, layout->total);
  for (int i = 0; i < COPY_ROUNDS && !same; i++)
    same = copy_again(copy + start, live + start, end - start);
  if (!image->in_place) // else they are the live image's
    contprof_counters_add_to_copy(image, copy + layout->counters, image->counters);
  add_bits(copy + layout->bitmap, image->bitmap, contprof_image_bitmap_size(image));
}
