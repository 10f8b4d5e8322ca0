// A recorded event's description (struct perf_event_attr), in file byte order or the other one, and
// what follows from it: where a record's identity stands, and the event's name where none is
// recorded. Source: linux/perf_event.h, tools/perf/util/evsel.c.
#ifndef CONTPROF_SAMPLE_PERF_ATTR_H
#define CONTPROF_SAMPLE_PERF_ATTR_H

#include "../base/cursor.h"

// No id, or no time, stands in the records.
#define CONTPROF_PERF_NOWHERE UINT32_MAX

struct contprof_perf_attr {
  uint32_t type;               // PERF_TYPE_*
  uint64_t config;             // which event of that type
  uint64_t period;             // fixed period; 0 if the kernel chooses it
  uint64_t sample_type;        // PERF_SAMPLE_*: fields of the records
  uint64_t read_format;        // PERF_FORMAT_*
  uint64_t flags;              // bit-fields, as a little-endian machine has them
  uint64_t branch_sample_type; // PERF_SAMPLE_BRANCH_*
  const char *name;            // NUL-terminated, or NULL; owned by who holds the attr

  // Derived. Bytes from a sample's header, and, back from the end, of other records.
  uint32_t sample_id;    // or CONTPROF_PERF_NOWHERE
  uint32_t sample_time;  // or CONTPROF_PERF_NOWHERE
  uint32_t trailer_id;   // 0: none
  uint32_t trailer_time; // 0: none
  uint32_t trailer_pid;  // 0: none
  uint32_t trailer_size; // bytes of the whole trailer
};

// Takes an attr from `cursor`, which holds it alone, and more bytes than its own size says if need
// be: younger attrs have more fields, older ones fewer, which are zeros then. Returns the attr's
// own size in bytes (64 where it says 0), or 0 with the cursor's error set.
uint32_t contprof_perf_attr_take(struct contprof_cursor *cursor, struct contprof_perf_attr *attr);

// True if the flag of that number (PERF_ATTR_*) is set.
static inline bool contprof_perf_attr_has(const struct contprof_perf_attr *attr, unsigned flag) {
  return attr->flags >> flag & 1;
}

enum { CONTPROF_PERF_NAME_ROOM = 96 }; // bytes that a derived name takes at most

// The name that perf gives an event which has none recorded ("cycles:u"), NUL-terminated.
void contprof_perf_attr_derive_name(const struct contprof_perf_attr *attr,
                                    char name[CONTPROF_PERF_NAME_ROOM]);

#endif
