// From a binary's counts to its sample profile, by its debug information: ProfileGenerator.cpp's
// way for profiles that are neither context-sensitive nor probe-based.
#ifndef CONTPROF_SAMPLE_PROFILE_FROM_COUNTS_H
#define CONTPROF_SAMPLE_PROFILE_FROM_COUNTS_H

#include "binary.h"
#include "sample_counts.h"
#include "sample_profile.h"

struct contprof_symbolize_options {
  bool ip_only;           // a line's count is the sum over its instructions, not the maximum
  bool fill_zero_for_all; // functions without samples are in the profile, with zeros
  bool update_total;      // totals are the sums of the body counts
  uint64_t threads;       // more than 1: finding locations and adding them up get one each
};

// Symbolises `counts` into `profile` (empty before), and empties them. Ranges and branches at
// addresses that the debug information does not know leave nothing.
void contprof_profile_from_counts(struct contprof_binary *binary,
                                  struct contprof_sample_counts *counts,
                                  const struct contprof_symbolize_options *options,
                                  struct contprof_sample_profile *profile);

#endif
