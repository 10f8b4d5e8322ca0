// Where each part of a raw profile stands in its file. Pure arithmetic: offsets and sizes in bytes,
// no system calls, no global state.
//
// Order, as the format has it: header, binary ids, data, padding (the owner record first),
// counters, padding, bitmap, padding, names, padding, vtables, padding, vtable names, padding,
// value data.
#ifndef CONTPROF_RUNTIME_LAYOUT_H
#define CONTPROF_RUNTIME_LAYOUT_H

#include <stdint.h>

// What goes in; all in bytes.
struct contprof_sizes {
  uint64_t header;     // raw header
  uint64_t binary_ids; // length words, ids and their padding; a multiple of 8
  uint64_t data;       // data records; a multiple of 8
  uint64_t owner;      // owner record; a multiple of 8
  uint64_t counters;
  uint64_t bitmap;
  uint64_t names;
  uint64_t vtables;
  uint64_t vtable_names;
  uint64_t values; // value data; a multiple of 8
};

// What comes out. Offsets count from the start of the file.
struct contprof_layout {
  uint64_t binary_ids;              // offset
  uint64_t data;                    // offset
  uint64_t owner;                   // offset
  uint64_t counters;                // offset
  uint64_t bitmap;                  // offset
  uint64_t names;                   // offset
  uint64_t vtables;                 // offset
  uint64_t vtable_names;            // offset
  uint64_t values;                  // offset
  uint64_t total;                   // size of the file
  uint64_t padding_before_counters; // bytes, the owner record counted in
  uint64_t padding_after_counters;  // bytes
  uint64_t padding_after_bitmap;    // bytes
};

// The cache line that the counters' alignment is kept for.
#define CONTPROF_COUNTER_ALIGNMENT 64

// Lays the file out so that its counters stand at an offset equal to `residue` modulo `modulus` (a
// power of two, at least CONTPROF_COUNTER_ALIGNMENT): a file mapped at a page boundary then keeps
// the static counters' alignment.
void contprof_layout_compute(const struct contprof_sizes *sizes, uint64_t residue, uint64_t modulus,
                             struct contprof_layout *layout);

// The size of a mapping of `size` bytes: whole pages of `page` bytes, a power of two.
uint64_t contprof_mapped_size(uint64_t size, uint64_t page);

// Where to look for room for a mapping of `size` bytes above the address `end`: the `attempt`th
// place, from 0, a page boundary some 16 MiB farther for the first, and each about twice as far
// away as the one before.
uint64_t contprof_place_above(uint64_t end, uint64_t size, uint64_t page, unsigned attempt);

// Bytes from `value` up to the next multiple of 8.
uint64_t contprof_padding(uint64_t value);

// Bytes of one kind's part of a function's value data before its (value, count) pairs: kind, number
// of sites, one count byte for each site, padding.
static inline uint64_t contprof_value_kind_header(uint32_t sites) {
  return ((uint64_t)sites + 15) & ~UINT64_C(7);
}

#endif
