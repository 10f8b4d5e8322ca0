// A table by PID, or by TID: one small value each. Any 32-bit number is a key, negative ones too. A
// recording can't make its PIDs collide, since where they stand in the table depends on where the
// table stands in memory. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PID_MAP_H
#define CONTPROF_SAMPLE_PID_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is kept for a PID; a table's owner uses one of the two.
union contprof_pid_value {
  uint64_t number;
  void *pointer; // not owned by the table
};

struct contprof_pid_slot;

// A zeroed struct is empty and usable.
struct contprof_pid_map {
  struct contprof_pid_slot *slots; // private: open addressing, a power of two of them; owned
  size_t room;                     // private
  size_t count;                    // PIDs that have a value
};

void contprof_pid_map_free(struct contprof_pid_map *map);

// The value of a PID, or NULL if it has none. Holds until the next call that may change the table.
union contprof_pid_value *contprof_pid_map_find(const struct contprof_pid_map *map, int32_t pid);

// The same; a PID without a value gets one of zeros.
union contprof_pid_value *contprof_pid_map_need(struct contprof_pid_map *map, int32_t pid);

// Forgets a PID, if it has a value.
void contprof_pid_map_remove(struct contprof_pid_map *map, int32_t pid);

#endif
