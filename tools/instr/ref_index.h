// Functions by the reference that value sites name them with, for printing values.
#ifndef CONTPROF_INSTR_REF_INDEX_H
#define CONTPROF_INSTR_REF_INDEX_H

#include "profile.h"

// A zeroed struct is an empty index.
struct contprof_ref_index {
  const struct contprof_function **functions; // count of them, sorted by name_ref; owned
  size_t count;
};

// Indexes the functions that `profile` has now; they must outlive the index.
struct contprof_ref_index contprof_ref_index_of(const struct contprof_profile *profile);

// A function of that reference, or NULL.
const struct contprof_function *contprof_ref_index_find(const struct contprof_ref_index *index,
                                                        uint64_t ref);

void contprof_ref_index_free(struct contprof_ref_index *index);

#endif
