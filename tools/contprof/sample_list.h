// contprof sample --list: what is in recordings, for people who want to know what to ask for.
#ifndef CONTPROF_SAMPLE_LIST_H
#define CONTPROF_SAMPLE_LIST_H

#include "sample_options.h"

// Writes what each recording of the options holds as text to their output. Returns false, having
// said why, if that failed.
bool contprof_sample_list(const struct contprof_sample_options *options);

#endif
