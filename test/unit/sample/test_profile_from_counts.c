// Counts become lines: maxima times copies, totals by bytes, zeros for what did not run, call
// targets and heads. The binary is made up: instructions of 4 bytes, two functions, one of them
// split, and a few locations.
#include "tools/sample/profile_from_counts.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CODE_END = 0x400 };

struct contprof_binary {
  bool fs_discriminators;
};

static const struct contprof_function_range RANGES[];
static const struct contprof_function_range *const OUTER_RANGES[] = {&RANGES[0], &RANGES[2]};
static const struct contprof_function_range *const CALLEE_RANGES[] = {&RANGES[1]};
static const struct contprof_binary_function OUTER = {"outer", OUTER_RANGES, 2};
static const struct contprof_binary_function CALLEE = {"callee.llvm.7", CALLEE_RANGES, 1};
static const struct contprof_function_range RANGES[] = {
    {0x100, 0x120, true, &OUTER}, {0x200, 0x210, true, &CALLEE}, {0x300, 0x310, false, &OUTER}};

// Base discriminator 1 and duplication factor 4.
enum { COPIED = 1 << 1 | 4 << 8 };

static const struct contprof_frame AT_100[] = {{"outer", 1, 0}};
static const struct contprof_frame AT_108[] = {{"outer", 2, 0}, {"inner", 5, 0}};
static const struct contprof_frame AT_110[] = {{"outer", 3, COPIED}};
static const struct contprof_frame AT_118[] = {{"outer", 1, 0}};
static const struct contprof_frame AT_200[] = {{"callee", 0, 0}};
static const struct contprof_frame AT_300[] = {{"outer", 9, 0}};
static const struct contprof_location LOCATIONS[] = {
    {0x100, 0x108, AT_100, 1}, {0x108, 0x110, AT_108, 2}, {0x110, 0x118, AT_110, 1},
    {0x118, 0x120, AT_118, 1}, {0x200, 0x210, AT_200, 1}, {0x300, 0x310, AT_300, 1}};
static const struct contprof_location NOWHERE = {0, UINT64_MAX, NULL, 0};

const struct contprof_location *contprof_binary_locate(struct contprof_binary *binary,
                                                       uint64_t address) {
  (void)binary;
  for (size_t i = 0; i < sizeof LOCATIONS / sizeof *LOCATIONS; i++)
    if (address >= LOCATIONS[i].start && address < LOCATIONS[i].end)
      return &LOCATIONS[i];
  return &NOWHERE;
}

const struct contprof_function_range *contprof_binary_range_at(const struct contprof_binary *binary,
                                                               uint64_t address) {
  (void)binary;
  for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++)
    if (address >= RANGES[i].start && address < RANGES[i].end)
      return &RANGES[i];
  return NULL;
}

const struct contprof_function_range *
contprof_binary_range_starting(const struct contprof_binary *binary, uint64_t address) {
  const struct contprof_function_range *range = contprof_binary_range_at(binary, address);
  return range && range->start == address ? range : NULL;
}

size_t contprof_binary_functions(const struct contprof_binary *binary,
                                 const struct contprof_binary_function ***functions) {
  (void)binary;
  static const struct contprof_binary_function *all[] = {&OUTER, &CALLEE};
  *functions = all;
  return 2;
}

uint64_t contprof_instruction_next(struct contprof_binary *binary, uint64_t address) {
  (void)binary;
  return address < CODE_END ? (address + 3) / 4 * 4 : UINT64_MAX;
}

unsigned contprof_instruction_size(struct contprof_binary *binary, uint64_t address) {
  (void)binary;
  return address < CODE_END && address % 4 == 0 ? 4 : 0;
}

bool contprof_binary_fs_discriminators(const struct contprof_binary *binary) {
  return binary->fs_discriminators;
}

// --- helpers ------------------------------------------------------------------------------------

static struct contprof_sample_profile profile;
static struct contprof_sample_counts counts;
static struct contprof_binary binary;

static void begin(void) {
  profile = (struct contprof_sample_profile){0};
  counts = (struct contprof_sample_counts){0};
  binary = (struct contprof_binary){0};
}

static void end(void) {
  contprof_sample_profile_free(&profile);
  contprof_sample_counts_free(&counts);
}

static void make(struct contprof_symbolize_options options) {
  contprof_profile_from_counts(&binary, &counts, &options, &profile);
}

static struct contprof_function_samples *function(const char *name) {
  struct contprof_function_samples *found = contprof_samples_find(&profile, name, strlen(name));
  cr_assert(found, "no %s", name);
  return found;
}

