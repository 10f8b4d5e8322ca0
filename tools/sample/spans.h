// Spans of addresses, each with what holds there: sorted, and apart.
#ifndef CONTPROF_SAMPLE_SPANS_H
#define CONTPROF_SAMPLE_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct contprof_span {
  uint64_t start;
  uint64_t end; // not in it
  uint64_t of;  // what holds there, as its owner numbers things
};

// The span of spans[0..count) that holds the address, or NULL. Sets the range around the address in
// which the answer is the same: [*start, *end).
const struct contprof_span *contprof_span_at(const struct contprof_span *spans, size_t count,
                                             uint64_t address, uint64_t *start, uint64_t *end);

#endif
