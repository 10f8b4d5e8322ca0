// One input of the sampled side, as a verb gets it that is about counts: a sample profile, or a
// recording of perf that becomes one on the way, as contprof sample makes it.
#ifndef CONTPROF_SAMPLE_INPUT_H
#define CONTPROF_SAMPLE_INPUT_H

#include "../sample/binary.h"
#include "sample_options.h"

// Which programs recordings are of.
struct contprof_recorded {
  struct contprof_words binaries;  // their paths
  struct contprof_binary **opened; // binaries.count of them
  bool *seen;                      // by binary: a recording has samples of it; to be set
  bool alike;                      // samples without branches count once each
};

// Reads the recording at `path` ("-" is standard input) into `profile`, which is empty: the samples
// of all binaries together, and the names of all functions of those that have any. Fails with
// CONTPROF_MISMATCH if it has no sample of them.
bool contprof_recording_input(const char *path, const struct contprof_recorded *recorded,
                              struct contprof_sample_profile *profile,
                              struct contprof_error *error);

#endif
