// The rules that a raw profile's layout obeys, over all combinations of small sizes.
#include <criterion/criterion.h>

#include "runtime/layout.h"

static struct contprof_sizes some_sizes(unsigned seed) {
  static const uint64_t odd[] = {0, 1, 7, 8, 9, 4096};
  return (struct contprof_sizes){.header = 128,
                                 .binary_ids = seed % 2 ? 32 : 0,
                                 .data = 64 * (1 + seed % 3),
                                 .owner = 64,
                                 .counters = 1 + odd[seed % 6],
                                 .bitmap = odd[seed / 6 % 6],
                                 .names = odd[seed / 36 % 6],
                                 .vtables = 24 * (seed % 2),
                                 .vtable_names = odd[seed / 216 % 6],
                                 .values = 8 * (seed % 5)};
}

enum { SEEDS = 6 * 6 * 6 * 6 };

static struct contprof_layout laid_out(const struct contprof_sizes *sizes, uint64_t residue,
                                       uint64_t modulus) {
  struct contprof_layout layout;
  contprof_layout_compute(sizes, residue, modulus, &layout);
  return layout;
}

Test(layout, padding_reaches_the_next_multiple_of_8) {
  for (uint64_t value = 0; value < 100; value++) {
    cr_assert((value + contprof_padding(value)) % 8 == 0);
    cr_assert(contprof_padding(value) < 8);
  }
}

Test(layout, value_kind_header_has_a_byte_for_each_site) {
  for (uint32_t sites = 1; sites < 100; sites++) {
    uint64_t size = contprof_value_kind_header(sites);
    cr_assert(size % 8 == 0 && size >= 8 + sites && size < 8 + sites + 8);
  }
  cr_assert_eq(contprof_value_kind_header(UINT32_MAX), UINT64_C(0x100000008));
}

Test(layout, every_part_is_aligned_to_8) {
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    struct contprof_sizes sizes = some_sizes(seed);
    struct contprof_layout layout = laid_out(&sizes, 0, CONTPROF_COUNTER_ALIGNMENT);
    cr_assert((layout.data | layout.owner | layout.bitmap | layout.names) % 8 == 0);
    cr_assert((layout.vtables | layout.vtable_names | layout.values | layout.total) % 8 == 0);
  }
}

// What a reader computes from the header's fields is where the parts are.
Test(layout, a_readers_arithmetic_finds_the_parts) {
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    struct contprof_sizes sizes = some_sizes(seed);
    struct contprof_layout layout = laid_out(&sizes, seed % 64, CONTPROF_COUNTER_ALIGNMENT);
    uint64_t at = sizes.header + sizes.binary_ids;
    cr_assert_eq(layout.data, at);
    at += sizes.data + layout.padding_before_counters;
    cr_assert_eq(layout.counters, at);
    at += sizes.counters + layout.padding_after_counters;
    cr_assert_eq(layout.bitmap, at);
    at += sizes.bitmap + layout.padding_after_bitmap;
    cr_assert_eq(layout.names, at);
    at += sizes.names + contprof_padding(sizes.names) + sizes.vtables;
    cr_assert_eq(layout.vtable_names, at);
    at += sizes.vtable_names + contprof_padding(sizes.vtable_names);
    cr_assert_eq(layout.values, at);
    cr_assert_eq(layout.total, at + sizes.values);
  }
}

Test(layout, counters_keep_their_residue_and_leave_room_for_the_owner) {
  for (unsigned seed = 0; seed < SEEDS; seed++)
    for (uint64_t modulus = CONTPROF_COUNTER_ALIGNMENT; modulus <= 4096; modulus *= 8) {
      struct contprof_sizes sizes = some_sizes(seed);
      uint64_t residue = seed * 8 % modulus;
      struct contprof_layout layout = laid_out(&sizes, residue, modulus);
      cr_assert_eq(layout.counters % modulus, residue);
      cr_assert(layout.padding_before_counters >= sizes.owner);
      cr_assert(layout.padding_before_counters < sizes.owner + modulus);
    }
}
