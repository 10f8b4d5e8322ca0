// Where value sites stand in the image, on a made one of one function with two call sites and one
// memop site.
#include <criterion/criterion.h>
#include <string.h>

#include "runtime/image_write.h"
#include "runtime/value_sites.h"

#define INSTR_PROF_VALUE_PROF_MEMOP_API
#include "InstrProfData.inc"

void __llvm_profile_instrument_target(uint64_t value, void *data, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *data, uint32_t index);

// What value_sites.c asks of the runtime's other files, without system calls.
static char area[4096];
void contprof_writer_put(struct contprof_writer *writer, const void *bytes, uint64_t size) {
  if (!writer->compare)
    memcpy(writer->memory + writer->offset, bytes, size);
  else if (memcmp(writer->memory + writer->offset, bytes, size) != 0)
    writer->differs = true;
  writer->offset += size;
}
void contprof_writer_skip(struct contprof_writer *writer, uint64_t size) {
  writer->offset += size;
}
uint64_t contprof_image_address(const struct contprof_image *image, uint64_t address) {
  return address - image->load_bias;
}

enum { CALL_SITE = 0, OTHER_CALL_SITE = 1, MEMOP_SITE = 2, ABSENT = 1000 };
enum { SLOTS = CONTPROF_DEFAULT_SLOTS, MEMOP_SLOTS = 22, BIAS = 0x100000 };
static uint64_t used; // bytes of `area`
static struct contprof_raw_data record;
static struct contprof_image image;

static void start(void) {
  struct contprof_raw_data made = {
      .NameRef = 1, .FunctionPointer = (void *)(uintptr_t)0x5000, .NumValueSites = {2, 1}};
  memcpy((void *)&record, &made, sizeof made);
  image.data = &record;
  image.data_end = &record + 1;
  image.start = image.load_bias = BIAS;
  image.end = BIAS + 0x10000;
  contprof_values_plan(&image);
  struct contprof_writer writer = {.fd = -1, .memory = area};
  contprof_values_write(&image, &writer);
  used = writer.offset;
  contprof_values_attach(&image, area);
}

TestSuite(value_sites, .init = start);

// Value data by the format: u32 size, u32 kinds; for each kind u32 kind, u32 sites, a count byte
// per site, padding, then the pairs. `values` is where a copy of it starts.
static const uint64_t *pairs_in(const char *values, unsigned site) {
  uint64_t calls = 8 + contprof_value_kind_header(2);
  if (site == MEMOP_SITE)
    calls += 2 * (uint64_t)SLOTS * 16 + contprof_value_kind_header(1);
  else
    calls += site * (uint64_t)SLOTS * 16;
  return (const uint64_t *)(values + calls);
}

static uint64_t count_of(unsigned site, uint64_t value) {
  const uint64_t *at = pairs_in(area, site);
  for (unsigned i = 0; i < (site == MEMOP_SITE ? MEMOP_SLOTS : SLOTS); i++)
    if (at[2 * i] == value)
      return at[2 * i + 1];
  return ABSENT;
}

// To a function at `target` in the module's file.
static void call(unsigned site, uint64_t target, unsigned times) {
  while (times--)
    __llvm_profile_instrument_target(BIAS + target, &record, site);
}

Test(value_sites, written_size_is_the_planned_one) {
  uint32_t size, kinds;
  memcpy(&size, area, sizeof size);
  memcpy(&kinds, area + 4, sizeof kinds);
  cr_assert_eq(used, image.values_size);
  cr_assert_eq(size, used);
  cr_assert_eq(kinds, 2);
}

Test(value_sites, count_bytes_say_how_many_slots) {
  cr_assert_eq(area[8 + 8], SLOTS);
  cr_assert_eq(area[8 + 9], SLOTS);
  const char *memop = (const char *)pairs_in(area, MEMOP_SITE);
  cr_assert_eq(memop[-8], MEMOP_SLOTS);
}

Test(value_sites, nothing_is_counted_at_first) {
  for (unsigned i = 0; i < SLOTS; i++)
    for (unsigned site = CALL_SITE; site <= OTHER_CALL_SITE; site++)
      cr_assert_eq(pairs_in(area, site)[2 * i] | pairs_in(area, site)[2 * i + 1], 0);
  for (unsigned i = 0; i < MEMOP_SLOTS; i++)
    cr_assert_eq(pairs_in(area, MEMOP_SITE)[2 * i + 1], 0);
}

// LLVM's function from its own file says what a size is counted as.
Test(value_sites, each_size_counts_in_its_range) {
  for (uint64_t size = 0; size < 2000; size++) {
    uint64_t range = InstrProfGetRangeRepValue(size), before = count_of(MEMOP_SITE, range);
    cr_assert_eq(before == ABSENT,
                 size <= 9 || (size <= 513 && range != InstrProfGetRangeRepValue(size - 1)),
                 "size %lu", size);
    __llvm_profile_instrument_memop(size, &record, MEMOP_SITE);
    cr_assert_eq(count_of(MEMOP_SITE, range), before == ABSENT ? 1 : before + 1, "size %lu", size);
    if (before == ABSENT - 1) // of the last range, which has most
      contprof_values_reset(&image, area);
  }
  __llvm_profile_instrument_memop(UINT64_MAX, &record, MEMOP_SITE);
  cr_assert_neq(count_of(MEMOP_SITE, 513), 0);
}

