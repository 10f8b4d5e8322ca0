// The merge of sample profiles, once its options are known: contprof merge --sample. What is to be
// said is said on stderr at once (messages.h).
#ifndef CONTPROF_MERGE_SAMPLES_H
#define CONTPROF_MERGE_SAMPLES_H

#include "merge_options.h"

// All of a merge. Returns the exit status.
int contprof_merge_samples(const struct contprof_merge_options *options);

#endif
