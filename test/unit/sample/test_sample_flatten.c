// Other shapes of sample profiles: flat, nested, and with cold contexts merged.
#include "../../../tools/sample/cold_contexts.h"
#include "../../../tools/sample/sample_flatten.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct contprof_sample_profile from, into;
static struct contprof_error error;

static const struct contprof_sample_name *named(const char *text) {
  return contprof_sample_name_of(&from, text, strlen(text));
}

static void add_body(struct contprof_function_samples *function, uint32_t line, uint64_t count) {
  contprof_body_at(&from, function, (struct contprof_sample_line){line, 0})->count = count;
  function->total += count;
}

// [CALLER:LINE @ CALLEE], or [CALLEE] if `caller` is NULL.
static struct contprof_function_samples *in_context(const char *caller, uint32_t line,
                                                    const char *callee) {
  struct contprof_context_frame frames[2] = {{.name = named(callee)}, {.name = named(callee)}};
  if (caller)
    frames[0] = (struct contprof_context_frame){named(caller), {line, 0}};
  from.context_sensitive = true;
  return contprof_samples_of_context(&from, frames, caller ? 2 : 1);
}

static const struct contprof_function_samples *found(const char *name) {
  const struct contprof_function_samples *function =
      contprof_samples_find(&into, name, strlen(name));
  cr_assert(function, "%s", name);
  return function;
}

static void clean(void) {
  contprof_sample_profile_free(&from);
  contprof_sample_profile_free(&into);
}

Test(sample_flatten, inlined_functions_become_calls, .fini = clean) {
  struct contprof_function_samples *f = contprof_samples_of(&from, named("f"));
  add_body(f, 1, 100);
  struct contprof_function_samples *g =
      contprof_samples_inlined(&from, f, (struct contprof_sample_line){7, 0}, named("g"));
  add_body(g, 2, 30);
  add_body(g, 3, 50);
  f->total += g->total;
  contprof_samples_flatten(&into, &from);
  cr_assert_eq(into.function_count, 2);
  const struct contprof_function_samples *flat = found("f");
  cr_assert_eq(flat->callsite_count, 0);
  cr_assert_eq(flat->body_count, 2);
  cr_assert_eq(flat->bodies[1].count, 30); // entries of g: its first line
  cr_assert_eq(flat->bodies[1].targets[0].count, 30);
  cr_assert_eq(flat->total, 130);
  cr_assert_eq(found("g")->total, 80);
  cr_assert_eq(found("g")->head, 30);
}

Test(sample_flatten, contexts_of_a_function_become_one, .fini = clean) {
  add_body(in_context("a", 1, "f"), 4, 5);
  add_body(in_context("b", 2, "f"), 4, 6);
  contprof_samples_flatten(&into, &from);
  cr_assert_not(into.context_sensitive);
  cr_assert_eq(into.function_count, 1);
  cr_assert_eq(found("f")->bodies[0].count, 11);
}

Test(sample_flatten, contexts_nest, .fini = clean) {
  struct contprof_function_samples *a = in_context(NULL, 0, "a");
  add_body(a, 3, 10);
  contprof_body_add_target(&from, &a->bodies[0], named("f"), 4);
  add_body(in_context("a", 3, "f"), 1, 8);
  add_body(in_context("alone", 5, "f"), 1, 20);
  contprof_error_clear(&error);
  cr_assert(contprof_samples_nest(&into, &from, false, &error));
  cr_assert_not(into.context_sensitive);
  cr_assert_eq(into.function_count, 2); // a, and f of the caller without samples
  const struct contprof_function_samples *nested = found("a");
  cr_assert_eq(nested->callsites[0].inlinees[0]->total, 8);
  cr_assert_eq(nested->bodies[0].count, 6);
  cr_assert_eq(nested->bodies[0].target_count, 0);
  cr_assert_eq(nested->total, 10 + 8 - 4);
  cr_assert_eq(found("f")->total, 20);
}

Test(sample_flatten, nested_functions_may_stay, .fini = clean) {
  add_body(in_context(NULL, 0, "a"), 3, 10);
  add_body(in_context("a", 3, "f"), 1, 8);
  contprof_error_clear(&error);
  cr_assert(contprof_samples_nest(&into, &from, true, &error));
  cr_assert_eq(found("f")->total, 8);
  cr_assert_eq(found("f")->attributes, 0);
  cr_assert_eq(found("a")->callsites[0].inlinees[0]->attributes, CONTPROF_CONTEXT_DUPLICATED);
}

Test(sample_flatten, contexts_too_deep_for_the_stack_are_refused, .fini = clean) {
  enum { DEEP = 100000 };
  struct contprof_context_frame *frames = calloc(DEEP, sizeof *frames);
  for (int i = 0; i < DEEP; i++)
    frames[i].name = named("f");
  from.context_sensitive = true;
  contprof_samples_of_context(&from, frames, DEEP);
  free(frames);
  contprof_error_clear(&error);
  cr_assert_not(contprof_samples_nest(&into, &from, false, &error));
  cr_assert_eq(error.code, CONTPROF_UNSUPPORTED);
  cr_assert_eq(into.function_count, 0);
}

Test(sample_flatten, cold_contexts_merge, .fini = clean) {
  struct contprof_cold_contexts how = {.threshold = 10, .frames = 1, .merge = true};
  add_body(in_context("a", 1, "f"), 4, 5);
  add_body(in_context("b", 2, "f"), 4, 6);
  add_body(in_context("c", 2, "g"), 4, 1);
  add_body(in_context("d", 2, "f"), 4, 100);
  contprof_samples_merge_cold(&from, &how);
  cr_assert_eq(from.function_count, 3); // [d:2 @ f], [f], [g]
  cr_assert_eq(in_context(NULL, 0, "f")->total, 11);
  how.trim = true;
  contprof_samples_merge_cold(&from, &how);
  cr_assert_eq(from.function_count, 2); // [g] is cold still
}

Test(sample_flatten, cold_contexts_go, .fini = clean) {
  struct contprof_cold_contexts how = {.threshold = 10, .frames = 1, .trim = true};
  add_body(in_context("a", 1, "f"), 4, 5);
  add_body(in_context("d", 2, "f"), 4, 100);
  contprof_samples_merge_cold(&from, &how);
  cr_assert_eq(from.function_count, 1);
  cr_assert_eq(from.functions[0]->total, 100);
}
