// How alike two profiles are, by the rules of llvm-profdata overlap: each count as a share of its
// profile's total, the smaller of the two shares taken, and those summed. Two profiles that say the
// same in other numbers overlap by 1, two without a common counter by 0.
// Source: OverlapStats and InstrProfRecord::overlap in llvm/lib/ProfileData/InstrProf.cpp and
// InstrProfWriter::overlapRecord, the same in LLVM 14, 16 and 19. Sums of doubles are made in their
// order, so that the last digit printed is theirs.
#ifndef CONTPROF_INSTR_OVERLAP_H
#define CONTPROF_INSTR_OVERLAP_H

#include "profile.h"
#include "ref_index.h"

// What is summed: the values of sites, by contprof_value_kind, and after those the counters.
enum { CONTPROF_OVERLAP_COUNTERS = CONTPROF_VALUE_KINDS, CONTPROF_OVERLAP_PARTS };

// Sums of counts, or shares of such sums, from 0 to 1.
struct contprof_overlap_sums {
  uint64_t entries;                  // functions; counters in the overlap of one function
  double of[CONTPROF_OVERLAP_PARTS]; // by what is summed
};

struct contprof_overlap {
  struct contprof_overlap_sums base, test; // totals of either profile, or of a function in them
  struct contprof_overlap_sums overlap;    // shares
  struct contprof_overlap_sums mismatch;   // shares of `test`: other shape or hash in the base
  struct contprof_overlap_sums unique;     // shares of `test`: not in the base
};

// What the functions of a test profile are compared with; both profiles must outlive it.
struct contprof_overlap_pair {
  const struct contprof_profile *base;
  struct contprof_ref_index names; // private: of `base`; owned
  struct contprof_overlap program; // totals at first; grows with each function compared
};

// The totals of both profiles: of IR profiles, those of the context-sensitive functions alone, or
// of the others alone, as `context_sensitive` says. Free with contprof_overlap_free.
void contprof_overlap_begin(struct contprof_overlap_pair *pair, const struct contprof_profile *base,
                            const struct contprof_profile *test, bool context_sensitive);

// Compares `test`, a function of the test profile, with the base's of the same name and hash; to be
// called for each, in the profile's order. Returns true if there is one of the same shape, the
// function has counts, and the largest is `cutoff` or more; *function then tells of it alone.
bool contprof_overlap_add(struct contprof_overlap_pair *pair, const struct contprof_function *test,
                          uint64_t cutoff, struct contprof_overlap *function);

void contprof_overlap_free(struct contprof_overlap_pair *pair);

#endif
