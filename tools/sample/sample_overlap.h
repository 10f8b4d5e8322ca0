// How alike two sample profiles are: llvm-profdata overlap --sample.
//
// Of a line, how far its shares of its function's samples in the two profiles are apart; of a
// function, what all its lines (those of functions inlined in both the same way among them) leave
// of 1, times what the function's own shares of the profiles leave; of the profiles, the mean of
// their functions by their shares. A line is hot that has its profile's 99 percent count or more,
// a function that has a hot line.
// Source: SampleOverlapAggregator in llvm/tools/llvm-profdata/llvm-profdata.cpp.
#ifndef CONTPROF_SAMPLE_SAMPLE_OVERLAP_H
#define CONTPROF_SAMPLE_SAMPLE_OVERLAP_H

#include "sample_profile.h"

struct contprof_sample_overlap_options {
  uint64_t base_hot, test_hot; // samples from which on a line is hot
  uint64_t value_cutoff;       // list functions with a line of so many samples in the test profile
  double low_similarity;       // and those in both profiles that are less alike than this
  const char *function;        // and those in both with this in their name; NULL or "": none
};

// Things counted in the one profile, the other, both and either.
struct contprof_shared {
  uint64_t both;
  uint64_t base, test; // all in that profile
  uint64_t either;
};

// Samples, modulo 2^64: of lines in both, the smaller number; in either, the larger.
struct contprof_shared_samples {
  uint64_t overlap;
  uint64_t base_only, test_only;
  uint64_t base, test;
  uint64_t either;
};

// A function of the test profile, to be listed.
struct contprof_function_overlap {
  const struct contprof_function_samples *function; // in the test profile; not owned
  struct contprof_shared_samples samples;
  double similarity;  // 0 to 1
  double base_weight; // its share of the base profile's samples
  double test_weight;
};

struct contprof_sample_overlap {
  struct contprof_shared functions, hot_functions, hot_lines;
  struct contprof_shared_samples samples;
  uint64_t base_only_functions, test_only_functions;
  double similarity;                        // 0 to 1
  struct contprof_function_overlap *listed; // the heaviest in the base profile first; owned
  size_t listed_count;
};

// Compares; the profiles must outlive the result. A result of which samples.base or samples.test is
// 0 has nothing else. Free with contprof_sample_overlap_free.
void contprof_sample_overlap_of(const struct contprof_sample_profile *base,
                                const struct contprof_sample_profile *test,
                                const struct contprof_sample_overlap_options *options,
                                struct contprof_sample_overlap *overlap);

void contprof_sample_overlap_free(struct contprof_sample_overlap *overlap);

#endif
