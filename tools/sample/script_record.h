// The records that perf script prints among samples: those of --show-mmap-events and
// --show-task-events, and of --show-lost-events.
#ifndef CONTPROF_SAMPLE_SCRIPT_RECORD_H
#define CONTPROF_SAMPLE_SCRIPT_RECORD_H

#include "../base/text_scan.h"
#include "perf_event.h"

struct contprof_script_record {
  struct contprof_perf_event event; // its path or name points to `path`
  bool is_event; // of a kind to be handed on; of the others, the ids below may be told. An EXIT is
                 // one of any thread.
  int32_t pid;   // PID and TID of the process that it is about; CONTPROF_NO_PID if not told
  int32_t tid;
  char path[4096]; // private: as the kernel's PATH_MAX
};

// Reads a record from "PERF_RECORD_" on. Returns false if it is damaged. Records of kinds that are
// of no use here are read as no event.
bool contprof_script_record_read(struct contprof_scan text, struct contprof_script_record *record);

#endif
