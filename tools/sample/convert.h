// From a recording to sample profiles: gives each event to the address spaces, each sample's
// branches and IP to the counts of the binary they stand in, and makes a profile of each binary's
// counts. The counting is llvm-profgen's (tools/llvm-profgen: PerfReader.cpp,
// ProfileGenerator.cpp), process by process.
#ifndef CONTPROF_SAMPLE_CONVERT_H
#define CONTPROF_SAMPLE_CONVERT_H

#include "binary.h"
#include "sample_counts.h"
#include "sample_profile.h"

struct contprof_convert_options {
  const int32_t *pids;       // --pid: these processes alone; not owned
  size_t pid_count;          // 0: all
  const char *const *events; // --perf-event: these events alone; not owned
  size_t event_count;        // 0: all
  bool ip_only;              // count sample IPs in place of branch stacks (--leading-ip-only)
  bool weigh_by_period;      // an IP counts its period, not 1
  uint64_t sample_period;    // --sample-period; 0: not given
};

// Samples (with their counts) by what became of them: of a branch stack, the newest branch that
// could be placed decides; of an IP sample, the IP.
struct contprof_attribution {
  uint64_t samples;
  uint64_t by_where[CONTPROF_WHERES];
  uint64_t other_pid;   // left out by --pid
  uint64_t other_event; // left out by --perf-event
  uint64_t no_branches; // had no branch stack where one is wanted
  uint64_t lost;        // records lost by the kernel or perf
};

struct contprof_converter;

// `binaries` (count of them) and `options` are not owned and must outlive the result.
struct contprof_converter *contprof_converter_new(struct contprof_binary *const *binaries,
                                                  size_t count,
                                                  const struct contprof_convert_options *options);
void contprof_converter_free(struct contprof_converter *converter);

// A contprof_perf_take; context is the converter.
bool contprof_converter_take(void *converter, const struct contprof_perf_event *event,
                             struct contprof_error *error);

// The counts of binary `index`, and what became of the samples. Theirs is the converter.
struct contprof_sample_counts *contprof_converter_counts(struct contprof_converter *converter,
                                                         size_t index);
const struct contprof_attribution *
contprof_converter_attribution(const struct contprof_converter *converter);
struct contprof_spaces *contprof_converter_spaces(struct contprof_converter *converter);

// Symbolises `counts` into `profile` (empty before): ProfileGenerator's line-number based way.
void contprof_profile_from_counts(struct contprof_binary *binary,
                                  const struct contprof_sample_counts *counts,
                                  const struct contprof_convert_options *options,
                                  struct contprof_sample_profile *profile);

#endif
