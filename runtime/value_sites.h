// Value profiling in place. Each value site has a fixed number of (value, count) slots inside the
// image's value data, laid out as the format has it with the number of slots in the site's count
// byte, so that a reader sees a valid profile at every moment; an update is an addition in shared
// memory.
//
// Sizes of memory operations: a slot for each of the ranges that the format knows, holding distinct
// sizes that stand for no range until they are taken, since readers refuse a site that has one
// twice. Call targets and vtables: as many slots as the driver's -fprofile-continuous-value-slots
// said, all zeros (which readers take for an unknown function, called 0 times) until they are
// taken; see value_slots.h. A target outside the module, which readers know nothing of, counts by
// its address within a page.
//
// The ranks that value_slots.h keeps stand behind each function's value data, inside its size:
// readers skip them.
#ifndef CONTPROF_RUNTIME_VALUE_SITES_H
#define CONTPROF_RUNTIME_VALUE_SITES_H

#include "image.h"

struct contprof_writer;

// Decides the image's slots and values_size.
void contprof_values_plan(struct contprof_image *image);

// The same without any slot: value sites of which nothing is recorded.
void contprof_values_plan_none(struct contprof_image *image);

// Bytes of the value data of the last function that has some, which ends the image; 0 if none has.
uint64_t contprof_values_last(const struct contprof_image *image);

// Appends the value data of all functions, every slot unused.
void contprof_values_write(const struct contprof_image *image, struct contprof_writer *writer);

// Lets the functions' data records point at their value data in `values` (image->values_size bytes,
// writable, which stay at this address), so that a site's slots are found in constant time.
void contprof_values_attach(const struct contprof_image *image, char *values);
// From now on values that arrive have no place and are not counted.
void contprof_values_detach(void);

// Sets all counts in `values` to 0.
void contprof_values_reset(const struct contprof_image *image, char *values);

// Gives the values that have slots in `from` the same ones in `values`, all of whose slots are
// free; both laid out by this image. See contprof_slots_take_over.
void contprof_values_take_over(const struct contprof_image *image, char *values, const char *from);

// Adds what the slots in `from` counted to those in `values`; both laid out by this image.
void contprof_values_add(const struct contprof_image *image, char *values, const char *from);

#endif
