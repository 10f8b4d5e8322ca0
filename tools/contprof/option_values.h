// Arguments of options that more than one verb takes.
#ifndef CONTPROF_OPTION_VALUES_H
#define CONTPROF_OPTION_VALUES_H

#include "../base/error.h"

// Fails with CONTPROF_USAGE: "--OPTION=ARGUMENT: expected WANTED". Returns false.
bool contprof_bad_argument(struct contprof_error *error, const char *option, const char *argument,
                           const char *wanted);

// A whole decimal number of 64 bits; anything else fails as contprof_bad_argument.
bool contprof_number_argument(const char *option, const char *argument, uint64_t *number,
                              struct contprof_error *error);

#endif
