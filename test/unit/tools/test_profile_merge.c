#include "tools/instr/profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct contprof_error error;
static struct contprof_merge_report report;

static bool merge(struct contprof_profile *into, const struct contprof_profile *from,
                  uint64_t weight) {
  contprof_error_clear(&error);
  memset(&report, 0, sizeof report);
  return contprof_profile_merge(into, from, weight, &report, "from", &error);
}

// A function "f" with two counters, a bitmap byte and a call-target site.
static struct contprof_function *add(struct contprof_profile *profile, uint64_t first,
                                     uint64_t second, uint8_t bits, struct contprof_value value) {
  const uint32_t sites[] = {1, 0, 0};
  struct contprof_function *function = contprof_profile_add(profile, "f", 1, 1, 2, 1, sites);
  function->counters[0] = first;
  function->counters[1] = second;
  function->bitmap[0] = bits;
  contprof_profile_set_site(profile, function->sites[0], &value, 1);
  return function;
}

Test(profile_merge, sums_counts_and_unites_the_rest) {
  struct contprof_profile into = {0}, from = {0};
  struct contprof_function *function = add(&into, 1, 2, 0x0f, (struct contprof_value){7, 5});
  add(&from, 10, 20, 0xf1, (struct contprof_value){3, 2});
  cr_assert(merge(&into, &from, 3));
  cr_assert(function->counters[0] == 31 && function->counters[1] == 62);
  cr_assert_eq(function->bitmap[0], 0xff);
  cr_assert_eq(function->sites[0][0].count, 2);
  cr_assert(function->sites[0][0].values[0].value == 3 &&
            function->sites[0][0].values[0].count == 6);
  cr_assert_eq(report.functions_merged, 1);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
}

Test(profile_merge, weighs_new_functions_too) {
  struct contprof_profile into = {0}, from = {0};
  add(&from, 10, 20, 1, (struct contprof_value){3, 2});
  cr_assert(merge(&into, &from, 3));
  const struct contprof_function *function = contprof_profile_find(&into, "f", 1, 1);
  contprof_profile_free(&from);
  cr_assert(function->counters[0] == 30 && function->counters[1] == 60);
  cr_assert_eq(function->sites[0][0].values[0].count, 6);
  cr_assert_str_eq(function->name, "f", "nothing points into the source");
  contprof_profile_free(&into);
}

Test(profile_merge, saturates_and_says_so) {
  struct contprof_profile into = {0}, from = {0};
  struct contprof_function *function =
      add(&into, CONTPROF_COUNT_MAX - 1, 1, 0, (struct contprof_value){7, UINT64_MAX});
  add(&from, 2, CONTPROF_COUNT_MAX / 2, 0, (struct contprof_value){7, 1});
  cr_assert(merge(&into, &from, 3));
  cr_assert_eq(function->counters[0], CONTPROF_COUNT_MAX);
  cr_assert_eq(function->counters[1], CONTPROF_COUNT_MAX);
  cr_assert_eq(function->sites[0][0].values[0].count, UINT64_MAX);
  cr_assert_eq(report.functions_saturated, 1);
  cr_assert_eq(report.first_saturated, function);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
}

static void add_shape(struct contprof_profile *profile, const char *name, uint32_t counters,
                      uint32_t bitmap, uint32_t calls) {
  const uint32_t sites[] = {calls, 0, 0};
  contprof_profile_add(profile, name, strlen(name), 1, counters, bitmap, sites)->counters[0] = 1;
}

