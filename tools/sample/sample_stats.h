// What the lines of a function, those of its inlined functions among them, come to.
#ifndef CONTPROF_SAMPLE_SAMPLE_STATS_H
#define CONTPROF_SAMPLE_SAMPLE_STATS_H

#include "sample_profile.h"

struct contprof_sample_stats {
  uint64_t sum;       // samples of all lines, modulo 2^64 as in LLVM
  uint64_t hottest;   // samples of the hottest line
  uint64_t hot_lines; // lines of `hot` samples or more
};

// Source: getFuncSampleStats in llvm/tools/llvm-profdata/llvm-profdata.cpp.
struct contprof_sample_stats
contprof_sample_stats_of(const struct contprof_function_samples *function, uint64_t hot);

#endif
