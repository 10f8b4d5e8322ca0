// What the value data of one file of a build say, until it is known whether the file is added to
// the sum of its build.
#ifndef CONTPROF_INSTR_RAW_SAID_H
#define CONTPROF_INSTR_RAW_SAID_H

#include "raw_sum.h"

// A zeroed struct says nothing.
struct contprof_raw_said {
  struct contprof_raw_said_site *sites; // that have values; in the arena of `scratch`
  size_t count;
  struct contprof_profile scratch; // owns the values
};

// Room in the share for reading value data.
void contprof_raw_said_shape(const struct contprof_raw_sum *sum, struct contprof_raw_share *share);

// Reads the value data at `behind`, what follows the first image of a file whose addresses are
// `moved` from the build's. Returns false if they are damaged, or something follows.
bool contprof_raw_said_take(struct contprof_raw_said *said, const struct contprof_raw_sum *sum,
                            struct contprof_raw_share *share, const struct contprof_cursor *behind,
                            uint64_t moved);

// Adds it to `into`, while it holds `lock`.
void contprof_raw_said_add(const struct contprof_raw_said *said, struct contprof_raw_sum *sum,
                           uint64_t weight, struct contprof_profile *into, pthread_mutex_t *lock);

void contprof_raw_said_free(struct contprof_raw_said *said);

#endif
