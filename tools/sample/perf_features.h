// Features of a recording: optional parts that tell of the events, the files and the machine. Those
// that matter here are noted in the catalog, others passed over.
// Source: tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c (process_*).
#ifndef CONTPROF_SAMPLE_PERF_FEATURES_H
#define CONTPROF_SAMPLE_PERF_FEATURES_H

#include "perf_catalog.h"

// Takes the contents of a feature (PERF_FEATURE_*), which `body` holds. Failure is the cursor's.
void contprof_perf_feature_take(struct contprof_perf_catalog *catalog, uint64_t feature,
                                struct contprof_cursor *body);

#endif
