// What a sample counts in a profile. Of time samples, contprof sample and others count the periods:
// every count is a multiple of, say, 250000 (nanoseconds), and what was seen once looks as sure as
// what was seen a quarter of a million times. And whether it is time that was sampled. Not
// thread-safe.
#ifndef CONTPROF_COMBINE_SAMPLE_UNIT_H
#define CONTPROF_COMBINE_SAMPLE_UNIT_H

#include "../sample/sample_profile.h"

// Divides all counts by their greatest common divisor, if that can't be chance: if it is 1000 or
// more, which no period is below, and divides the counts of 16 lines or more. Returns what was
// divided by, or 1.
uint64_t contprof_count_samples_once(struct contprof_sample_profile *profile);

// Whether the samples tell time alone: no branch was seen, neither into a function nor to what it
// calls.
bool contprof_is_by_time(const struct contprof_sample_profile *profile);

#endif
