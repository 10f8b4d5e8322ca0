// The sampled side as a verb gets it that is about counts: a sample profile, or a recording of perf
// that becomes one on the way, as contprof sample makes it.
#ifndef CONTPROF_SAMPLE_INPUT_H
#define CONTPROF_SAMPLE_INPUT_H

#include "../sample/sample_profile.h"

#include <stdbool.h>

// Which program a recording is of.
struct contprof_recorded {
  const char *binary;       // or NULL: there is no recording
  const char *debug_binary; // where its debug information is, or NULL: where it says itself
  bool alike;               // samples without branches count once each, not by their periods
  bool beside_profiles;     // sample profiles may be among the recordings
};

// Reads the sample profile at `path` ("-" is standard input) into `profile`, which is empty; or, if
// it is a recording (perf.data), makes the profile of `recorded` from it, whose list of symbols has
// all functions of the binary. Fails with CONTPROF_USAGE if a recording has no binary, or a profile
// has one (unless beside_profiles), and with CONTPROF_MISMATCH if the recording has no sample of
// it.
bool contprof_sample_input(const char *path, const struct contprof_recorded *recorded,
                           struct contprof_sample_profile *profile, struct contprof_error *error);

// Whether `output` is neither that file nor a binary of `recorded`. If it is, says so.
bool contprof_sample_input_kept(const char *path, const struct contprof_recorded *recorded,
                                const char *output);

#endif
