// Value profiling in place. Each value site has a fixed number of (value, count) slots inside the
// image's value data, laid out as the format has it, so that a reader sees a valid profile at every
// moment; an update is a store in shared memory.
//
// A slot at count 0 is free. The values of one site's slots are distinct always: unused slots hold
// the image's presets, and a slot's value changes only under a short try-lock. A value that finds
// no free slot takes one count off the coldest slot and takes that slot over when its count is 0
// (the policy of LLVM's own runtime): hot values stay, and a value with more than half of all
// counts wins. A thread never waits: a new value that meets a taken lock a few times in a row is
// not counted.
#ifndef CONTPROF_RUNTIME_VALUE_SITES_H
#define CONTPROF_RUNTIME_VALUE_SITES_H

#include "image.h"

struct contprof_writer;

// Decides the image's slots, presets and values_size.
void contprof_values_plan(struct contprof_image *image);

// Appends the value data of all functions, every slot unused.
void contprof_values_write(const struct contprof_image *image, struct contprof_writer *writer);

// Lets the functions' data records point at their value data in `values` (image->values_size bytes,
// writable, which stay at this address), so that a site's slots are found in constant time.
void contprof_values_attach(const struct contprof_image *image, char *values);
// From now on values that arrive have no place and are not counted.
void contprof_values_detach(void);

// Sets all slots in `values` to unused.
void contprof_values_reset(const struct contprof_image *image, char *values);

// Adds what the slots in `from` counted to those in `values`; both laid out by this image.
void contprof_values_add(const struct contprof_image *image, char *values, const char *from);

// Frees the lock in a forked child, where its holder does not exist.
void contprof_values_after_fork(void);

#endif
