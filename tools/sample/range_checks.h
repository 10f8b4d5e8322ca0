// Which of the ranges that branch stacks gave are believed, and what is wrong with the others.
// Rules: isValidFallThroughRange and warnInvalidRange in llvm-profgen's PerfReader.
#ifndef CONTPROF_SAMPLE_RANGE_CHECKS_H
#define CONTPROF_SAMPLE_RANGE_CHECKS_H

#include "converter.h"

// Judges `range` of `binary`: adds to `checks`, tells `options->bad_range`, and returns whether the
// range is to be counted. One of IPs has the same address twice, and need not end at a branch.
bool contprof_check_range(struct contprof_binary *binary, const struct contprof_pair_count *range,
                          bool ip_only, const struct contprof_convert_options *options,
                          struct contprof_range_checks *checks);

#endif
