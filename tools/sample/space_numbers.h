// Numbers for the address spaces of processes: another one after each change, so that what was
// found out about a space is looked up by its number and never out of date. Not thread-safe.
#ifndef CONTPROF_SAMPLE_SPACE_NUMBERS_H
#define CONTPROF_SAMPLE_SPACE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct contprof_space_slot;

// A zeroed struct is empty.
struct contprof_space_numbers {
  struct contprof_space_slot *slots; // private; owned
  size_t slot_count;                 // private: a power of two, or 0
  size_t count;                      // processes known
  uint64_t last;                     // the number given last; the first one is 1
};

// The number of `pid`'s space as it is now.
uint64_t contprof_space_number(struct contprof_space_numbers *numbers, int32_t pid);

// The space of `pid` has changed.
void contprof_space_changed(struct contprof_space_numbers *numbers, int32_t pid);

void contprof_space_numbers_free(struct contprof_space_numbers *numbers);

#endif
