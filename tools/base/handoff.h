// Work in two threads with one result: a producer makes items in an order, and a consumer takes
// them in the same order, by blocks, in a thread of its own or, without one, in the producer's. So
// what comes of them does not depend on threads. At most a few blocks wait: the producer then does.
#ifndef CONTPROF_BASE_HANDOFF_H
#define CONTPROF_BASE_HANDOFF_H

#include <stdbool.h>
#include <stddef.h>

// Takes `count` items, which hold during the call.
typedef void contprof_handoff_take(void *context, const void *items, size_t count);

struct contprof_handoff;

// For items of `size` bytes, `count` to a block. Threaded: `take` is called in another thread (in
// the caller's, if none can be started), so that between items `context` is the consumer's alone.
// End it with contprof_handoff_end.
struct contprof_handoff *contprof_handoff_new(size_t size, size_t count, bool threaded,
                                              contprof_handoff_take *take, void *context);

// Where the next item is to be put, before the next call; aligned for any type if the size is.
void *contprof_handoff_next(struct contprof_handoff *handoff);

// Waits until all items are taken, and frees. NULL is nothing.
void contprof_handoff_end(struct contprof_handoff *handoff);

#endif
