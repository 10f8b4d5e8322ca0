// The policy of value slots, on a made image of one function with two call sites and one memop
// site.
#include <criterion/criterion.h>
#include <string.h>

#include "runtime/value_sites.h"

void __llvm_profile_instrument_target(uint64_t value, void *data, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *data, uint32_t index);

// What value_sites.c asks of the runtime's other files, without system calls.
struct contprof_writer;
void contprof_writer_put(struct contprof_writer *writer, const void *bytes, uint64_t size);
static char area[4096];
static uint64_t used;
void contprof_writer_put(struct contprof_writer *writer, const void *bytes, uint64_t size) {
  (void)writer;
  memcpy(area + used, bytes, size);
  used += size;
}
uint64_t contprof_image_address(const struct contprof_image *image, uint64_t address) {
  (void)image;
  return address;
}

enum { CALL_SITE = 0, OTHER_CALL_SITE = 1, MEMOP_SITE = 2, FREE = 1000 };
static struct contprof_raw_data record;
static struct contprof_image image;

static void start(void) {
  struct contprof_raw_data made = {
      .NameRef = 1, .FunctionPointer = (void *)(uintptr_t)0x5000, .NumValueSites = {2, 1}};
  memcpy((void *)&record, &made, sizeof made);
  image.data = &record;
  image.data_end = &record + 1;
  contprof_values_plan(&image);
  contprof_values_write(&image, NULL);
  contprof_values_attach(&image, area);
}

TestSuite(value_sites, .init = start);

// Value data by the format: u32 size, u32 kinds; for each kind u32 kind, u32 sites, a count byte
// per site, padding, then the pairs.
static const uint64_t *pairs(unsigned site) {
  uint64_t calls = 8 + contprof_value_kind_header(2), one = CONTPROF_SLOTS * 16;
  if (site == MEMOP_SITE)
    return (const uint64_t *)(area + calls + 2 * one + contprof_value_kind_header(1));
  return (const uint64_t *)(area + calls + site * one);
}

static uint64_t count_of(unsigned site, uint64_t value) {
  const uint64_t *at = pairs(site);
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
    if (at[2 * i] == value)
      return at[2 * i + 1];
  return FREE;
}

static void call(unsigned site, uint64_t target, unsigned times) {
  while (times--)
    __llvm_profile_instrument_target(target, &record, site);
}

static bool all_distinct(unsigned site) {
  const uint64_t *at = pairs(site);
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
    for (unsigned j = 0; j < i; j++)
      if (at[2 * i] == at[2 * j])
        return false;
  return true;
}

Test(value_sites, written_size_is_the_planned_one) {
  uint32_t size;
  memcpy(&size, area, sizeof size);
  cr_assert_eq(used, image.values_size);
  cr_assert_eq(size, used);
}

Test(value_sites, unused_slots_are_distinct_and_count_nothing) {
  for (unsigned site = 0; site < 3; site++) {
    cr_assert(all_distinct(site));
    for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
      cr_assert_eq(pairs(site)[2 * i + 1], 0);
  }
}

Test(value_sites, known_values_and_free_slots_count_exactly) {
  for (unsigned target = 1; target <= CONTPROF_SLOTS; target++)
    call(CALL_SITE, 0x9000 + target, 10 * target);
  for (unsigned target = 1; target <= CONTPROF_SLOTS; target++)
    cr_assert_eq(count_of(CALL_SITE, 0x9000 + target), 10 * target);
  cr_assert(all_distinct(CALL_SITE));
}

Test(value_sites, a_preset_value_counts_in_its_own_slot) {
  call(CALL_SITE, 0x5000, 3);
  cr_assert_eq(count_of(CALL_SITE, 0x5000), 3);
  cr_assert(all_distinct(CALL_SITE));
}

Test(value_sites, the_hottest_survive_many_cold_ones) {
  for (unsigned round = 0; round < 1000; round++) {
    call(CALL_SITE, 0x9000, 10);
    call(CALL_SITE, 0x9001, 5);
    call(CALL_SITE, 0xa000 + round, 1);
  }
  cr_assert_eq(count_of(CALL_SITE, 0x9000), 10000);
  cr_assert_eq(count_of(CALL_SITE, 0x9001), 5000);
  cr_assert(all_distinct(CALL_SITE));
}

Test(value_sites, a_late_hot_value_gets_in) {
  for (unsigned target = 0; target < CONTPROF_SLOTS; target++)
    call(CALL_SITE, 0x9000 + target, 50 + target);
  call(CALL_SITE, 0xb000, 1000);
  cr_assert_neq(count_of(CALL_SITE, 0xb000), FREE);
  cr_assert(count_of(CALL_SITE, 0xb000) >= 900);
}

Test(value_sites, sites_and_kinds_are_apart) {
  call(OTHER_CALL_SITE, 0x9000, 2);
  __llvm_profile_instrument_memop(5, &record, MEMOP_SITE);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), FREE);
  cr_assert_eq(count_of(OTHER_CALL_SITE, 0x9000), 2);
  cr_assert_eq(count_of(MEMOP_SITE, 5), 1);
}

Test(value_sites, a_site_that_the_function_has_not_is_ignored) {
  char before[sizeof area];
  memcpy(before, area, sizeof area);
  call(7, 0x9000, 1);
  cr_assert_eq(memcmp(before, area, sizeof area), 0);
}

Test(value_sites, reset_and_add) {
  static char from[sizeof area];
  call(CALL_SITE, 0x9000, 4);
  memcpy(from, area, sizeof area);
  contprof_values_reset(&image, area);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), FREE);
  call(CALL_SITE, 0x9000, 1);
  contprof_values_add(&image, area, from);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), 5);
}

Test(value_sites, nothing_is_counted_when_detached) {
  contprof_values_detach();
  call(CALL_SITE, 0x9000, 4);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), FREE);
}
