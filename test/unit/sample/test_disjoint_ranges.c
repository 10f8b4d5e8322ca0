// Overlapping ranges are cut where llvm-profgen cuts them; the first cases are the pictures in its
// findDisjointRanges.
#include "tools/sample/disjoint_ranges.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// "10-20:5 ..." in decimal.
static void expect(const struct contprof_pair_count *ranges, size_t count, const char *wanted) {
  size_t piece_count;
  struct contprof_pair_count *pieces = contprof_disjoint_ranges(ranges, count, &piece_count);
  char text[1024] = "";
  size_t used = 0;
  for (size_t i = 0; i < piece_count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 "-%" PRIu64 ":%" PRIu64,
                             i ? " " : "", pieces[i].from, pieces[i].to, pieces[i].count);
  cr_expect_str_eq(text, wanted);
  free(pieces);
}

#define EXPECT(WANTED, ...)                                                                        \
  do {                                                                                             \
    static const struct contprof_pair_count RANGES[] = {__VA_ARGS__};                              \
    expect(RANGES, sizeof RANGES / sizeof *RANGES, WANTED);                                        \
  } while (0)

Test(disjoint_ranges, none) {
  expect(NULL, 0, "");
}

Test(disjoint_ranges, two_that_begin_together) {
  EXPECT("10-20:300 21-30:200", {10, 20, 100}, {10, 30, 200});
}

Test(disjoint_ranges, a_shared_point_is_a_piece) {
  EXPECT("10-19:100 20-20:300 21-30:200", {20, 30, 200}, {10, 20, 100});
}

Test(disjoint_ranges, gaps_in_a_zero_range_are_zero) {
  EXPECT("10-19:0 20-30:100 31-39:0 40-50:200 51-60:0", {10, 60, 0}, {20, 30, 100}, {40, 50, 200});
}

Test(disjoint_ranges, gaps_elsewhere_stay_gaps) {
  EXPECT("10-20:1 30-40:2", {10, 20, 1}, {30, 40, 2});
}

Test(disjoint_ranges, single_addresses) {
  EXPECT("5-5:4 6-9:0", {5, 5, 4}, {5, 9, 0});
}

Test(disjoint_ranges, neighbours_leave_nothing_between) {
  EXPECT("10-20:1 21-30:2", {10, 20, 1}, {21, 30, 2});
}

Test(disjoint_ranges, from_address_zero) {
  EXPECT("0-3:0 4-4:1 5-9:0", {0, 9, 0}, {4, 4, 1});
}

// Each address' count is the sum over the ranges that cover it, whatever they are.
Test(disjoint_ranges, sums_hold_for_any_ranges) {
  uint64_t state = 12345;
  for (unsigned round = 0; round < 300; round++) {
    struct contprof_pair_count ranges[12];
    uint64_t sums[64] = {0};
    bool covered[64] = {false};
    size_t count = 0;
    for (size_t i = 0; i < 12; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      uint64_t from = state >> 40 & 31;
      uint64_t to = from + (state >> 50 & 31);
      bool known = false;
      for (size_t j = 0; j < count; j++)
        known |= ranges[j].from == from && ranges[j].to == to;
      if (known)
        continue;
      ranges[count++] = (struct contprof_pair_count){from, to, 1 + (state >> 58)};
      for (uint64_t at = from; at <= to; at++) {
        sums[at] += ranges[count - 1].count;
        covered[at] = true;
      }
    }
    size_t piece_count;
    struct contprof_pair_count *pieces = contprof_disjoint_ranges(ranges, count, &piece_count);
    for (size_t i = 0; i < piece_count; i++)
      for (uint64_t at = pieces[i].from; at <= pieces[i].to; at++) {
        cr_expect(covered[at], "%" PRIu64 " is covered twice or not at all", at);
        cr_expect_eq(pieces[i].count, sums[at]);
        covered[at] = false;
      }
    for (size_t at = 0; at < 64; at++)
      cr_expect_not(covered[at], "%zu was left out", at);
    free(pieces);
  }
}
