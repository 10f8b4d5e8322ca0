// The sampled side as a verb gets it: a sample profile, or a recording of perf that becomes one.
#ifndef CONTPROF_SAMPLE_INPUT_H
#define CONTPROF_SAMPLE_INPUT_H

#include "../sample/sample_profile.h"

// Reads the sample profile at `path` ("-" is standard input) into `profile`, which is empty; or, if
// it is a recording (perf.data), makes the profile of `binary` from it. Fails with CONTPROF_USAGE
// if `binary` is wanted and NULL, or given and not wanted.
bool contprof_sample_input(const char *path, const char *binary,
                           struct contprof_sample_profile *profile, struct contprof_error *error);

#endif
