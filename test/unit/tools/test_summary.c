#include "tools/instr/summary.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct contprof_profile profile;
static struct contprof_summary summary;

static void add(const char *name, uint64_t hash, uint32_t count, const uint64_t *counters) {
  struct contprof_function *function = contprof_profile_add(
      &profile, name, strlen(name), hash, count, 0, (uint32_t[CONTPROF_VALUE_KINDS]){0});
  memcpy(function->counters, counters, count * sizeof *counters);
}

static void done(void) {
  contprof_summary_free(&summary);
  contprof_profile_free(&profile);
}

static const struct contprof_summary_entry *entry(uint32_t cutoff) {
  const struct contprof_summary_entry *found = NULL;
  for (size_t i = 0; i < summary.entry_count; i++)
    if (summary.entries[i].cutoff == cutoff)
      found = &summary.entries[i];
  cr_assert(found, "cutoff %u", cutoff);
  return found;
}

static void check_entry(uint32_t cutoff, uint64_t min_count, uint64_t counter_count) {
  cr_assert_eq(entry(cutoff)->min_count, min_count, "cutoff %u", cutoff);
  cr_assert_eq(entry(cutoff)->counter_count, counter_count, "cutoff %u", cutoff);
}

Test(summary, of_nothing_is_zero, .fini = done) {
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  cr_assert(!summary.function_count && !summary.total_count && !summary.counter_count);
  cr_assert_eq(summary.entry_count, 16);
  check_entry(999999, 0, 0);
}

Test(summary, takes_the_hottest_counters_until_a_share_is_reached, .fini = done) {
  add("a", 1, 3, (uint64_t[]){50, 700, 200});
  add("b", 1, 2, (uint64_t[]){49, 1});
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  cr_assert(summary.function_count == 2 && summary.counter_count == 5);
  cr_assert(summary.total_count == 1000 && summary.max_count == 700);
  cr_assert(summary.max_internal_count == 700 && summary.max_function_count == 50);
  check_entry(10000, 700, 1);
  check_entry(700000, 700, 1);
  check_entry(900000, 200, 2);
  check_entry(950000, 50, 3);
  check_entry(999000, 49, 4);
  check_entry(999999, 49, 4); // 999.999 rounded down is 999
}

Test(summary, takes_equal_counters_together, .fini = done) {
  add("a", 1, 4, (uint64_t[]){10, 10, 10, 10});
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  check_entry(300000, 10, 4);
}

Test(summary, leaves_out_functions_marked_hot_or_warm, .fini = done) {
  add("hot", 1, 2, (uint64_t[]){CONTPROF_COUNT_HOT, 5});
  add("warm", 1, 1, (uint64_t[]){CONTPROF_COUNT_WARM});
  add("counted", 1, 1, (uint64_t[]){3});
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  cr_assert(summary.function_count == 1 && summary.total_count == 3 && summary.max_count == 3);
}

Test(summary, tells_context_sensitive_functions_apart, .fini = done) {
  add("a", 1, 1, (uint64_t[]){3});
  add("a", 1 | CONTPROF_HASH_CS, 1, (uint64_t[]){40});
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  cr_assert(summary.function_count == 1 && summary.total_count == 3);
  contprof_summary_free(&summary);
  contprof_summarise(&profile, CONTPROF_SUMMARY_CS, &summary);
  cr_assert(summary.function_count == 1 && summary.total_count == 40);
  contprof_summary_free(&summary);
  contprof_summarise(&profile, CONTPROF_SUMMARY_ALL, &summary);
  cr_assert(summary.function_count == 2 && summary.total_count == 43);
}

// --- against LLVM's way: all counts sorted, taken count by count ---------------------------------

static int falling(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? 1 : a > b ? -1 : 0;
}

static void check_all_entries(uint64_t *all, size_t number) {
  uint64_t total = 0, sum = 0, count = 0;
  size_t taken = 0;
  for (size_t i = 0; i < number; i++)
    total += all[i];
  qsort(all, number, sizeof *all, falling);
  for (size_t i = 0; i < summary.entry_count; i++) {
    uint64_t wanted =
        (uint64_t)((unsigned __int128)total * summary.entries[i].cutoff / UINT64_C(1000000));
    while (sum < wanted && taken < number)
      for (count = all[taken]; taken < number && all[taken] == count; taken++)
        sum += count;
    check_entry(summary.entries[i].cutoff, count, taken);
  }
}

// `bits` is how large the counts get; from 55 on, the total wraps.
static void check_random(unsigned bits, uint64_t seed) {
  enum { NUMBER = 2000 };
  uint64_t counters[NUMBER];
  for (size_t i = 0; i < NUMBER; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    counters[i] = (seed >> 1) >> (63 - bits + (seed >> 40) % (bits + 1));
  }
  add("f", 1, NUMBER, counters);
  contprof_summarise(&profile, CONTPROF_SUMMARY_PLAIN, &summary);
  check_all_entries(counters, NUMBER);
  done();
}

Test(summary, tells_the_counts_of_large_profiles_apart) {
  for (unsigned bits = 0; bits <= 63; bits++)
    for (uint64_t seed = 1; seed <= 5; seed++)
      check_random(bits, seed * 977);
}

Test(summary, goes_by_every_number_of_cutoffs, .fini = done) {
  static const uint32_t one[] = {0, 500000, 500000, 1000000};
  const struct contprof_cutoffs cutoffs = {one, 4};
  uint64_t counters[] = {1000, 1001, 1000, 513, 512, 511, 0};
  add("f", 1, 7, counters);
  contprof_summarise_at(&profile, CONTPROF_SUMMARY_PLAIN, &cutoffs, &summary);
  check_entry(0, 0, 0);
  check_all_entries(counters, 7);
  check_entry(1000000, 511, 6);
}
