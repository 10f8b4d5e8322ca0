// What contprof sample says on standard error about a recording: what could not be counted, and
// what does not fit. Where llvm-profgen says the same, in its words.
#ifndef CONTPROF_SAMPLE_REPORT_H
#define CONTPROF_SAMPLE_REPORT_H

#include "../sample/converter.h"
#include "sample_options.h"

// What the reader of the recording at `input` has noted.
void contprof_report_notes(const char *input, const struct contprof_perf_notes *notes);

// What the address spaces of a recording tell of a binary, at the recording's end: that another
// build of it was recorded, or that it was never seen to be loaded.
void contprof_report_maps(const struct contprof_sample_options *options,
                          struct contprof_converter *converter,
                          const struct contprof_binary *binary, size_t index);

// What became of the samples, after contprof_converter_finish. Returns false, having said why, if
// there is no sample in any of the binaries, or one of which that can't be told.
bool contprof_report_samples(const struct contprof_sample_options *options,
                             const struct contprof_converter *converter);

// What the debug information of the binary at `path` lacks: parts of it, which is a warning, or all
// functions, which is an error.
bool contprof_report_debug_info(const struct contprof_binary *binary, const char *path,
                                struct contprof_error *error);

// What there is to say of the counts of one binary: that it has none, and of ranges that don't fit.
void contprof_report_binary(const struct contprof_sample_options *options,
                            struct contprof_converter *converter, size_t index);

#endif