static void expect_line(const struct contprof_function_samples *function, uint32_t offset,
                        uint32_t discriminator, uint64_t count) {
  for (size_t i = 0; i < function->body_count; i++) {
    const struct contprof_body_sample *body = &function->bodies[i];
    if (body->line.offset == offset && body->line.discriminator == discriminator) {
      cr_expect_eq(body->count, count, "line %u: %lu", offset, (unsigned long)body->count);
      return;
    }
  }
  cr_expect_fail("no line %u.%u", offset, discriminator);
}

TestSuite(profile_from_counts, .init = begin, .fini = end);

// --- tests --------------------------------------------------------------------------------------

Test(profile_from_counts, the_largest_count_is_a_lines) {
  contprof_pair_add(&counts.ranges, 0x100, 0x10c, 10);
  contprof_pair_add(&counts.ranges, 0x108, 0x11c, 7);
  make((struct contprof_symbolize_options){0});
  const struct contprof_function_samples *outer = function("outer");
  expect_line(outer, 1, 0, 10);    // 0x118 has 7
  expect_line(outer, 3, 1, 7 * 4); // the copies
  expect_line(outer, 9, 0, 0);     // the split part did not run
  cr_assert_eq(outer->callsite_count, 1);
  cr_expect_eq(outer->callsites[0].line.offset, 2);
  const struct contprof_function_samples *inner = outer->callsites[0].inlinees[0];
  cr_expect_str_eq(inner->name->text, "inner");
  expect_line(inner, 5, 0, 17);
  // Bytes: 8 of 10, 8 of 17, 16 of 7.
  cr_expect_eq(outer->total, 8 * 10 + 8 * 17 + 16 * 7);
  cr_expect_eq(inner->total, 8 * 17);
  cr_expect_eq(profile.function_count, 1);
}

Test(profile_from_counts, ips_sum_up_without_copies) {
  contprof_pair_add(&counts.ranges, 0x110, 0x110, 3);
  contprof_pair_add(&counts.ranges, 0x114, 0x114, 4);
  make((struct contprof_symbolize_options){.ip_only = true});
  expect_line(function("outer"), 3, 1, 7);
  cr_expect_eq(function("outer")->total, 4 * 7);
}

Test(profile_from_counts, branches_to_entries_are_calls) {
  contprof_pair_add(&counts.branches, 0x110, 0x200, 5);
  contprof_pair_add(&counts.branches, 0x10c, 0x200, 2);
  contprof_pair_add(&counts.branches, CONTPROF_EXTERNAL, 0x200, 1);
  contprof_pair_add(&counts.branches, 0x114, 0x300, 9); // no entry
  contprof_pair_add(&counts.branches, 0x114, 0x204, 9); // within
  make((struct contprof_symbolize_options){0});
  cr_expect_eq(function("callee")->head, 8, "suffixes are cut");
  const struct contprof_function_samples *outer = function("outer");
  cr_assert_eq(outer->body_count, 1);
  cr_assert_eq(outer->bodies[0].target_count, 1);
  cr_expect_str_eq(outer->bodies[0].targets[0].name->text, "callee");
  cr_expect_eq(outer->bodies[0].targets[0].count, 5);
  cr_expect_eq(outer->bodies[0].count, 5, "a line ran as often as it called");
  const struct contprof_function_samples *inner = outer->callsites[0].inlinees[0];
  cr_expect_eq(inner->bodies[0].targets[0].count, 2);
  cr_expect_eq(inner->bodies[0].count, 0, "LLVM leaves inlined lines be");
}

Test(profile_from_counts, zeros_for_all_functions) {
  make((struct contprof_symbolize_options){.fill_zero_for_all = true});
  cr_expect_eq(profile.function_count, 2);
  expect_line(function("callee"), 0, 0, 0);
  expect_line(function("outer"), 9, 0, 0);
}

Test(profile_from_counts, totals_of_lines_on_demand) {
  contprof_pair_add(&counts.ranges, 0x100, 0x10c, 10);
  make((struct contprof_symbolize_options){.update_total = true});
  cr_expect_eq(function("outer")->total, 20);
  cr_expect_eq(function("outer")->callsites[0].inlinees[0]->total, 10);
}

Test(profile_from_counts, flow_sensitive_discriminators_stay) {
  binary.fs_discriminators = true;
  contprof_pair_add(&counts.ranges, 0x110, 0x114, 3);
  make((struct contprof_symbolize_options){0});
  expect_line(function("outer"), 3, COPIED, 3);
  cr_expect(profile.fs_discriminators);
}

Test(profile_from_counts, damaged_ranges_are_passed_over) {
  contprof_pair_add(&counts.ranges, 0x114, 0x110, 3);
  contprof_pair_add(&counts.ranges, 0x110, UINT64_MAX, 3);
  contprof_pair_add(&counts.ranges, 0x1000, 0x1010, 3);
  make((struct contprof_symbolize_options){0});
  cr_expect_eq(profile.function_count, 0);
}
