// What a sample profile says of each function of an instrumentation profile, wherever it was
// inlined: an instrumented function has one set of counters, however many copies of it there are.
// Lines of all copies are summed, so that a function inlined at ten places is as hot as all of them
// together. Counts are samples.
#ifndef CONTPROF_COMBINE_FLAT_SAMPLES_H
#define CONTPROF_COMBINE_FLAT_SAMPLES_H

#include "name_match.h"

struct contprof_flat_heat {
  uint64_t total;   // of its own lines, without what is inlined in it
  uint64_t hottest; // of its lines
  uint64_t entries; // head samples; of inlined copies, their first line
  uint64_t alone;   // the peak of what is not inlined anywhere
  bool seen;        // the sample profile has it
  bool listed;      // the symbol list has it: it was in the binary that was sampled
};

// A function of the sample profile alone.
struct contprof_unknown_samples {
  char *name;    // NUL-terminated, or NULL if only the hash is known; owned
  uint64_t hash; // of the name
  struct contprof_flat_heat heat;
  bool ambiguous; // local functions of several files have the name
};

struct contprof_flat_samples {
  struct contprof_flat_heat *heats;          // by group of the match; owned
  struct contprof_unknown_samples *unknowns; // unknown_count of them, hottest first; owned
  size_t unknown_count;
};

// Flattens `sample`. Free with contprof_flat_samples_free.
void contprof_flatten_samples(struct contprof_flat_samples *flat,
                              const struct contprof_sample_profile *sample,
                              const struct contprof_name_match *match);

void contprof_flat_samples_free(struct contprof_flat_samples *flat);

// The larger of its hottest line's and its entries' count: what is compared with the largest
// counter of the function.
static inline uint64_t contprof_flat_peak(const struct contprof_flat_heat *heat) {
  return heat->hottest > heat->entries ? heat->hottest : heat->entries;
}

#endif
