// Which process a thread belongs to, as a recording's records have told: perf script prints a TID
// where it is not asked for PIDs. Not thread-safe.
#ifndef CONTPROF_SAMPLE_THREAD_OWNERS_H
#define CONTPROF_SAMPLE_THREAD_OWNERS_H

#include <stddef.h>
#include <stdint.h>

// A zeroed struct knows no thread.
struct contprof_thread_owners {
  struct contprof_thread_owner *slots; // private: hash table; owned
  size_t slot_count;                   // private: a power of two, or 0
  size_t count;                        // private: threads known
};

// `tid` is a thread of `pid`, in place of what was known of it. Negative numbers are no thread.
void contprof_thread_owners_set(struct contprof_thread_owners *owners, int32_t tid, int32_t pid);

// The process of a thread; `tid` itself if nothing is known of it.
int32_t contprof_thread_owner(const struct contprof_thread_owners *owners, int32_t tid);

void contprof_thread_owners_free(struct contprof_thread_owners *owners);

#endif
