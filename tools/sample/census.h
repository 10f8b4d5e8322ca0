// What is in a recording, without any binary: its events, processes and files, and how many samples
// are of each. Not thread-safe.
#ifndef CONTPROF_SAMPLE_CENSUS_H
#define CONTPROF_SAMPLE_CENSUS_H

#include "pid_map.h"
#include "sample_filter.h"
#include "seen_files.h"

// A process by one of its names.
struct contprof_census_process {
  int32_t pid;   // CONTPROF_NO_PID: samples that do not tell it
  char name[32]; // as the kernel has it, or its beginning; "" if not told
  uint64_t samples;
};

struct contprof_census {
  const struct contprof_convert_options *options; // whose `pids` and `events` count; not owned
  struct contprof_spaces *spaces;                 // owned
  struct contprof_seen_files files;
  struct contprof_event_notes events;
  struct contprof_census_process *processes; // process_count of them; owned
  size_t process_count;
  size_t process_room;             // private
  struct contprof_pid_map current; // private: of each PID the process that it is now, and one
  uint64_t samples;                // that are wanted
  uint64_t branch_stacks;          // of these: with branches
  uint64_t lost;                   // records
  uint64_t in_kernel;
  uint64_t nowhere; // in no known map, or without an address
};

void contprof_census_begin(struct contprof_census *census,
                           const struct contprof_convert_options *options);
void contprof_census_free(struct contprof_census *census);

// A contprof_perf_take; `census` is one.
bool contprof_census_take(void *census, const struct contprof_perf_event *event,
                          struct contprof_error *error);

// The processes with samples, most of them first; then by PID. Returns how many there are; their
// order is changed.
size_t contprof_census_sort(struct contprof_census *census);

#endif
