// How alike the heat of functions is in counts and in samples: each function's share of either
// side's heat, the smaller of the two taken, and those summed. A function's heat is its largest
// counter, or the larger of its hottest line and its entries, as contprof combine compares them.
#ifndef CONTPROF_COMBINE_HEAT_OVERLAP_H
#define CONTPROF_COMBINE_HEAT_OVERLAP_H

#include "combination.h"

// A function's shares of the two sides' heat, from 0 to 1.
struct contprof_heat_share {
  const char *name; // NULL: only its hash is known; the combination's
  uint64_t hash;    // then
  double counted, sampled;
};

struct contprof_heat_overlap {
  double overlap;                      // 0 to 1
  size_t common;                       // functions with heat on both sides
  size_t counted_only, sampled_only;   // functions with heat on one
  double counted_alone, sampled_alone; // what they are of their side's heat
  bool counted, sampled;               // there is any heat on that side
  struct contprof_heat_share *apart; // apart_count of them: hot on one side only, by how far; owned
  size_t apart_count;
};

// Compares what `all` was made of; it must outlive the result. A function is hot on one side only
// if it is above that side's hot threshold, and its share is more than `tolerance` times the
// other's. Free with contprof_heat_overlap_free.
void contprof_heat_overlap_of(struct contprof_heat_overlap *overlap,
                              const struct contprof_combination *all, double tolerance);

void contprof_heat_overlap_free(struct contprof_heat_overlap *overlap);

#endif
