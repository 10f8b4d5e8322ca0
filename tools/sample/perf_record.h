// Makes an event of one record of perf.data.
// Source: linux/perf_event.h (enum perf_event_type), tools/perf/util/evsel.c (evsel__parse_sample).
#ifndef CONTPROF_SAMPLE_PERF_RECORD_H
#define CONTPROF_SAMPLE_PERF_RECORD_H

#include "perf_catalog.h"
#include "perf_format.h"
#include "perf_order.h"
#include "perf_tasks.h"

enum { CONTPROF_PERF_BRANCHES_MAX = PERF_RECORD_SIZE_MAX / 24 }; // that a record can hold

// Zeroed but for the catalog it is ready. Its owner frees `tasks`.
struct contprof_perf_parser {
  const struct contprof_perf_catalog *catalog;                 // not owned
  struct contprof_perf_tasks tasks;                            // private
  struct contprof_branch branches[CONTPROF_PERF_BRANCHES_MAX]; // private: of the last sample
};

// True if something becomes of records like this one: not of those that tell of threads' names, of
// maps of data, and of what else perf records.
bool contprof_perf_record_matters(const struct contprof_perf_raw *record);

// Finds whose fields a record has and when it was written (0 if it does not say): waiting->attr and
// waiting->time, of waiting->record. An attr of catalog->attr_count is that of an id which no event
// has. Returns false, with `error` set, if the record is too short, or if nobody can tell.
bool contprof_perf_record_identify(const struct contprof_perf_catalog *catalog,
                                   struct contprof_perf_waiting *waiting,
                                   struct contprof_error *error);

// Makes `event` of an identified record that matters. Records are to come in the order of their
// time. The event points into the record, the catalog and the parser, and holds until the next
// call.
// `*wanted` says whether there is one: not of a thread's start, nor of most threads' ends. Returns
// false, with `error` set, if the record is damaged.
bool contprof_perf_record_event(struct contprof_perf_parser *parser,
                                const struct contprof_perf_waiting *waiting,
                                struct contprof_perf_event *event, bool *wanted,
                                struct contprof_error *error);

#endif