Test(profile_merge, leaves_conflicting_functions_out_alone) {
  struct contprof_profile into = {0}, from = {0};
  add_shape(&into, "counters", 1, 1, 1);
  add_shape(&into, "bitmap", 1, 1, 1);
  add_shape(&into, "sites", 1, 1, 1);
  add_shape(&into, "good", 1, 1, 1);
  add_shape(&from, "counters", 2, 1, 1);
  add_shape(&from, "bitmap", 1, 2, 1);
  add_shape(&from, "sites", 1, 1, 2);
  add_shape(&from, "good", 1, 1, 1);
  cr_assert(merge(&into, &from, 1));
  cr_assert_eq(report.functions_dropped, 3);
  cr_assert_str_eq(report.first_dropped->name, "counters");
  cr_assert_str_eq(report.left_out[0]->name, "counters");
  cr_assert_str_eq(report.left_out[2]->name, "sites");
  cr_assert_eq(contprof_profile_find(&into, "counters", 8, 1)->counters[0], 1);
  cr_assert_eq(contprof_profile_find(&into, "bitmap", 6, 1)->counters[0], 1);
  cr_assert_eq(contprof_profile_find(&into, "sites", 5, 1)->counters[0], 1);
  cr_assert_eq(contprof_profile_find(&into, "good", 4, 1)->counters[0], 2);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
}

Test(profile_merge, names_the_first_that_it_leaves_out) {
  struct contprof_profile into = {0}, from = {.format = CONTPROF_FORMAT_RAW};
  char name[16];
  for (int i = 0; i < CONTPROF_LEFT_OUT_NAMED + 4; i++) {
    snprintf(name, sizeof name, "f%d", i);
    add_shape(&into, name, 1, 0, 0);
    add_shape(&from, name, i % 2 ? 2 : 1, 0, 0); // conflicting ones and wrapped ones in turn
    if (i % 2 == 0)
      from.functions[i]->counters[0] = CONTPROF_COUNT_CREDIBLE + 1;
  }
  cr_assert(merge(&into, &from, 1));
  cr_assert_eq(report.functions_dropped + report.functions_wrapped, CONTPROF_LEFT_OUT_NAMED + 4);
  for (int i = 0; i < CONTPROF_LEFT_OUT_NAMED; i++)
    cr_assert_eq(report.left_out[i], from.functions[i]);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
}

static bool kinds_mix(uint64_t left, uint64_t right) {
  struct contprof_profile into = {.variant = left}, from = {.variant = right};
  add_shape(&into, "f", 1, 0, 0);
  add_shape(&from, "f", 1, 0, 0);
  bool ok = merge(&into, &from, 1);
  if (ok)
    cr_assert_eq(into.variant, left | right);
  else
    cr_assert(error.code == CONTPROF_MISMATCH && into.functions[0]->counters[0] == 1);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
  return ok;
}

Test(profile_merge, refuses_other_kinds) {
  cr_assert(kinds_mix(0, 0));
  cr_assert(kinds_mix(CONTPROF_VARIANT_IR, CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS));
  cr_assert(kinds_mix(CONTPROF_VARIANT_IR, CONTPROF_VARIANT_IR | CONTPROF_VARIANT_ENTRY_FIRST));
  cr_assert_not(kinds_mix(0, CONTPROF_VARIANT_IR));
  cr_assert_not(kinds_mix(CONTPROF_VARIANT_IR, 0));
  cr_assert_not(kinds_mix(0, CONTPROF_VARIANT_BYTE_COVERAGE));
  cr_assert_not(kinds_mix(CONTPROF_VARIANT_IR, CONTPROF_VARIANT_IR | CONTPROF_VARIANT_ENTRY_ONLY));
}

Test(profile_merge, refuses_bitmaps_of_another_layout) {
  struct contprof_profile into = {0}, none = {0}, old = {.bitmap_version = 11},
                          new = {.bitmap_version = 12};
  cr_assert(merge(&into, &new, 1));
  cr_assert(merge(&into, &none, 1));
  cr_assert(merge(&into, &new, 1));
  cr_assert_eq(into.bitmap_version, 12);
  cr_assert_not(merge(&into, &old, 1));
  cr_assert_eq(error.code, CONTPROF_MISMATCH);
}

