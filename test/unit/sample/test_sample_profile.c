#include "tools/sample/sample_profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct contprof_sample_profile profile;

static void end(void) {
  contprof_sample_profile_free(&profile);
}

TestSuite(sample_profile, .fini = end);

static const struct contprof_sample_name *name(const char *text) {
  return contprof_sample_name_of(&profile, text, strlen(text));
}

static struct contprof_function_samples *function(const char *text) {
  return contprof_samples_of(&profile, name(text));
}

static struct contprof_sample_line line(uint32_t offset, uint32_t discriminator) {
  return (struct contprof_sample_line){offset, discriminator};
}

Test(sample_profile, equal_names_are_one) {
  char text[16];
  const struct contprof_sample_name *first = name("name0");
  for (int i = 0; i < 5000; i++) {
    snprintf(text, sizeof text, "name%d", i);
    cr_assert_eq(name(text), name(text));
  }
  cr_assert_eq(name("name0"), first);
  cr_assert_neq(name("name1"), first);
  cr_assert_str_eq(first->text, "name0");
}

// llvm::MD5Hash("main"), as the indexed formats have it.
Test(sample_profile, a_name_and_its_hash_are_two) {
  const struct contprof_sample_name *hashed =
      contprof_sample_name_of_hash(&profile, UINT64_C(15822663052811949562));
  cr_assert_eq(contprof_sample_name_hash(name("main")), UINT64_C(15822663052811949562));
  cr_assert_eq(contprof_sample_name_hash(hashed), UINT64_C(15822663052811949562));
  cr_assert_neq(hashed, name("main"));
  cr_assert_lt(contprof_sample_name_compare(hashed, name("main")), 0);
}

Test(sample_profile, names_are_ordered_by_their_bytes) {
  cr_assert_lt(contprof_sample_name_compare(name("ab"), name("abc")), 0);
  cr_assert_gt(contprof_sample_name_compare(name("b"), name("abc")), 0);
  cr_assert_gt(contprof_sample_name_compare(name("\xff"), name("a")), 0);
}

Test(sample_profile, bodies_stand_in_order_of_lines) {
  struct contprof_function_samples *f = function("f");
  for (uint32_t i = 0; i < 300; i++)
    contprof_body_at(&profile, f, line(i * 7 % 300, i % 2))->count = i;
  for (uint32_t i = 0; i < 300; i++)
    cr_assert_eq(contprof_body_at(&profile, f, line(i * 7 % 300, i % 2))->count, i);
  cr_assert_eq(f->body_count, 300);
  for (size_t i = 1; i < f->body_count; i++)
    cr_assert_lt(contprof_sample_line_compare(f->bodies[i - 1].line, f->bodies[i].line), 0);
}

Test(sample_profile, targets_are_summed_and_in_order) {
  struct contprof_body_sample *body = contprof_body_at(&profile, function("f"), line(1, 0));
  contprof_body_add_target(&profile, body, name("b"), 2);
  contprof_body_add_target(&profile, body, name("a"), 1);
  contprof_body_add_target(&profile, body, name("c"), 3);
  contprof_body_add_target(&profile, body, name("a"), 5);
  cr_assert_eq(body->target_count, 3);
  cr_assert_eq(body->targets[0].count, 6);
  cr_assert_str_eq(body->targets[2].name->text, "c");
  struct contprof_call_target sorted[3];
  contprof_targets_sorted(body, sorted);
  cr_assert_eq(sorted[0].count, 6);
  cr_assert_eq(sorted[2].count, 2);
}

Test(sample_profile, functions_are_found_and_taken_out) {
  char text[16];
  for (int i = 0; i < 1000; i++) {
    snprintf(text, sizeof text, "f%d", i);
    function(text)->total = (uint64_t)i;
  }
  contprof_samples_remove(&profile, contprof_samples_find(&profile, "f500", 4));
  cr_assert_eq(profile.function_count, 999);
  cr_assert_null(contprof_samples_find(&profile, "f500", 4));
  cr_assert_null(contprof_samples_find(&profile, "g", 1));
  cr_assert_eq(contprof_samples_find(&profile, "f999", 4)->total, 999);
}

static bool is_even(void *context, const struct contprof_function_samples *samples) {
  (void)context;
  return samples->total % 2 == 0;
}

Test(sample_profile, functions_are_added_after_some_were_taken_out) {
  char text[16];
  for (int i = 0; i < 16; i++) {
    snprintf(text, sizeof text, "f%d", i);
    function(text)->total = (uint64_t)i;
  }
  contprof_samples_keep(&profile, is_even, NULL);
  cr_assert_eq(profile.function_count, 8);
  for (int i = 0; i < 100; i++) {
    snprintf(text, sizeof text, "g%d", i);
    function(text);
  }
  cr_assert_eq(profile.function_count, 108);
  cr_assert_eq(contprof_samples_find(&profile, "f14", 3)->total, 14);
}

Test(sample_profile, contexts_tell_functions_apart) {
  struct contprof_context_frame frames[] = {{name("main"), line(3, 0)}, {name("f"), line(0, 0)}};
  struct contprof_function_samples *inner = contprof_samples_of_context(&profile, frames, 2);
  cr_assert_eq(contprof_samples_of_context(&profile, frames, 2), inner);
  frames[0].line.discriminator = 1;
  cr_assert_neq(contprof_samples_of_context(&profile, frames, 2), inner);
  cr_assert_neq(contprof_samples_of_context(&profile, frames + 1, 1), inner);
  cr_assert_neq(function("f"), inner);
  cr_assert_eq(profile.function_count, 4);
  char *text = contprof_samples_text(inner);
  cr_assert_str_eq(text, "main:3 @ f");
  free(text);
}

Test(sample_profile, the_head_is_estimated_from_the_first_line) {
  struct contprof_function_samples *f = function("f");
  cr_assert_eq(contprof_samples_head_estimate(f), 0);
  f->total = 10;
  cr_assert_eq(contprof_samples_head_estimate(f), 1);
  contprof_body_at(&profile, f, line(2, 0))->count = 7;
  cr_assert_eq(contprof_samples_head_estimate(f), 7);
  struct contprof_function_samples *g =
      contprof_samples_inlined(&profile, f, line(2, 0), name("g"));
  contprof_body_at(&profile, g, line(1, 0))->count = 4;
  cr_assert_eq(contprof_samples_head_estimate(f), 4); // not below the callsite's line
  struct contprof_function_samples *h =
      contprof_samples_inlined(&profile, f, line(2, 0), name("h"));
  contprof_body_at(&profile, h, line(1, 0))->count = 5;
  cr_assert_eq(contprof_samples_head_estimate(f), 9);
}

Test(sample_profile, sums_stop_at_the_largest_number) {
  bool saturated = false;
  cr_assert_eq(contprof_samples_add(1, 2, 3, &saturated), 7);
  cr_assert_not(saturated);
  cr_assert_eq(contprof_samples_add(UINT64_MAX - 5, 2, 3, &saturated), UINT64_MAX);
  cr_assert(saturated);
  saturated = false;
  cr_assert_eq(contprof_samples_add(0, UINT64_MAX, 2, &saturated), UINT64_MAX);
  cr_assert(saturated);
}

Test(sample_profile, symbols_are_sorted_and_told_once) {
  contprof_symbols_add(&profile, "b", 1);
  contprof_symbols_add(&profile, "a", 1);
  contprof_symbols_add(&profile, "b", 1);
  contprof_symbols_sort(&profile);
  cr_assert_eq(profile.symbol_count, 2);
  cr_assert_str_eq(profile.symbols[0], "a");
}
