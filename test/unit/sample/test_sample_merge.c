#include "tools/sample/sample_profile.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_sample_profile into, from;
static struct contprof_error error;

static void begin(void) {
  contprof_error_clear(&error);
}

static void end(void) {
  contprof_sample_profile_free(&into);
  contprof_sample_profile_free(&from);
}

TestSuite(sample_merge, .init = begin, .fini = end);

static const struct contprof_sample_name *name(struct contprof_sample_profile *profile,
                                               const char *text) {
  return contprof_sample_name_of(profile, text, strlen(text));
}

static struct contprof_function_samples *function(struct contprof_sample_profile *profile,
                                                  const char *text) {
  return contprof_samples_of(profile, name(profile, text));
}

static struct contprof_body_sample *body(struct contprof_sample_profile *profile,
                                         struct contprof_function_samples *samples,
                                         uint32_t offset) {
  return contprof_body_at(profile, samples, (struct contprof_sample_line){offset, 0});
}

static struct contprof_function_samples *inlined(struct contprof_sample_profile *profile,
                                                 struct contprof_function_samples *samples,
                                                 uint32_t offset, const char *text) {
  return contprof_samples_inlined(profile, samples, (struct contprof_sample_line){offset, 0},
                                  name(profile, text));
}

// Counts body lines `first`, first + step... of f, twenty of them, each with its offset's number.
static void count_lines(struct contprof_sample_profile *profile, uint32_t first, uint32_t step) {
  struct contprof_function_samples *f = function(profile, "f");
  for (uint32_t i = 0; i < 20; i++)
    body(profile, f, first + i * step)->count += first + i * step;
}

Test(sample_merge, lines_of_either_are_there_once) {
  count_lines(&into, 0, 3);
  count_lines(&from, 0, 5);
  cr_assert(contprof_sample_profile_merge(&into, &from, 10, &error));
  const struct contprof_function_samples *f = contprof_samples_find(&into, "f", 1);
  uint32_t lines = 0;
  for (uint32_t at = 0; at < 100; at++) {
    uint64_t wanted = (at % 3 == 0 && at < 60 ? at : 0) + (at % 5 == 0 ? at * 10 : 0);
    if (!(at % 3 == 0 && at < 60) && at % 5 != 0)
      continue;
    cr_assert_eq(f->bodies[lines].line.offset, at);
    cr_assert_eq(f->bodies[lines].count, wanted, "line %u", at);
    lines++;
  }
  cr_assert_eq(f->body_count, lines);
}

Test(sample_merge, targets_and_inlinees_are_those_of_either) {
  struct contprof_function_samples *f = function(&into, "f"), *g = function(&from, "f");
  contprof_body_add_target(&into, body(&into, f, 1), name(&into, "b"), 1);
  contprof_body_add_target(&from, body(&from, g, 1), name(&from, "a"), 2);
  contprof_body_add_target(&from, body(&from, g, 1), name(&from, "b"), 3);
  inlined(&into, f, 2, "y")->total = 1;
  inlined(&from, g, 2, "x")->total = 2;
  inlined(&from, g, 2, "y")->total = 3;
  inlined(&from, inlined(&from, g, 4, "z"), 5, "deep")->total = 4;
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert_eq(f->bodies[0].target_count, 2);
  cr_assert_str_eq(f->bodies[0].targets[0].name->text, "a");
  cr_assert_eq(f->bodies[0].targets[1].count, 4);
  cr_assert_eq(f->callsite_count, 2);
  cr_assert_eq(f->callsites[0].inlinee_count, 2);
  cr_assert_str_eq(f->callsites[0].inlinees[0]->name->text, "x");
  cr_assert_eq(f->callsites[0].inlinees[1]->total, 4);
  cr_assert_eq(f->callsites[1].inlinees[0]->callsites[0].inlinees[0]->total, 4);
}

Test(sample_merge, the_result_is_its_own) {
  function(&from, "f")->head = 3;
  contprof_body_add_target(&from, body(&from, function(&from, "f"), 1), name(&from, "t"), 2);
  cr_assert(contprof_sample_profile_merge(&into, &from, 2, &error));
  contprof_sample_profile_free(&from);
  const struct contprof_function_samples *f = contprof_samples_find(&into, "f", 1);
  cr_assert_eq(f->head, 6);
  cr_assert_str_eq(f->bodies[0].targets[0].name->text, "t");
}

Test(sample_merge, other_hashes_are_told_and_left) {
  into.probe_based = from.probe_based = true;
  function(&into, "f")->cfg_hash = 1;
  function(&from, "f")->cfg_hash = 2;
  function(&from, "f")->total = 5;
  function(&from, "g")->total = 6;
  cr_assert_not(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert_eq(error.code, CONTPROF_MISMATCH);
  cr_assert_eq(function(&into, "f")->total, 0);
  cr_assert_eq(function(&into, "g")->total, 6);
}

Test(sample_merge, kinds_do_not_mix) {
  function(&into, "f")->total = 1;
  cr_assert(contprof_sample_profile_merge(&from, &into, 1, &error));
  into.context_sensitive = true;
  cr_assert_not(contprof_sample_profile_merge(&from, &into, 1, &error));
  cr_assert_eq(error.code, CONTPROF_MISMATCH);
  cr_assert_eq(function(&from, "f")->total, 1);
}

Test(sample_merge, a_hash_and_its_name_are_one_function) {
  function(&into, "main")->total = 1;
  from.md5_names = true;
  contprof_samples_of(
      &from, contprof_sample_name_of_hash(&from, contprof_sample_name_hash(name(&into, "main"))))
      ->total = 2;
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert_eq(into.function_count, 1);
  cr_assert_eq(function(&into, "main")->total, 3);
}

Test(sample_merge, contexts_are_copied) {
  struct contprof_context_frame frames[] = {{name(&from, "main"), {3, 1}},
                                            {name(&from, "f"), {0, 0}}};
  from.context_sensitive = true;
  contprof_samples_of_context(&from, frames, 2)->attributes = CONTPROF_CONTEXT_SHOULD_BE_INLINED;
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert_eq(into.function_count, 1);
  cr_assert_eq(into.functions[0]->attributes, CONTPROF_CONTEXT_SHOULD_BE_INLINED);
  cr_assert_str_eq(into.functions[0]->context[0].name->text, "main");
  cr_assert_eq(into.functions[0]->context[0].line.discriminator, 1);
}

Test(sample_merge, saturation_is_kept_in_mind) {
  function(&from, "f")->total = UINT64_MAX / 2;
  cr_assert(contprof_sample_profile_merge(&into, &from, 3, &error));
  cr_assert(into.saturated);
  cr_assert_eq(function(&into, "f")->total, UINT64_MAX);
}

// A profile of hashes, another of names, and hashes again: the last one's function is still the
// second one's.
Test(sample_merge, hashes_find_names_whatever_came_between) {
  struct contprof_sample_profile named = {0};
  uint64_t hash = contprof_sample_name_hash(name(&named, "f"));
  function(&named, "f")->total = 1;
  from.md5_names = true;
  contprof_samples_of(&from, contprof_sample_name_of_hash(&from, hash))->total = 20;
  cr_assert(contprof_sample_profile_merge(&into, &named, 1, &error));
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert(contprof_sample_profile_merge(&into, &from, 1, &error));
  cr_assert(contprof_sample_profile_merge(&into, &named, 1, &error));
  cr_assert_eq(into.function_count, 1);
  cr_assert_eq(contprof_samples_find(&into, "f", 1)->total, 42);
  contprof_sample_profile_free(&named);
}
