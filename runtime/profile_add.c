#include "profile_add.h"

#include <string.h>

#include "value_sites.h"

static void add_words(char *to, const char *from, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8) {
    uint64_t count;
    memcpy(&count, from + at, sizeof count);
    if (count)
      __atomic_fetch_add((uint64_t *)(to + at), count, __ATOMIC_RELAXED);
  }
}

// A byte counter is 0xff until its code has run, then 0.
static void add_bytes(char *to, const char *from, uint64_t size) {
  for (uint64_t at = 0; at < size; at++)
    if (!from[at])
      __atomic_store_n(&to[at], 0, __ATOMIC_RELAXED);
}

void contprof_counts_add(const struct contprof_image *image, char *to_counters,
                         const char *from_counters, char *to_bitmap, const char *from_bitmap) {
  uint64_t counters = contprof_image_counters_size(image);
  if (CONTPROF_BYTE_COUNTERS(image->version))
    add_bytes(to_counters, from_counters, counters);
  else
    add_words(to_counters, from_counters, counters);
  for (uint64_t at = 0; at < contprof_image_bitmap_size(image); at++)
    if (from_bitmap[at])
      __atomic_fetch_or(&to_bitmap[at], from_bitmap[at], __ATOMIC_RELAXED);
}

void contprof_profile_add(const struct contprof_image *image, const struct contprof_layout *layout,
                          char *to, const char *from) {
  contprof_counts_add(image, to + layout->counters, from + layout->counters, to + layout->bitmap,
                      from + layout->bitmap);
  contprof_values_add(image, to + layout->values, from + layout->values);
}
