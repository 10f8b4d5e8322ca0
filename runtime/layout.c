#include "layout.h"

uint64_t contprof_padding(uint64_t value) {
  return (8 - value % 8) % 8;
}

uint64_t contprof_mapped_size(uint64_t size, uint64_t page) {
  return (size + page - 1) & ~(page - 1);
}

uint64_t contprof_place_above(uint64_t end, uint64_t size, uint64_t page, unsigned attempt) {
  uint64_t step = contprof_mapped_size(size + (UINT64_C(1) << 24), UINT64_C(1) << 21);
  return contprof_mapped_size(end + (step << attempt), page);
}

static uint64_t next_with_residue(uint64_t offset, uint64_t residue, uint64_t modulus) {
  return offset + ((residue - offset) & (modulus - 1));
}

void contprof_layout_compute(const struct contprof_sizes *sizes, uint64_t residue, uint64_t modulus,
                             struct contprof_layout *layout) {
  layout->binary_ids = sizes->header;
  layout->data = layout->binary_ids + sizes->binary_ids;
  layout->owner = layout->data + sizes->data;
  layout->counters = next_with_residue(layout->owner + sizes->owner, residue, modulus);
  layout->padding_before_counters = layout->counters - layout->owner;
  uint64_t end = layout->counters + sizes->counters;
  layout->padding_after_counters = contprof_padding(end);
  layout->bitmap = end + layout->padding_after_counters;
  layout->padding_after_bitmap = contprof_padding(sizes->bitmap);
  layout->names = layout->bitmap + sizes->bitmap + layout->padding_after_bitmap;
  layout->vtables = layout->names + sizes->names + contprof_padding(sizes->names);
  layout->vtable_names = layout->vtables + sizes->vtables + contprof_padding(sizes->vtables);
  layout->values =
      layout->vtable_names + sizes->vtable_names + contprof_padding(sizes->vtable_names);
  layout->total = layout->values + sizes->values;
}
