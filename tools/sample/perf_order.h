// Puts records in the order of their time. A recording has them buffer after buffer, one per
// processor, and marks where it has been round all buffers (FINISHED_ROUND). What the round before
// the last one had seen is complete at such a mark, so all up to its greatest time is handed out
// (tools/perf/util/ordered-events.c, process_finished_round). Equal times stay in the file's order.
//
// Memory is bounded: by what the last rounds hold; and, where marks are far apart or missing, by
// `window` bytes of records, of which the older half is handed out when they are full. A record
// that comes with an earlier time than one that was handed out is late: it is counted, and comes
// next. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_ORDER_H
#define CONTPROF_SAMPLE_PERF_ORDER_H

#include "perf_stream.h"

#define CONTPROF_PERF_WINDOW (UINT64_C(64) << 20) // bytes

struct contprof_perf_waiting {
  uint64_t time;
  struct contprof_perf_raw record;
  uint32_t attr; // whose fields it has
};

// Takes a record whose turn has come. Returns false, with `error` set, to end the reading.
typedef bool contprof_perf_hand_out(void *context, const struct contprof_perf_waiting *waiting,
                                    struct contprof_error *error);

struct contprof_perf_order {
  struct contprof_perf_blocks *blocks; // of all records
  contprof_perf_hand_out *hand_out;
  void *context;         // its first argument
  uint64_t window;       // bytes of records, and of what is known of them, that may wait
  uint64_t out_of_order; // late records

  struct contprof_perf_waiting *waiting; // private; owned
  struct contprof_perf_waiting *spare;   // private: room to merge to; owned
  size_t count;                          // private: of `waiting`
  size_t room;                           // private: of both
  uint64_t bytes;                        // private: what waits, as `window` counts it
  uint64_t newest;                       // private: greatest time so far
  uint64_t complete;                     // private: greatest time at the last mark
  uint64_t handed_out;                   // private: greatest time handed out
};

// Lets go of what waits, and frees the memory.
void contprof_perf_order_free(struct contprof_perf_order *order);

// A record waits; others may be handed out.
bool contprof_perf_order_add(struct contprof_perf_order *order,
                             const struct contprof_perf_waiting *waiting,
                             struct contprof_error *error);

// A FINISHED_ROUND mark.
bool contprof_perf_order_round(struct contprof_perf_order *order, struct contprof_error *error);

// Hands out all.
bool contprof_perf_order_finish(struct contprof_perf_order *order, struct contprof_error *error);

#endif
