// Where contprof sample writes, looked at before its work begins.
#ifndef CONTPROF_SAMPLE_OUTPUTS_H
#define CONTPROF_SAMPLE_OUTPUTS_H

#include "sample_options.h"

// Whether each output can be written, none would replace an input or a binary, and no two are one
// file. If not, says so.
bool contprof_sample_outputs_good(const struct contprof_sample_options *options);

#endif
