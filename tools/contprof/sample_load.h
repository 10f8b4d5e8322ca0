// Sample profiles as the verbs read them, and the options for that which they have in common:
//
//   --profile-isfs                 text and binary profiles have flow-sensitive discriminators
//   --fs-discriminator-pass=PASS   of those, only the bits of the passes up to PASS are taken:
//                                  Base, Pass1, Pass2, Pass3 or PassLast (the default)
#ifndef CONTPROF_SAMPLE_LOAD_H
#define CONTPROF_SAMPLE_LOAD_H

#include "../sample/sample_profile.h"

struct contprof_sample_load {
  bool flow_sensitive;
  uint32_t dropped_bits; // of flow-sensitive discriminators; 0: none
};

// Takes the argument of --fs-discriminator-pass.
bool contprof_sample_load_pass(const char *argument, struct contprof_sample_load *how,
                               struct contprof_error *error);

// Reads the profile at `path` ("-" is standard input) into the empty `profile`, which stays empty
// on failure.
bool contprof_samples_load(const char *path, const struct contprof_sample_load *how,
                           struct contprof_sample_profile *profile, struct contprof_error *error);

#endif
