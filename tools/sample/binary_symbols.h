// The symbol list that a binary gives to its sample profile.
#ifndef CONTPROF_SAMPLE_BINARY_SYMBOLS_H
#define CONTPROF_SAMPLE_BINARY_SYMBOLS_H

#include "binary.h"
#include "sample_profile.h"

// Adds the names of all functions that the binary's debug information knows to the profile's list:
// what has no samples is cold then.
void contprof_symbols_of_binary(const struct contprof_binary *binary,
                                struct contprof_sample_profile *profile);

#endif
