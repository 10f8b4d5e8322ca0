// The orders of what is in a sample profile.
#include "../../../tools/sample/sample_order.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct contprof_sample_name named(const char *text) {
  return (struct contprof_sample_name){.text = text, .length = strlen(text)};
}

static struct contprof_sample_name hashed(uint64_t hash) {
  return (struct contprof_sample_name){.hash = hash};
}

static int compare(struct contprof_sample_name left, struct contprof_sample_name right) {
  return contprof_sample_name_compare(&left, &right);
}

Test(sample_order, names_by_their_bytes) {
  cr_assert_lt(compare(named("a"), named("b")), 0);
  cr_assert_lt(compare(named("a"), named("ab")), 0);
  cr_assert_gt(compare(named("\xc3"), named("z")), 0);
  cr_assert_eq(compare(named("same"), named("same")), 0);
}

Test(sample_order, hashes_before_names) {
  cr_assert_lt(compare(hashed(UINT64_MAX), named("")), 0);
  cr_assert_lt(compare(hashed(9), hashed(10)), 0);
  cr_assert_gt(compare(named("a"), hashed(1)), 0);
}

Test(sample_order, contexts_after_plain_functions_and_by_frame) {
  struct contprof_sample_name f = named("f"), g = named("g");
  struct contprof_context_frame one[] = {{&f, {3, 0}}, {&g, {0, 0}}};
  struct contprof_context_frame other[] = {{&f, {3, 1}}, {&f, {0, 0}}};
  struct contprof_function_samples plain = {.name = &g};
  struct contprof_function_samples left = {.name = &g, .context = one, .context_count = 2};
  struct contprof_function_samples right = {.name = &f, .context = other, .context_count = 2};
  struct contprof_function_samples base = {.name = &f, .context = one, .context_count = 1};
  cr_assert_lt(contprof_sample_context_compare(&plain, &left), 0);
  cr_assert_lt(contprof_sample_context_compare(&left, &right), 0);
  cr_assert_lt(contprof_sample_context_compare(&base, &left), 0);
  cr_assert_eq(contprof_sample_context_compare(&left, &left), 0);
}

Test(sample_order, hottest_functions_first) {
  struct contprof_sample_name a = named("a"), b = named("b"), c = named("c");
  struct contprof_function_samples cold = {.name = &a, .total = 1}, warm = {.name = &b, .total = 9},
                                   alike = {.name = &c, .total = 9};
  struct contprof_function_samples *functions[] = {&cold, &alike, &warm};
  struct contprof_sample_profile profile = {.functions = functions, .function_count = 3};
  const struct contprof_function_samples **sorted = contprof_samples_sorted(&profile);
  cr_assert(sorted[0] == &warm && sorted[1] == &alike && sorted[2] == &cold);
  free(sorted);
  sorted = contprof_samples_sorted_by_context(&profile);
  cr_assert(sorted[0] == &cold && sorted[1] == &warm && sorted[2] == &alike);
  free(sorted);
}

Test(sample_order, most_frequent_targets_first) {
  struct contprof_sample_name a = named("a"), b = named("b"), c = named("c");
  struct contprof_call_target targets[] = {{&a, 1}, {&b, 7}, {&c, 7}};
  struct contprof_body_sample body = {.targets = targets, .target_count = 3};
  const struct contprof_call_target **sorted = contprof_targets_sorted(&body);
  cr_assert(sorted[0] == &targets[1] && sorted[1] == &targets[2] && sorted[2] == &targets[0]);
  free(sorted);
  body.target_count = 0;
  cr_assert_null(contprof_targets_sorted(&body));
}
