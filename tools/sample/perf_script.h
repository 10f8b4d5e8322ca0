// Reads the text that `perf script` prints: samples with or without PID, with branch stacks
// (`-F ip,brstack`, `-F pid,ip,brstack`, with dso and event fields), IPs alone, aggregated ones (a
// line with a count before each sample), hybrid ones (a callchain before the branch stack, which is
// passed over), and `--show-mmap-events` and `--show-task-events` among them. Streams.
#ifndef CONTPROF_SAMPLE_PERF_SCRIPT_H
#define CONTPROF_SAMPLE_PERF_SCRIPT_H

#include "perf_event.h"

// Reads all of `path` ("-" is standard input) and hands its events to `take`, in the file's order;
// equal samples between two other events may come as one, with their count. Fills `notes`. Returns
// false with `error` (file, line, reason) set if the file is no such text or if `take` has returned
// false. A line that can't be understood in the middle of a good file is counted in
// notes->bad_lines and its first one told by the caller's warning.
bool contprof_perf_script_read(const char *path, contprof_perf_take *take, void *context,
                               struct contprof_perf_notes *notes, struct contprof_error *error);

#endif
