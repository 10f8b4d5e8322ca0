// Prints how alike two sample profiles are, as `llvm-profdata overlap --sample` does.
#ifndef CONTPROF_OVERLAP_SAMPLES_H
#define CONTPROF_OVERLAP_SAMPLES_H

#include "../sample/sample_profile.h"

#include <stdio.h>

struct contprof_overlap_samples_options {
  const char *function;       // list functions with this in their name; "" for none
  uint64_t value_cutoff;      // and those with a line of so many samples in the test profile
  uint64_t similarity_cutoff; // and those in both less alike than so many millionths
};

// The `paths` of base and test profile are printed. Returns false, having said why, if the two
// can't be compared.
bool contprof_overlap_samples(FILE *to, const struct contprof_sample_profile profiles[2],
                              char **paths, const struct contprof_overlap_samples_options *options);

#endif
