// What a recording holds, whatever file it came from: the waist between the readers of perf's
// formats (perf_data.c, perf_script.c) and all that uses samples. Addresses are those of the
// recorded process, times are the recording's clock in nanoseconds. Events come one by one, in the
// order of time that the reader has established, and are valid during the call that hands them out.
// Source: the perf ABI (linux/perf_event.h, tools/perf/Documentation/perf.data-file-format.txt).
#ifndef CONTPROF_SAMPLE_PERF_EVENT_H
#define CONTPROF_SAMPLE_PERF_EVENT_H

#include "../base/error.h"

#include <stddef.h>

enum contprof_perf_kind {
  CONTPROF_PERF_SAMPLE,
  CONTPROF_PERF_MMAP, // MMAP or MMAP2 of executable memory; of data it is left out
  CONTPROF_PERF_FORK, // of a process; those of threads are left out
  CONTPROF_PERF_COMM, // a process's name, without a new address space
  CONTPROF_PERF_EXEC, // COMM with the exec bit: the process has a new address space
  CONTPROF_PERF_EXIT, // of a process's last thread, or of its main thread (pid == tid)
  CONTPROF_PERF_LOST, // `count` records were lost
};

// A PID that the input does not tell.
#define CONTPROF_NO_PID (-1)

// One taken branch.
struct contprof_branch {
  uint64_t from; // address of the branch instruction
  uint64_t to;   // address it went to
};

enum { CONTPROF_BUILD_ID_MAX = 20 }; // bytes, as perf has them

struct contprof_perf_sample {
  uint64_t ip; // where the process was; 0 if the input does not tell
  bool has_ip;
  bool has_callchain; // perf script: it was recorded with a callchain, which is passed over: `ip`
                      // is its leaf, not has_ip if it was empty. llvm-profgen leaves such a
                      // sample's branches out where the leaf is in a prologue or epilogue.
  const char *file;   // perf script: of a callchain's leaf, the file that is named beside it: some
                      // perfs print the offset in that file as `ip`; or NULL
  uint64_t period;    // events that the sample stands for; 1 if not told
  const char *event;  // the event's name ("cycles:u"), or NULL; holds until the reading has ended
  const struct contprof_branch *branches; // newest first; not owned
  size_t branch_count;
};

struct contprof_perf_mmap {
  uint64_t start;       // first address
  uint64_t size;        // bytes
  uint64_t file_offset; // of `start` in the file
  const char *path;     // as recorded, NUL-terminated; not owned
  uint8_t build_id[CONTPROF_BUILD_ID_MAX];
  uint8_t build_id_size; // bytes; 0 if the record has none
  bool of_several;       // `build_id` is that of one of several files of this path
};

struct contprof_perf_event {
  enum contprof_perf_kind kind;
  int32_t
      pid; // the process; CONTPROF_NO_PID if the input does not tell; -1 of the kernel's maps, too
  int32_t parent;   // FORK: the process it was copied from
  bool kernel;      // MMAP: of the kernel; SAMPLE: taken in the kernel
  bool synthesised; // FORK: by perf, for a process that ran before the recording: copy nothing
  uint64_t time;    // 0 if not told
  bool aggregated;  // SAMPLE: its count stood in front of it
  uint64_t count;   // SAMPLE: how many equal samples this stands for (1, or an aggregated input's
                    // count); LOST: records
  const char *comm; // COMM, EXEC: the process's name, NUL-terminated; NULL if not told; not owned
  struct contprof_perf_sample sample; // SAMPLE alone
  struct contprof_perf_mmap mmap;     // MMAP alone
};

// Takes an event. Returns false, with `error` set, to end the reading.
typedef bool contprof_perf_take(void *context, const struct contprof_perf_event *event,
                                struct contprof_error *error);

// What a reader has to tell besides events.
struct contprof_perf_notes {
  uint64_t records;         // read, of any kind
  uint64_t skipped_records; // of kinds that are not known
  uint64_t lost;            // records that the kernel or perf could not keep
  uint64_t out_of_order;    // records that were older than what a flush had already handed out
  uint64_t bad_lines;       // perf script: lines that are neither event nor sample, or damaged
  uint64_t bad_line;        // the first of them: its number, from 1; 0 if there is none
  char bad_text[80];        // and how it begins, NUL-terminated
  uint64_t unknown_events;  // perf.data: samples of events that it does not describe, left out
  uint64_t rest;            // perf.data: bytes behind its last part, which were not read
  uint64_t rest_offset;     // where they begin
  bool unfinished;          // perf.data: perf record was killed; all that it had written was read
};

#endif
