// Counts multiplied by what samples say: what follows from the definition, without files.
#include "tools/combine/combination.h"
#include "tools/combine/supplement.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

enum { FUNCTIONS = 20 };

static const struct contprof_combine_options OPTIONS = {.min_size = CONTPROF_SUPPLEMENT_MIN_SIZE,
                                                        .zero_threshold =
                                                            CONTPROF_SUPPLEMENT_ZERO_THRESHOLD,
                                                        .tolerance = CONTPROF_COMBINE_TOLERANCE,
                                                        .trusted = CONTPROF_COMBINE_TRUSTED};

static uint64_t count_of(int number) {
  return (uint64_t)(number + 1) * 1000;
}

static const char *name_of(int number) {
  static char name[16];
  snprintf(name, sizeof name, "f%02d", number);
  return name;
}

static void count(struct contprof_profile *profile) {
  const uint32_t sites[CONTPROF_VALUE_KINDS] = {0};
  for (int i = 0; i < FUNCTIONS; i++) {
    struct contprof_function *function =
        contprof_profile_add(profile, name_of(i), strlen(name_of(i)), 1, 3, 0, sites);
    function->counters[0] = count_of(i);
    function->counters[1] = count_of(i) / 3;
    function->counters[2] = count_of(i) - count_of(i) / 3;
  }
  contprof_profile_sort(profile);
}

static void sample(struct contprof_sample_profile *samples, int number, uint64_t count) {
  const struct contprof_sample_name *name =
      contprof_sample_name_of(samples, name_of(number), strlen(name_of(number)));
  struct contprof_function_samples *function = contprof_samples_of(samples, name);
  contprof_body_at(samples, function, (struct contprof_sample_line){1, 0})->count = count;
  function->total = count;
}

// Samples that agree with the counts but for the function `other`, which is `factor` times as hot.
static void combine(struct contprof_profile *profile, int other, double factor,
                    struct contprof_combination *all) {
  struct contprof_sample_profile samples = {0};
  count(profile);
  for (int i = 0; i < FUNCTIONS; i++)
    sample(&samples, i, (uint64_t)((double)count_of(i) * 7 * (i == other ? factor : 1)));
  contprof_combine(all, profile, &samples, &OPTIONS);
  contprof_combine_apply(all, profile);
  contprof_sample_profile_free(&samples);
}

static uint64_t expect_whole_factor(const struct contprof_function *function, int number) {
  uint64_t factor = function->counters[0] / count_of(number);
  cr_assert_eq(function->counters[0], count_of(number) * factor);
  cr_assert_eq(function->counters[1], count_of(number) / 3 * factor);
  cr_assert_eq(function->counters[0], function->counters[1] + function->counters[2]);
  return factor;
}

static void free_both(struct contprof_profile *profile, struct contprof_combination *all) {
  contprof_combination_free(all);
  contprof_profile_free(profile);
}

Test(combination, what_agrees_stays) {
  static const double WITHIN[] = {1, 3.9, 0.3};
  for (size_t i = 0; i < sizeof WITHIN / sizeof *WITHIN; i++) {
    struct contprof_profile profile = {0};
    struct contprof_combination all;
    combine(&profile, 5, WITHIN[i], &all);
    cr_assert_float_eq(all.scale, 7, 0.01);
    for (int j = 0; j < FUNCTIONS; j++)
      cr_assert_eq(expect_whole_factor(profile.functions[j], j), 1);
    free_both(&profile, &all);
  }
}

Test(combination, the_hotter_one_is_multiplied_and_never_beyond_its_samples) {
  struct contprof_profile profile = {0};
  struct contprof_combination all;
  combine(&profile, 5, 100, &all);
  for (int i = 0; i < FUNCTIONS; i++) {
    uint64_t factor = expect_whole_factor(profile.functions[i], i);
    cr_assert(i == 5 ? factor > 30 && factor <= 100 : factor == 1);
  }
  free_both(&profile, &all);
}

Test(combination, the_colder_one_is_multiplied_by_less_than_the_others) {
  struct contprof_profile profile = {0};
  struct contprof_combination all;
  combine(&profile, 5, 0.01, &all);
  for (int i = 0; i < FUNCTIONS; i++) {
    uint64_t factor = expect_whole_factor(profile.functions[i], i);
    cr_assert(i == 5 ? factor >= 1 && factor <= all.multiplier / 30 : factor == all.multiplier);
  }
  free_both(&profile, &all);
}

Test(combination, without_samples_nothing_changes) {
  struct contprof_profile profile = {0};
  struct contprof_sample_profile samples = {0};
  struct contprof_combination all;
  count(&profile);
  contprof_combine(&all, &profile, &samples, &OPTIONS);
  contprof_combine_apply(&all, &profile);
  cr_assert_eq(all.common, 0);
  cr_assert_eq(profile.function_count, FUNCTIONS);
  for (int i = 0; i < FUNCTIONS; i++)
    cr_assert_eq(expect_whole_factor(profile.functions[i], i), 1);
  free_both(&profile, &all);
}
