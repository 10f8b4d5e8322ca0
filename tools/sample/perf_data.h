// Reads perf.data: file and pipe mode, both byte orders, compressed or not, without perf. Streams:
// memory does not grow with the file, but with what lies between two of its FINISHED_ROUND marks.
#ifndef CONTPROF_SAMPLE_PERF_DATA_H
#define CONTPROF_SAMPLE_PERF_DATA_H

#include "perf_event.h"

// Reads all of `path` ("-" is standard input) and hands its events to `take`, in order of time.
// Fills `notes`. Returns false with `error` (file, offset, reason) set if the file is no perf.data,
// damaged or truncated, or if `take` has returned false; events until then have been handed out.
bool contprof_perf_data_read(const char *path, contprof_perf_take *take, void *context,
                             struct contprof_perf_notes *notes, struct contprof_error *error);

// True if the bytes at the start of a file are perf.data's.
bool contprof_is_perf_data(const uint8_t *bytes, size_t size);

#endif
