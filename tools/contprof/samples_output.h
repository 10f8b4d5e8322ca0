// The output of contprof merge --sample: the sum in the layout and format that were asked for.
#ifndef CONTPROF_SAMPLES_OUTPUT_H
#define CONTPROF_SAMPLES_OUTPUT_H

#include "../base/name_filter.h"
#include "../sample/sample_profile.h"
#include "merge_options.h"

// Merges cold contexts, changes the layout, filters and writes options->output; `profile` is then
// what has been written. What is lost on the way is said.
bool contprof_samples_output(const struct contprof_merge_options *options,
                             const struct contprof_name_filter *filter,
                             struct contprof_sample_profile *profile, struct contprof_error *error);

#endif
