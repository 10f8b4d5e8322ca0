// What became of the samples of recordings: how many count, and how many do not for which reason.
// Not thread-safe.
#ifndef CONTPROF_SAMPLE_ATTRIBUTION_H
#define CONTPROF_SAMPLE_ATTRIBUTION_H

#include "address_space.h"

// Samples (with their counts) by what became of them. Of a branch stack, all branches are looked
// at: it is AMBIGUOUS if one of them is, HERE if one begins or ends in a wanted binary, else its
// newest branch's target decides. Of an IP sample, the IP.
struct contprof_attribution {
  uint64_t samples; // the sum of those below but `lost`
  uint64_t by_where[CONTPROF_WHERES];
  uint64_t as_offsets;  // of those HERE: placed by a file and the offset in it
  uint64_t no_code;     // in a wanted binary, but nowhere at an instruction of it
  uint64_t other_pid;   // left out by --pid
  uint64_t other_event; // left out by --perf-event
  uint64_t no_branches; // had no branch stack where others have one; IP-only: had no IP
  uint64_t doubtful;    // with a callchain that begins where a frame is made or left
  uint64_t lost;        // records lost by the kernel or perf
};

// By either way of counting: which of them holds is known at the end.
struct contprof_attributed {
  struct contprof_attribution common; // what holds for stacks and IPs
  struct contprof_attribution stacks;
  struct contprof_attribution ips;
};

// A zeroed struct is the beginning of the first recording.
struct contprof_recordings {
  struct contprof_attributed now;      // of the recording at hand; the caller counts in it
  struct contprof_attributed *ended;   // private: count of them; owned
  struct contprof_attribution *chosen; // at the end, count of them: what holds; owned
  size_t count;
  struct contprof_attribution sum; // at the end: of all
};

void contprof_recordings_free(struct contprof_recordings *recordings);

// The recording at hand has ended, another one begins.
void contprof_recording_ended(struct contprof_recordings *recordings);

// It was the last one. `ip_only`: what was counted are IPs.
void contprof_recordings_ended(struct contprof_recordings *recordings, bool ip_only);

#endif
