// One profile file of whatever format into memory: the dispatcher over the readers.
#ifndef CONTPROF_INSTR_PROFILE_LOAD_H
#define CONTPROF_INSTR_PROFILE_LOAD_H

#include "../base/file_view.h"
#include "profile.h"

// Whether a file that begins so may be a profile: contprof_file_view.is_wanted.
bool contprof_profile_begins(const struct contprof_file_view *beginning);

// Reads the profile in `file` into the empty `profile`, telling its format by its first bytes. An
// empty file is CONTPROF_TRUNCATED; bytes of no known format, CONTPROF_UNSUPPORTED.
bool contprof_profile_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                           struct contprof_error *error);

// As contprof_profile_read, the file at `path` ("-" is standard input).
bool contprof_profile_load(const char *path, struct contprof_profile *profile,
                           struct contprof_error *error);

#endif
