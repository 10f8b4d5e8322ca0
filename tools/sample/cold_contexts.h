// Contexts that are too cold to be told apart: merged by their last frames, or left out.
// Source: SampleContextTrimmer in llvm/lib/ProfileData/SampleProf.cpp.
#ifndef CONTPROF_SAMPLE_COLD_CONTEXTS_H
#define CONTPROF_SAMPLE_COLD_CONTEXTS_H

#include "sample_profile.h"

struct contprof_cold_contexts {
  uint64_t threshold; // cold are those of fewer samples in total; 0: none
  uint32_t frames;    // of a merged context the last ones that are kept; at least 1
  bool merge;         // merge cold ones
  bool trim;          // leave out what is cold (even when merged)
};

// Changes a context-sensitive profile.
void contprof_samples_merge_cold(struct contprof_sample_profile *profile,
                                 const struct contprof_cold_contexts *how);

#endif
