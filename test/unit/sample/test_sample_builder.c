#include "tools/sample/sample_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_sample_profile profile;
static struct contprof_sample_builder builder;

static void begin(void) {
  builder = contprof_builder_for(&profile);
}

static void end(void) {
  contprof_sample_profile_free(&profile);
}

TestSuite(sample_builder, .init = begin, .fini = end);

static const struct contprof_sample_name *name(const char *text) {
  return contprof_sample_name_of(&profile, text, strlen(text));
}

static struct contprof_function_samples *open(const char *text) {
  struct contprof_function_samples *function = contprof_samples_of(&profile, name(text));
  contprof_builder_top(&builder, function);
  return function;
}

static void body(uint32_t offset, uint64_t count) {
  contprof_builder_body(&builder, (struct contprof_sample_line){offset, 0}, count);
}

static struct contprof_function_samples *inlined(uint32_t offset, const char *text) {
  return contprof_builder_inlined(&builder, (struct contprof_sample_line){offset, 0}, name(text));
}

Test(sample_builder, lines_are_sorted_and_summed) {
  const struct contprof_function_samples *f = open("f");
  for (uint32_t i = 0; i < 1000; i++)
    body(i * 7 % 100, 1);
  contprof_builder_finish(&builder);
  cr_assert_eq(f->body_count, 100);
  for (uint32_t i = 0; i < 100; i++)
    cr_assert(f->bodies[i].line.offset == i && f->bodies[i].count == 10);
}

Test(sample_builder, equal_targets_are_summed_or_the_last_one) {
  const struct contprof_function_samples *f = open("f");
  for (uint32_t line = 0; line < 2; line++) {
    builder.last_target_counts = line;
    contprof_builder_target(&builder, name("t"), 5);
    contprof_builder_target(&builder, name("a"), 1);
    contprof_builder_target(&builder, name("t"), 7);
    body(line, 1);
  }
  contprof_builder_finish(&builder);
  cr_assert_eq(f->bodies[0].target_count, 2);
  cr_assert_eq(f->bodies[0].targets[1].count, 12);
  cr_assert_eq(f->bodies[1].targets[1].count, 7);
}

Test(sample_builder, targets_of_one_line_told_twice_are_summed) {
  const struct contprof_function_samples *f = open("f");
  builder.last_target_counts = true;
  for (int i = 0; i < 2; i++) {
    contprof_builder_target(&builder, name("t"), 5);
    body(1, 3);
  }
  contprof_builder_finish(&builder);
  cr_assert_eq(f->bodies[0].count, 6);
  cr_assert_eq(f->bodies[0].targets[0].count, 10);
}

Test(sample_builder, functions_inlined_at_one_place_are_one) {
  const struct contprof_function_samples *f = open("f");
  for (int i = 0; i < 3; i++) {
    inlined(4, "g")->total = 2;
    body(1, 1);
    inlined(2, "h")->total = 1;
    body((uint32_t)i, 1);
    contprof_builder_close(&builder, 1);
  }
  inlined(1, "g");
  contprof_builder_finish(&builder);
  cr_assert_eq(f->callsite_count, 2);
  const struct contprof_function_samples *g = f->callsites[1].inlinees[0];
  cr_assert(g->total == 6 && g->body_count == 1 && g->bodies[0].count == 3);
  cr_assert(g->callsite_count == 1 && g->callsites[0].inlinee_count == 1);
  cr_assert_eq(g->callsites[0].inlinees[0]->body_count, 3);
}

Test(sample_builder, a_function_told_in_parts_is_whole) {
  const struct contprof_function_samples *f = open("f");
  body(5, 1);
  open("other");
  body(1, 1);
  for (uint32_t i = 0; i < 3; i++) {
    open("f");
    body(i, 1);
    inlined(9, "g");
    body(0, 1);
  }
  contprof_builder_finish(&builder);
  cr_assert_eq(profile.function_count, 2);
  cr_assert_eq(f->body_count, 4);
  cr_assert_eq(f->callsite_count, 1);
  cr_assert_eq(f->callsites[0].inlinees[0]->bodies[0].count, 3);
}

Test(sample_builder, depth_has_an_end) {
  open("f");
  size_t depth = 1;
  while (inlined(1, "f"))
    depth++;
  cr_assert_eq(depth, CONTPROF_INLINE_DEPTH);
  contprof_builder_finish(&builder);
}