Test(profile_merge, names_both_files_of_two_kinds) {
  struct contprof_profile into = {0}, first = {0}, second = {.variant = CONTPROF_VARIANT_IR};
  add_shape(&first, "f", 1, 0, 0);
  add_shape(&second, "f", 1, 0, 0);
  contprof_error_clear(&error);
  cr_assert(contprof_profile_merge(&into, &first, 1, &report, "first.profraw", &error));
  cr_assert_not(contprof_profile_merge(&into, &second, 1, &report, "second.profraw", &error));
  cr_assert_str_eq(error.file, "second.profraw");
  cr_assert(strstr(error.message, "first.profraw"), "%s", error.message);
  contprof_profile_free(&into);
  contprof_profile_free(&first);
  contprof_profile_free(&second);
}

Test(profile_merge, a_profile_without_functions_is_of_any_kind) {
  struct contprof_profile into = {0}, empty = {.format = CONTPROF_FORMAT_RAW, .version = 8},
                          from = {.variant = CONTPROF_VARIANT_IR, .format = CONTPROF_FORMAT_RAW};
  add_shape(&from, "f", 1, 0, 0);
  cr_assert(merge(&into, &empty, 1));
  cr_assert(merge(&into, &from, 1));
  cr_assert_eq(into.variant, CONTPROF_VARIANT_IR);
  cr_assert_eq(into.version, 8);
  cr_assert(merge(&into, &empty, 1));
  cr_assert_eq(into.variant, CONTPROF_VARIANT_IR);
  contprof_profile_free(&into);
  contprof_profile_free(&from);
}

static uint64_t merge_first_counters(uint64_t left, uint64_t right) {
  struct contprof_profile into = {0}, from = {0};
  add_shape(&into, "f", 1, 0, 0);
  add_shape(&from, "f", 1, 0, 0);
  into.functions[0]->counters[0] = left;
  from.functions[0]->counters[0] = right;
  cr_assert(merge(&into, &from, 5));
  uint64_t result = into.functions[0]->counters[0];
  contprof_profile_free(&into);
  contprof_profile_free(&from);
  return result;
}

Test(profile_merge, functions_marked_hot_or_warm_have_no_counts_to_add) {
  cr_assert_eq(merge_first_counters(CONTPROF_COUNT_WARM, CONTPROF_COUNT_HOT), CONTPROF_COUNT_HOT);
  cr_assert_eq(merge_first_counters(CONTPROF_COUNT_HOT, CONTPROF_COUNT_WARM), CONTPROF_COUNT_HOT);
  cr_assert_eq(merge_first_counters(CONTPROF_COUNT_WARM, CONTPROF_COUNT_WARM), CONTPROF_COUNT_WARM);
  cr_assert_eq(merge_first_counters(3, CONTPROF_COUNT_WARM), 3);
  cr_assert_eq(report.functions_dropped, 1);
}

// A small generator of the same numbers every time.
static uint32_t next_number(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 16;
}

static void fill(struct contprof_profile *profile, uint32_t seed) {
  char name[16];
  for (int i = 0; i < 40; i++) {
    const uint32_t sites[] = {1, 1, 0};
    sprintf(name, "f%u", next_number(&seed) % 60);
    if (contprof_profile_find(profile, name, strlen(name), 1))
      continue;
    struct contprof_function *function =
        contprof_profile_add(profile, name, strlen(name), 1, 2, 1, sites);
    function->counters[0] = next_number(&seed);
    function->bitmap[0] = (uint8_t)next_number(&seed);
    struct contprof_value values[200];
    for (int j = 0; j < 200; j++)
      values[j] = (struct contprof_value){next_number(&seed) % 1000, next_number(&seed) % 3};
    contprof_profile_set_site(profile, function->sites[1], values, 200);
  }
}

static void check_same_site(const struct contprof_value_site *left,
                            const struct contprof_value_site *right) {
  cr_assert_eq(left->count, right->count);
  for (uint32_t i = 0; i < left->count; i++) {
    cr_assert(left->values[i].value == right->values[i].value &&
              left->values[i].count == right->values[i].count);
  }
}

