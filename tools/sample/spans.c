#include "spans.h"

const struct contprof_span *contprof_span_at(const struct contprof_span *spans, size_t count,
                                             uint64_t address, uint64_t *start, uint64_t *end) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (spans[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  *start = low ? spans[low - 1].end : 0;
  *end = low < count ? spans[low].start : UINT64_MAX;
  if (low == count || spans[low].start > address)
    return NULL;
  *start = spans[low].start;
  *end = spans[low].end;
  return &spans[low];
}
