// From a recording to the counts of each wanted binary: gives each event to the address spaces, and
// each sample's branches or IP to the binaries they stand in. What is counted is what llvm-profgen
// counts (PerfReader.cpp: extractLBRStack, computeCounterFromLBR, warnInvalidRange), but process by
// process. Not thread-safe.
#ifndef CONTPROF_SAMPLE_CONVERTER_H
#define CONTPROF_SAMPLE_CONVERTER_H

#include "attribution.h"
#include "binary.h"
#include "sample_counts.h"

// Tells of a range that was seen and does not fit the binary: first and last address as
// contprof_sample_counts has them, and why.
typedef void contprof_bad_range(void *context, uint64_t from, uint64_t to, const char *why);

struct contprof_convert_options {
  const int32_t *pids;           // --pid: these processes alone; not owned
  size_t pid_count;              // 0: all
  const char *const *events;     // --perf-event: these events alone; not owned
  size_t event_count;            // 0: all
  bool ip_only;                  // count samples' IPs, whether or not there are branch stacks
  uint64_t sample_period;        // --sample-period; 0: not given
  bool alike;                    // of IPs each sample counts once, whatever its period
  uint64_t threads;              // more than 1: counting gets one of its own
  contprof_bad_range *bad_range; // called by contprof_converter_finish; or NULL
  void *context;                 // for bad_range
};

// Ranges between two branches (with their counts) that don't fit the binary, as llvm-profgen warns
// of them; one may be in several.
struct contprof_range_checks {
  uint64_t total;            // ranges, those that end outside of the binary among them
  uint64_t not_boundary;     // don't start at an instruction, or don't end at a branch
  uint64_t no_function;      // start in no function
  uint64_t crosses_function; // end in another function
  uint64_t bogus;            // start behind their end, or run over an unconditional branch
};

enum { CONTPROF_EVENTS_NOTED = 64 };

struct contprof_event_note {
  char name[96]; // or its beginning, NUL-terminated
  uint64_t samples;
};

struct contprof_event_notes;
struct contprof_seen_files;
struct contprof_converter;

// `binaries` (count of them) and `options` are not owned and must outlive the result.
struct contprof_converter *contprof_converter_new(struct contprof_binary *const *binaries,
                                                  size_t count,
                                                  const struct contprof_convert_options *options);
void contprof_converter_free(struct contprof_converter *converter);

// A contprof_perf_take; `converter` is the converter.
bool contprof_converter_take(void *converter, const struct contprof_perf_event *event,
                             struct contprof_error *error);

// What is given from now on is of another recording: other processes, another time. Counts go on.
void contprof_converter_next(struct contprof_converter *converter);

// To be called when all events have been given; what follows is for afterwards. If no sample had a
// branch stack, IPs are what is counted, each by its period (by --sample-period, if given; once, if
// `alike`).
void contprof_converter_finish(struct contprof_converter *converter);

// IPs were counted, not branch stacks; each by its period; and whether any sample told its PID.
bool contprof_converter_ip_only(const struct contprof_converter *converter);
bool contprof_converter_by_period(const struct contprof_converter *converter);
bool contprof_converter_saw_pids(const struct contprof_converter *converter);

// Of binary `index`, and of all. Theirs is the converter.
struct contprof_sample_counts *contprof_converter_counts(struct contprof_converter *converter,
                                                         size_t index);
const struct contprof_range_checks *
contprof_converter_checks(const struct contprof_converter *converter, size_t index);
const struct contprof_attribution *
contprof_converter_attribution(const struct contprof_converter *converter);

// Of each recording by itself; as many as contprof_converter_next has been called, and one.
const struct contprof_attribution *
contprof_converter_recordings(const struct contprof_converter *converter, size_t *count);

// The events that samples are of, wanted or not (sample_filter.h), and the files that samples were
// in which are in none of the binaries (seen_files.h).
const struct contprof_event_notes *
contprof_converter_events(const struct contprof_converter *converter);
const struct contprof_seen_files *
contprof_converter_others(const struct contprof_converter *converter);

// Of the recording at hand; holds until the next one.
struct contprof_spaces *contprof_converter_spaces(struct contprof_converter *converter);

#endif
