// What all live processes together have at an address: for samples that do not tell their process.
// Each process claims its ranges; an address is certain where all claims agree. Costs grow with the
// logarithm of the number of ranges. Not thread-safe.
#ifndef CONTPROF_SAMPLE_ADDRESS_CLAIMS_H
#define CONTPROF_SAMPLE_ADDRESS_CLAIMS_H

#include "map_list.h"

struct contprof_claims_piece;

// A zeroed struct is empty.
struct contprof_claims {
  struct contprof_claims_piece *root; // owned
  uint32_t random;                    // private: the last priority given out
};

void contprof_claims_free(struct contprof_claims *claims);

// Adds a claim of one process.
void contprof_claims_add(struct contprof_claims *claims, const struct contprof_map_range *range);

// Takes a claim back, or a part of one.
void contprof_claims_remove(struct contprof_claims *claims, const struct contprof_map_range *range);

// What is claimed around `address`: a range of addresses with one answer, AMBIGUOUS where one claim
// is HERE and another differs, UNMAPPED (and empty) where there is none.
struct contprof_map_range contprof_claims_find(const struct contprof_claims *claims,
                                               uint64_t address);

#endif
