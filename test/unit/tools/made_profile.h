// Profiles made up for the tests of the indexed format and of what is derived from a profile: any
// number of functions, some of one name, with counters, value sites and bitmaps that follow from
// the function's number.
#ifndef CONTPROF_TEST_MADE_PROFILE_H
#define CONTPROF_TEST_MADE_PROFILE_H

#include "tools/base/byte_writer.h"
#include "tools/base/file_view.h"
#include "tools/instr/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the functions have beside counters.
struct made_shape {
  unsigned functions;
  bool values; // call targets and memop sizes
  bool vtables;
  bool bitmaps;
  uint64_t variant; // CONTPROF_VARIANT_*
};

static inline void made_fill_site(struct contprof_profile *profile,
                                  struct contprof_value_site *site, unsigned seed) {
  struct contprof_value values[5];
  unsigned count = seed % 6;
  for (unsigned i = 0; i < count; i++)
    values[i] = (struct contprof_value){.value = i * 1000 + seed, .count = (seed + i) % 3 + 1};
  contprof_profile_set_site(profile, site, values, count);
}

static inline void made_fill(struct contprof_profile *profile, struct contprof_function *function,
                             unsigned seed) {
  for (uint32_t i = 0; i < function->counter_count; i++)
    function->counters[i] = (uint64_t)seed * seed * (i + 1) % 10007;
  for (uint32_t i = 0; i < function->bitmap_size; i++)
    function->bitmap[i] = (uint8_t)(seed * 7 + i);
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++)
      made_fill_site(profile, &function->sites[kind][i], seed + i);
}

// Every fifth function has the name of the one before; every third, of a context-sensitive profile,
// is context-sensitive.
static inline void made_add(struct contprof_profile *profile, const struct made_shape *shape,
                            unsigned number) {
  char name[32];
  bool context_sensitive = (shape->variant & CONTPROF_VARIANT_CS) && number % 3 == 0;
  int length = snprintf(name, sizeof name, "function%u", number % 5 == 4 ? number - 1 : number);
  uint32_t sites[CONTPROF_VALUE_KINDS] = {shape->values ? number % 4 : 0,
                                          shape->values ? number % 3 : 0,
                                          shape->vtables ? number % 2 : 0};
  struct contprof_function *function = contprof_profile_add(
      profile, name, (size_t)length, 100 + number + (context_sensitive ? CONTPROF_HASH_CS : 0),
      number % 7 + 1, shape->bitmaps ? number % 3 : 0, sites);
  made_fill(profile, function, number);
}

static inline void made_profile(struct contprof_profile *profile, const struct made_shape *shape) {
  *profile = (struct contprof_profile){.variant = shape->variant, .format = CONTPROF_FORMAT_RAW};
  for (unsigned i = 0; i < shape->functions; i++)
    made_add(profile, shape, i);
  contprof_profile_sort(profile);
}

// A view of a copy of exactly this size, so that the address sanitizer sees a byte read past its
// end. Free view.bytes.
static inline struct contprof_file_view made_view(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  return (struct contprof_file_view){.path = "t.profdata", .bytes = copy, .size = size};
}

#endif
