// contprof overlap of an instrumentation profile and a sample profile: how alike the heat of their
// functions is, and which are hot on one side only.
#ifndef CONTPROF_OVERLAP_MIXED_H
#define CONTPROF_OVERLAP_MIXED_H

#include <stdbool.h>

// Whether the file at `path` is a sample profile, as its beginning tells. A file that can't be read
// is none. Of what can be read but once, standard input and pipes, it is as `otherwise` says.
bool contprof_is_sample_profile(const char *path, bool otherwise);

// Compares the profile paths[1 - sampled] with the sample profile paths[sampled], and prints to
// `output` ("-" is standard output). Returns the exit status.
int contprof_overlap_mixed(char **paths, int sampled, const char *output);

#endif
