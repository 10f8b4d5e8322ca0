// From which count on each side calls something hot or cold: the smallest of the hottest counts
// that together are 99 %, and 99.9999 %, of all.
// Source: HotPercentileIdx, ColdPercentileIdx in llvm/tools/llvm-profdata/llvm-profdata.cpp, and
// ProfileSummaryBuilder.
#ifndef CONTPROF_COMBINE_HOT_THRESHOLDS_H
#define CONTPROF_COMBINE_HOT_THRESHOLDS_H

#include "../instr/profile.h"
#include "../sample/sample_profile.h"

struct contprof_hot_thresholds {
  uint64_t hot, cold;
};

struct contprof_hot_thresholds contprof_thresholds_of(const struct contprof_profile *profile);

// Of the counts of body samples, those of inlined functions, too; in profiles with contexts, those
// of all contexts together.
struct contprof_hot_thresholds
contprof_sample_thresholds_of(const struct contprof_sample_profile *sample);

#endif
