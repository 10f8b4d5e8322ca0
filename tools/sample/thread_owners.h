// Which process a thread belongs to, as a recording's records have told: perf script prints a TID
// where it is not asked for PIDs. Not thread-safe.
#ifndef CONTPROF_SAMPLE_THREAD_OWNERS_H
#define CONTPROF_SAMPLE_THREAD_OWNERS_H

#include "pid_map.h"

// A zeroed struct knows no thread.
struct contprof_thread_owners {
  struct contprof_pid_map pids; // private: of each thread that of its process
};

// `tid` is a thread of `pid`, in place of what was known of it. Negative numbers are no thread.
void contprof_thread_owners_set(struct contprof_thread_owners *owners, int32_t tid, int32_t pid);

// The process of a thread; `tid` itself if nothing is known of it.
int32_t contprof_thread_owner(const struct contprof_thread_owners *owners, int32_t tid);

void contprof_thread_owners_free(struct contprof_thread_owners *owners);

#endif
