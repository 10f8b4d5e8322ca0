// The set of pairs of addresses: what is added comes out, once, in order.
#include "tools/sample/sample_counts.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct contprof_pair_counts counts;
static struct contprof_pair_count *sorted;

static void sort(void) {
  free(sorted);
  sorted = contprof_pairs_sorted(&counts);
}

static void leave(void) {
  struct contprof_sample_counts both = {.ranges = counts};
  contprof_sample_counts_free(&both);
  free(sorted);
}

static void expect(size_t at, uint64_t from, uint64_t to, uint64_t count) {
  cr_assert_lt(at, counts.count);
  cr_expect(sorted[at].from == from && sorted[at].to == to && sorted[at].count == count,
            "%zu is %lx %lx %lu", at, (unsigned long)sorted[at].from, (unsigned long)sorted[at].to,
            (unsigned long)sorted[at].count);
}

Test(sample_counts, an_empty_set_is_empty, .fini = leave) {
  sort();
  cr_expect_eq(counts.count, 0);
}

Test(sample_counts, equal_pairs_add_up, .fini = leave) {
  contprof_pair_add(&counts, 2, 1, 10);
  contprof_pair_add(&counts, 1, 2, 5);
  contprof_pair_add(&counts, 2, 1, 7);
  contprof_pair_add(&counts, 1, 1, 0);
  sort();
  cr_expect_eq(counts.count, 3);
  expect(0, 1, 1, 0);
  expect(1, 1, 2, 5);
  expect(2, 2, 1, 17);
}

Test(sample_counts, counts_stop_at_the_largest_number, .fini = leave) {
  contprof_pair_add(&counts, 1, 2, UINT64_MAX - 1);
  contprof_pair_add(&counts, 1, 2, 3);
  contprof_pair_add(&counts, 1, 2, 3);
  sort();
  expect(0, 1, 2, UINT64_MAX);
}

Test(sample_counts, any_address_may_be_one, .fini = leave) {
  contprof_pair_add(&counts, UINT64_MAX, UINT64_MAX, 4);
  contprof_pair_add(&counts, UINT64_MAX, 0, 1);
  contprof_pair_add(&counts, 0, UINT64_MAX, 2);
  contprof_pair_add(&counts, 0, 0, 3);
  contprof_pair_add(&counts, UINT64_MAX, UINT64_MAX, 1);
  sort();
  cr_expect_eq(counts.count, 4);
  expect(0, 0, 0, 3);
  expect(1, 0, UINT64_MAX, 2);
  expect(2, UINT64_MAX, 0, 1);
  expect(3, UINT64_MAX, UINT64_MAX, 5);
}

// Enough pairs to grow several times over, each twice.
Test(sample_counts, many_pairs_stay_apart, .fini = leave) {
  const uint64_t many = 20000;
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < many; i++)
      contprof_pair_add(&counts, (i * 7919) % many * 16, 0x400000 + i % 3, i);
  sort();
  cr_assert_eq(counts.count, many);
  uint64_t total = 0;
  for (uint64_t i = 0; i < many; i++) {
    cr_assert_eq(sorted[i].from, i * 16);
    total += sorted[i].count;
  }
  cr_expect_eq(total, many * (many - 1));
}

// Addresses that differ in any of their bits come in order, from a set that is empty then.
Test(sample_counts, taken_pairs_are_in_order, .fini = leave) {
  const size_t many = 5000;
  size_t count = 0;
  for (uint64_t i = 0; i < many; i++)
    contprof_pair_add(&counts, i * UINT64_C(0x9e3779b97f4a7c15) << i % 40, ~i << i % 7, i + 1);
  contprof_pair_add(&counts, UINT64_MAX, UINT64_MAX, 1);
  size_t held = counts.count;
  sorted = contprof_pairs_take(&counts, &count);
  cr_assert_eq(count, held);
  cr_expect_eq(counts.count, 0);
  for (size_t i = 1; i < count; i++)
    cr_assert(sorted[i - 1].from < sorted[i].from ||
                  (sorted[i - 1].from == sorted[i].from && sorted[i - 1].to < sorted[i].to),
              "%zu", i);
  contprof_pair_add(&counts, 1, 2, 3);
  cr_expect_eq(counts.count, 1);
}

// What is given in order is a set like any other.
Test(sample_counts, given_pairs_are_a_set, .fini = leave) {
  struct contprof_pair_count *given = calloc(3, sizeof *given);
  cr_assert(given);
  given[0] = (struct contprof_pair_count){1, 2, 10};
  given[1] = (struct contprof_pair_count){3, 4, 20};
  contprof_pairs_give(&counts, given, 2);
  sort();
  expect(0, 1, 2, 10);
  expect(1, 3, 4, 20);
  contprof_pair_add(&counts, 2, 9, 5);
  contprof_pair_add(&counts, 3, 4, 1);
  sort();
  cr_expect_eq(counts.count, 3);
  expect(0, 1, 2, 10);
  expect(1, 2, 9, 5);
  expect(2, 3, 4, 21);
}

Test(sample_counts, given_pairs_can_be_taken, .fini = leave) {
  size_t count = 0;
  sorted = calloc(1, sizeof *sorted);
  cr_assert(sorted);
  sorted[0] = (struct contprof_pair_count){UINT64_MAX, UINT64_MAX, 1};
  struct contprof_pair_count *given = sorted;
  contprof_pairs_give(&counts, sorted, 1);
  sorted = contprof_pairs_take(&counts, &count);
  cr_expect_eq(sorted, given);
  cr_expect_eq(count, 1);
  cr_expect_eq(counts.count, 0);
}
