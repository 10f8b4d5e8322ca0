// Where names stand in an array of many: a hash table over interned names, for the time of one
// merge. Not thread-safe.
#ifndef CONTPROF_SAMPLE_NAME_PLACES_H
#define CONTPROF_SAMPLE_NAME_PLACES_H

#include "sample_profile.h"

// Zeroed, there is none: `slots` is NULL.
struct contprof_name_places {
  struct contprof_name_place *slots; // owned; looked into by name_places.c alone
  size_t slot_count;                 // private: a power of two
};

// Room for `count` names. To be freed with contprof_name_places_free.
struct contprof_name_places contprof_name_places_new(uint32_t count);
void contprof_name_places_free(struct contprof_name_places *places);

// Notes that the name, which is not there yet, stands at `place`.
void contprof_name_places_add(struct contprof_name_places *places,
                              const struct contprof_sample_name *name, uint32_t place);

// Where the name stands, or `none`.
uint32_t contprof_name_places_find(const struct contprof_name_places *places,
                                   const struct contprof_sample_name *name, uint32_t none);

#endif
