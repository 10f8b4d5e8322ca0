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

// Of x86-64 and AArch64.
static const uint64_t pages[] = {4096, 16384, 65536};
enum { PAGE_SIZES = sizeof pages / sizeof *pages };

Test(layout, a_mapping_is_the_fewest_pages_that_hold_the_file) {
  for (unsigned i = 0; i < PAGE_SIZES; i++)
    for (uint64_t size = 1; size < 3 * 65536; size += 61) {
      uint64_t mapped = contprof_mapped_size(size, pages[i]);
      cr_assert_eq(mapped % pages[i], 0);
      cr_assert(mapped >= size && mapped - size < pages[i]);
    }
}

// The runtime lays a file out by the counters' place in a cache line alone. Wherever a page
// boundary of whatever size lets a whole file begin, each counter is as well aligned as it was in
// the module, and one bias leads to all of them.
Test(layout, pages_of_every_size_keep_the_counters_alignment) {
  const uint64_t statics = UINT64_C(0xaaaaab0c13a0);
  for (unsigned seed = 0; seed < SEEDS; seed += 7)
    for (unsigned i = 0; i < PAGE_SIZES; i++) {
      struct contprof_sizes sizes = some_sizes(seed);
      uint64_t counters = statics + 8 * seed;
      struct contprof_layout layout =
          laid_out(&sizes, counters % CONTPROF_COUNTER_ALIGNMENT, CONTPROF_COUNTER_ALIGNMENT);
      uint64_t base = contprof_place_above(
          counters + sizes.counters, contprof_mapped_size(layout.total, pages[i]), pages[i], 0);
      uint64_t bias = base + layout.counters - counters;
      cr_assert_eq(base % pages[i], 0);
      cr_assert_eq(bias % CONTPROF_COUNTER_ALIGNMENT, 0);
      cr_assert(counters + sizes.counters - 1 + bias < base + layout.bitmap);
    }
}

// A file made on a machine with small pages is mapped on one with large pages from its first byte
// on, and whole.
Test(layout, a_file_is_the_same_for_every_page_size) {
  for (unsigned seed = 0; seed < SEEDS; seed += 7) {
    struct contprof_sizes sizes = some_sizes(seed);
    struct contprof_layout layout = laid_out(&sizes, seed % 64, CONTPROF_COUNTER_ALIGNMENT);
    for (unsigned i = 0; i < PAGE_SIZES; i++) {
      uint64_t mapped = contprof_mapped_size(layout.total, pages[i]);
      cr_assert(layout.owner + sizes.owner <= layout.counters);
      cr_assert(layout.values + sizes.values <= mapped);
      cr_assert_eq(mapped % pages[i], 0);
    }
  }
}

Test(layout, places_above_are_page_boundaries_ever_farther) {
  static const uint64_t sizes[] = {4096, 65536, UINT64_C(1) << 24, UINT64_C(123456789) << 12};
  for (unsigned i = 0; i < PAGE_SIZES; i++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const uint64_t end = UINT64_C(0x555555560123);
      uint64_t before = end, size = contprof_mapped_size(sizes[s], pages[i]);
      for (unsigned attempt = 0; attempt < 20; attempt++) {
        uint64_t place = contprof_place_above(end, size, pages[i], attempt);
        cr_assert_eq(place % pages[i], 0);
        cr_assert(place >= before + size);
        before = place;
      }
    }
}
