// One profile file of whatever format into memory: the dispatcher over the readers.
#ifndef CONTPROF_INSTR_PROFILE_LOAD_H
#define CONTPROF_INSTR_PROFILE_LOAD_H

#include "profile.h"

// Reads the file at `path` ("-" is standard input) into the empty `profile`, telling its format by
// its magic. An empty file is CONTPROF_TRUNCATED; bytes of no known format, CONTPROF_UNSUPPORTED.
bool contprof_profile_load(const char *path, struct contprof_profile *profile,
                           struct contprof_error *error);

#endif
