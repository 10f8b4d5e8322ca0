// How alike two sample profiles are.
#include "../../../tools/sample/sample_overlap.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct contprof_sample_profile base, test;
static struct contprof_sample_overlap overlap;
static struct contprof_sample_overlap_options options = {
    .base_hot = 50, .test_hot = 50, .value_cutoff = UINT64_MAX};

static struct contprof_function_samples *add(struct contprof_sample_profile *profile,
                                             const char *name, uint32_t line, uint64_t count) {
  struct contprof_function_samples *function =
      contprof_samples_of(profile, contprof_sample_name_of(profile, name, strlen(name)));
  contprof_body_at(profile, function, (struct contprof_sample_line){line, 0})->count = count;
  return function;
}

static void clean(void) {
  contprof_sample_overlap_free(&overlap);
  contprof_sample_profile_free(&base);
  contprof_sample_profile_free(&test);
}

Test(sample_overlap, the_same_twice, .fini = clean) {
  add(&base, "f", 1, 90);
  add(&base, "g", 2, 10);
  contprof_sample_overlap_of(&base, &base, &options, &overlap);
  cr_assert_eq(overlap.similarity, 1);
  cr_assert_eq(overlap.samples.overlap, 100);
  cr_assert_eq(overlap.hot_lines.both, 1);
  cr_assert_eq(overlap.hot_functions.both, 1);
  cr_assert_eq(overlap.functions.both, 2);
  cr_assert_eq(overlap.listed_count, 0);
}

Test(sample_overlap, nothing_in_common, .fini = clean) {
  add(&base, "f", 1, 60);
  add(&test, "g", 1, 70);
  options.value_cutoff = 70;
  contprof_sample_overlap_of(&base, &test, &options, &overlap);
  cr_assert_eq(overlap.similarity, 0);
  cr_assert_eq(overlap.samples.overlap, 0);
  cr_assert_eq(overlap.samples.either, 130);
  cr_assert_eq(overlap.base_only_functions, 1);
  cr_assert_eq(overlap.test_only_functions, 1);
  cr_assert_eq(overlap.hot_lines.either, 2);
  cr_assert_eq(overlap.listed_count, 1);
  cr_assert_eq(overlap.listed[0].samples.test_only, 70);
}

// Of f, half of the samples are at another line.
Test(sample_overlap, half_of_a_function, .fini = clean) {
  add(&base, "f", 1, 50);
  add(&base, "f", 2, 50);
  add(&test, "f", 1, 5);
  add(&test, "f", 3, 5);
  options.low_similarity = 0.6;
  contprof_sample_overlap_of(&base, &test, &options, &overlap);
  cr_assert_lt(fabs(overlap.similarity - 0.5), 1e-9);
  cr_assert_eq(overlap.samples.base_only, 50);
  cr_assert_eq(overlap.samples.test_only, 5);
  cr_assert_eq(overlap.listed_count, 1);
}

Test(sample_overlap, an_inlined_function_of_one_profile_is_as_a_line, .fini = clean) {
  struct contprof_function_samples *f = add(&base, "f", 1, 40);
  struct contprof_function_samples *g = contprof_samples_inlined(
      &base, f, (struct contprof_sample_line){2, 0}, contprof_sample_name_of(&base, "g", 1));
  contprof_body_at(&base, g, (struct contprof_sample_line){1, 0})->count = 60;
  add(&test, "f", 1, 40);
  contprof_sample_overlap_of(&base, &test, &options, &overlap);
  cr_assert_eq(overlap.samples.base, 100);
  cr_assert_eq(overlap.samples.base_only, 60);
  cr_assert_eq(overlap.hot_lines.base, 1);
  cr_assert_lt(fabs(overlap.similarity - 0.4), 1e-9);
}

Test(sample_overlap, no_samples, .fini = clean) {
  add(&base, "f", 1, 0);
  add(&test, "f", 1, 5);
  contprof_sample_overlap_of(&base, &test, &options, &overlap);
  cr_assert_eq(overlap.samples.base, 0);
  cr_assert_eq(overlap.samples.test, 5);
}