static void check_same(struct contprof_profile *left, struct contprof_profile *right) {
  contprof_profile_sort(left);
  contprof_profile_sort(right);
  cr_assert_eq(left->function_count, right->function_count);
  for (size_t i = 0; i < left->function_count; i++) {
    const struct contprof_function *one = left->functions[i], *two = right->functions[i];
    cr_assert_str_eq(one->name, two->name);
    cr_assert_eq(one->counters[0], two->counters[0]);
    cr_assert_eq(one->bitmap[0], two->bitmap[0]);
    check_same_site(one->sites[1], two->sites[1]);
  }
}

enum { PARTS = 8 };

Test(profile_merge, order_and_grouping_do_not_matter) {
  struct contprof_profile parts[PARTS] = {0}, forwards = {0}, backwards = {0}, left = {0},
                          right = {0};
  for (uint32_t i = 0; i < PARTS; i++)
    fill(&parts[i], i);
  for (int i = 0; i < PARTS; i++) {
    cr_assert(merge(&forwards, &parts[i], 2));
    cr_assert(merge(&backwards, &parts[PARTS - 1 - i], 2));
    cr_assert(merge(i % 3 ? &left : &right, &parts[i], 1));
  }
  cr_assert(merge(&left, &right, 1));
  check_same(&forwards, &backwards);
  struct contprof_profile doubled = {0};
  cr_assert(merge(&doubled, &left, 2));
  check_same(&forwards, &doubled);
  for (int i = 0; i < PARTS; i++)
    contprof_profile_free(&parts[i]);
  contprof_profile_free(&forwards);
  contprof_profile_free(&backwards);
  contprof_profile_free(&left);
  contprof_profile_free(&right);
  contprof_profile_free(&doubled);
}

Test(profile_merge, moves_what_it_would_copy) {
  struct contprof_trace_limits limits = {7, 7};
  struct contprof_profile into = {.trace_limits = &limits}, from = {0}, other = {0};
  struct contprof_function *function = add(&from, 10, 20, 1, (struct contprof_value){3, 2});
  from.format = CONTPROF_FORMAT_RAW;
  contprof_profile_add_binary_id(&from, (const uint8_t *)"id", 2);
  from.keeps_binary_ids = true;
  cr_assert(contprof_profile_move(&into, &from, "from"));
  cr_assert(from.function_count == 0 && from.arena.blocks == NULL);
  cr_assert_eq(contprof_profile_find(&into, "f", 1, 1), function);
  cr_assert(into.trace_limits == &limits && into.binary_id_count == 1 && into.keeps_binary_ids);
  cr_assert_str_eq(into.path, "from");
  add(&other, 1, 1, 0, (struct contprof_value){3, 2});
  cr_assert_not(contprof_profile_move(&into, &other, "other"), "there is something already");
  contprof_profile_free(&into);
  contprof_profile_free(&other);
}

Test(profile_merge, moves_no_count_that_it_would_bend) {
  static const struct {
    enum contprof_format format;
    uint64_t first, second;
    bool moves;
  } CASES[] = {
      {CONTPROF_FORMAT_RAW, 1, CONTPROF_COUNT_CREDIBLE, true},
      {CONTPROF_FORMAT_RAW, 1, CONTPROF_COUNT_CREDIBLE + 1, false},
      {CONTPROF_FORMAT_TEXT, 1, CONTPROF_COUNT_MAX, true},
      {CONTPROF_FORMAT_TEXT, 1, CONTPROF_COUNT_WARM, false},
      {CONTPROF_FORMAT_INDEXED, CONTPROF_COUNT_HOT, 1, true},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct contprof_profile into = {0}, from = {0};
    add(&from, CASES[i].first, CASES[i].second, 1, (struct contprof_value){3, 2});
    from.format = CASES[i].format;
    cr_assert_eq(contprof_profile_move(&into, &from, "t"), CASES[i].moves, "case %d", (int)i);
    contprof_profile_free(&into);
    contprof_profile_free(&from);
  }
}
