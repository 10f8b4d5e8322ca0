// Instrumented profiles and sample profiles are read by different options: what to say of a file
// that was taken for the wrong kind.
#ifndef CONTPROF_KIND_HINT_H
#define CONTPROF_KIND_HINT_H

#include <stdbool.h>

// Looks at the file at `path`, which could not be read as a sample profile (`sampled`) or as an
// instrumented one. If it is of the other kind, or perf's recording, says so, and what to do;
// returns whether.
bool contprof_hint_kind(const char *path, bool sampled);

#endif
