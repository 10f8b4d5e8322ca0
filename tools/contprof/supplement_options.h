// What contprof merge does with a sample profile beside the counts: --supplement-instr-with-sample
// and the options that go with it, which are llvm-profdata's.
#ifndef CONTPROF_SUPPLEMENT_OPTIONS_H
#define CONTPROF_SUPPLEMENT_OPTIONS_H

#include "../combine/supplement.h"
#include "sampled_side.h"

// Strings are those of the command line.
struct contprof_supplement_request {
  bool wanted;                                // else supplement nothing
  struct contprof_sampled sampled;            // the sample profiles and recordings; owned
  struct contprof_supplement_options options; // but for the version
};

// Whether something is wrong with `request`, which has been said.
bool contprof_supplement_is_wrong(const struct contprof_supplement_request *request);

// A share from 0 to 1. Fails with CONTPROF_USAGE.
bool contprof_share_argument(const char *option, const char *argument, float *share,
                             struct contprof_error *error);

// Supplements `profile`, for which indexed version or LLVM version (0: not asked for) says whose
// rules, and says what is to be said.
void contprof_supplement_with(const struct contprof_supplement_request *request,
                              const struct contprof_sample_profile *sample, unsigned llvm,
                              struct contprof_profile *profile);

#endif
