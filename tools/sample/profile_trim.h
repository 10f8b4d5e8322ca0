// What llvm-profgen does to a profile once it is made (postProcessProfiles in
// ProfileGenerator.cpp): cold functions and ambiguous ones leave, and its density is told.
#ifndef CONTPROF_SAMPLE_PROFILE_TRIM_H
#define CONTPROF_SAMPLE_PROFILE_TRIM_H

#include "sample_profile.h"

// Takes the functions out whose total is below `least`.
void contprof_trim_cold(struct contprof_sample_profile *profile, uint64_t least);

// Takes out __cxx_global_var_init* and __tls_init*, also where they are inlined: each source file
// has such functions of its own, and once their suffixes are cut they are all one.
void contprof_trim_ambiguous(struct contprof_sample_profile *profile);

// Samples for each line, in the function that is the least dense of those that it takes, from the
// densest down, to have `cutoff` millionths of all samples; 0 if there are none.
double contprof_profile_density(const struct contprof_sample_profile *profile, uint32_t cutoff);

#endif