static bool all_distinct(void) {
  const uint64_t *at = pairs_in(area, MEMOP_SITE);
  for (unsigned i = 0; i < MEMOP_SLOTS; i++)
    for (unsigned other = 0; other < i; other++)
      if (at[2 * i] == at[2 * other])
        return false;
  return true;
}

// Readers refuse a profile whose site has a size twice: at every moment there is none. And those
// that no range stands for are no program's.
Test(value_sites, sizes_of_a_site_are_distinct_and_come_in_the_order_of_first_sight) {
  static const uint64_t seen[] = {513, 5, 0, 129, 16, 5, 513, 512, 1};
  static const uint64_t order[] = {513, 5, 0, 129, 16, 512, 1};
  for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++) {
    cr_assert(all_distinct());
    __llvm_profile_instrument_memop(seen[i], &record, MEMOP_SITE);
  }
  cr_assert(all_distinct());
  const uint64_t *at = pairs_in(area, MEMOP_SITE);
  for (unsigned i = 0; i < MEMOP_SLOTS; i++)
    if (i < sizeof order / sizeof *order)
      cr_assert_eq(at[2 * i], order[i]);
    else
      cr_assert_neq(InstrProfGetRangeRepValue(at[2 * i]), at[2 * i]);
}

// What counts is no difference, nor the order of sizes; what no runtime writes is one.
Test(value_sites, a_file_of_the_same_build_is_known) {
  struct contprof_writer writer = {.fd = -1, .memory = area, .compare = true};
  __llvm_profile_instrument_memop(100, &record, MEMOP_SITE);
  call(CALL_SITE, 0x9000, 4);
  contprof_values_write(&image, &writer);
  cr_assert_not(writer.differs);
  uint64_t *at = (uint64_t *)pairs_in(area, MEMOP_SITE);
  uint64_t damaged[] = {0, 10, 514, at[0]}; // a hole, no range, another's, one that is there
  for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    uint64_t kept[] = {at[6], at[8]};
    at[6] = at[8] = damaged[i];
    writer = (struct contprof_writer){.fd = -1, .memory = area, .compare = true};
    contprof_values_write(&image, &writer);
    cr_assert(writer.differs, "%lu", damaged[i]);
    at[6] = kept[0];
    at[8] = kept[1];
  }
}

// By their place within a page, which is the same wherever their library is loaded.
Test(value_sites, targets_elsewhere_differ_by_their_place_in_a_page) {
  __llvm_profile_instrument_target(0x7f0000001230, &record, CALL_SITE);
  __llvm_profile_instrument_target(0x7f1111116230, &record, CALL_SITE);
  __llvm_profile_instrument_target(0x7f0000001240, &record, CALL_SITE);
  __llvm_profile_instrument_target(0, &record, CALL_SITE);
  cr_assert_eq(count_of(CALL_SITE, 0xfffffffffffff230), 2);
  cr_assert_eq(count_of(CALL_SITE, 0xfffffffffffff240), 1);
  cr_assert_eq(count_of(CALL_SITE, 0xfffffffffffff000), 1);
}

Test(value_sites, sites_and_kinds_are_apart) {
  call(OTHER_CALL_SITE, 0x9000, 2);
  __llvm_profile_instrument_memop(5, &record, MEMOP_SITE);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), ABSENT);
  cr_assert_eq(count_of(OTHER_CALL_SITE, 0x9000), 2);
  cr_assert_eq(count_of(MEMOP_SITE, 5), 1);
}

// Fill both sites far beyond their slots: ranks and slots must not lie on one another.
Test(value_sites, overflow_stays_inside_its_site) {
  static char before[sizeof area];
  for (unsigned i = 0; i < 100; i++)
    call(CALL_SITE, 0x8000 + i, 1 + i % 3);
  memcpy(before, area, sizeof area);
  for (unsigned i = 0; i < 100; i++)
    call(OTHER_CALL_SITE, 0x9000 + i, 1 + i % 3);
  cr_assert_eq(memcmp(pairs_in(before, CALL_SITE), pairs_in(area, CALL_SITE), SLOTS * 16), 0);
  cr_assert_eq(memcmp(pairs_in(before, MEMOP_SITE), pairs_in(area, MEMOP_SITE), MEMOP_SLOTS * 16),
               0);
  for (uint64_t i = image.values_size; i < sizeof area; i++)
    cr_assert_eq(area[i], 0);
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
  __llvm_profile_instrument_memop(100, &record, MEMOP_SITE);
  memcpy(from, area, sizeof area);
  contprof_values_reset(&image, area);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), 0);
  cr_assert_eq(count_of(MEMOP_SITE, 65), 0);
  call(CALL_SITE, 0x9000, 1);
  contprof_values_add(&image, area, from);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), 5);
  cr_assert_eq(count_of(MEMOP_SITE, 65), 1);
}

Test(value_sites, nothing_is_counted_when_detached) {
  contprof_values_detach();
  call(CALL_SITE, 0x9000, 4);
  cr_assert_eq(count_of(CALL_SITE, 0x9000), ABSENT);
}
