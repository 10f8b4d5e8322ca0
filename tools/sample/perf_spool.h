// A perf.data file that comes through a pipe, put where it can be read in any order.
#ifndef CONTPROF_SAMPLE_PERF_SPOOL_H
#define CONTPROF_SAMPLE_PERF_SPOOL_H

#include "perf_file.h"

// Copies the `size` bytes that have been read, and all that follows in file->fd, to a temporary
// file without a name, in $TMPDIR or /tmp, which is file->fd then. Returns false, with `error` set,
// if there is no room for it.
bool contprof_perf_spool(struct contprof_perf_file *file, const uint8_t *bytes, size_t size,
                         struct contprof_error *error);

#endif
