// From a recording to the counts of each wanted binary: gives each event to the address spaces, and
// each sample's branches or IP to the binaries they stand in. What is counted is what llvm-profgen
// counts (PerfReader.cpp: extractLBRStack, computeCounterFromLBR, warnInvalidRange), but process by
// process. Not thread-safe.
#ifndef CONTPROF_SAMPLE_CONVERTER_H
#define CONTPROF_SAMPLE_CONVERTER_H

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

// Samples (with their counts) by what became of them. Of a branch stack, all branches are looked
// at: it is AMBIGUOUS if one of them is, HERE if one begins or ends in a wanted binary, else its
// newest branch's target decides. Of an IP sample, the IP.
struct contprof_attribution {
  uint64_t samples; // the sum of those below but `lost`
  uint64_t by_where[CONTPROF_WHERES];
  uint64_t no_code;     // in a wanted binary, but nowhere at an instruction of it
  uint64_t other_pid;   // left out by --pid
  uint64_t other_event; // left out by --perf-event
  uint64_t no_branches; // had no branch stack where others have one; IP-only: had no IP
  uint64_t doubtful;    // with a callchain that begins where a frame is made or left
  uint64_t lost;        // records lost by the kernel or perf
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

// What events names tell about the --perf-event filter.
struct contprof_event_names {
  bool named;   // a sample had an event's name
  bool several; // with different ones
  bool unnamed; // a sample had none
};

struct contprof_converter;

// `binaries` (count of them) and `options` are not owned and must outlive the result.
struct contprof_converter *contprof_converter_new(struct contprof_binary *const *binaries,
                                                  size_t count,
                                                  const struct contprof_convert_options *options);
void contprof_converter_free(struct contprof_converter *converter);

// A contprof_perf_take; `converter` is the converter.
bool contprof_converter_take(void *converter, const struct contprof_perf_event *event,
                             struct contprof_error *error);

// To be called when all events have been given; what follows is for afterwards. If no sample had a
// branch stack, IPs are what is counted, each by its period (by --sample-period, if given; once, if
// `alike`).
void contprof_converter_finish(struct contprof_converter *converter);

// IPs were counted, not branch stacks; and whether the recording had any branch stack.
bool contprof_converter_ip_only(const struct contprof_converter *converter);
bool contprof_converter_saw_branches(const struct contprof_converter *converter);

// Of binary `index`, and of all. Theirs is the converter.
struct contprof_sample_counts *contprof_converter_counts(struct contprof_converter *converter,
                                                         size_t index);
const struct contprof_range_checks *
contprof_converter_checks(const struct contprof_converter *converter, size_t index);
const struct contprof_attribution *
contprof_converter_attribution(const struct contprof_converter *converter);
struct contprof_event_names contprof_converter_events(const struct contprof_converter *converter);
struct contprof_spaces *contprof_converter_spaces(struct contprof_converter *converter);

#endif
