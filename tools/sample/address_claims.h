// What all live processes together have at an address: for samples that do not tell their process.
// Each range that a process has is a claim; an address is certain where all claims on it agree. A
// claim is added, taken back and found in a time that grows with the logarithm of the number of
// claims, whatever they overlap. Not thread-safe.
#ifndef CONTPROF_SAMPLE_ADDRESS_CLAIMS_H
#define CONTPROF_SAMPLE_ADDRESS_CLAIMS_H

#include "map_tree.h"

struct contprof_claims_edge;
struct contprof_claims_place;

// A zeroed struct is empty.
struct contprof_claims {
  struct contprof_claims_edge *root;    // private; owned
  struct contprof_claims_place *places; // private: that were ever claimed, by number; owned
  size_t place_count;                   // private
  uint32_t *slots;                      // private: hash table of them, number + 1; owned
  size_t slot_count;                    // private: a power of two, or 0
};

void contprof_claims_free(struct contprof_claims *claims);

// Adds a claim.
void contprof_claims_add(struct contprof_claims *claims, const struct contprof_map_range *range);

// Takes a claim back, or a part of one. It must have been added.
void contprof_claims_remove(struct contprof_claims *claims, const struct contprof_map_range *range);

// What is claimed around `address`: a range of addresses with one answer, AMBIGUOUS where one claim
// is HERE and another differs, UNMAPPED where there is none.
struct contprof_map_range contprof_claims_find(const struct contprof_claims *claims,
                                               uint64_t address);

#endif
