// Temporal profiles (-pgo-temporal-instrumentation of LLVM 17 and later): the first 8 bytes of each
// function's counters are no count but a number that says when the function first ran, from 1 in
// the order of first runs; 0, or all ones, while it has not. Such numbers are not added.
#ifndef CONTPROF_RUNTIME_TIMESTAMPS_H
#define CONTPROF_RUNTIME_TIMESTAMPS_H

#include "image.h"

// False where the data records are not in memory, so that nobody knows where the numbers are.
bool contprof_is_temporal(const struct contprof_image *image);

// The next function that runs for the first time comes after all those in `counters`, laid out as
// the module's own.
void contprof_timestamps_go_on(const struct contprof_image *image, const char *counters);

// The next one is the first again.
void contprof_timestamps_restart(void);

// For each function of a temporal image: the earlier of the two numbers goes to `to`, and `rest` is
// called for the counters that follow (`size` bytes). If `take`, `from` is left with no number.
void contprof_timestamps_each(const struct contprof_image *image, char *to, char *from, bool take,
                              void (*rest)(char *to, char *from, uint64_t size));

#endif
