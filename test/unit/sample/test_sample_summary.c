#include "tools/sample/sample_summary.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_sample_profile profile;
static struct contprof_sample_summary summary;

static void end(void) {
  contprof_sample_summary_free(&summary);
  contprof_sample_profile_free(&profile);
}

TestSuite(sample_summary, .fini = end);

static const struct contprof_sample_name *name(const char *text) {
  return contprof_sample_name_of(&profile, text, strlen(text));
}

static void count(struct contprof_function_samples *function, uint32_t offset, uint64_t number) {
  contprof_body_at(&profile, function, (struct contprof_sample_line){offset, 0})->count = number;
}

Test(sample_summary, lines_of_inlined_functions_count) {
  struct contprof_function_samples *f = contprof_samples_of(&profile, name("f"));
  f->head = 3;
  count(f, 1, 60);
  count(contprof_samples_inlined(&profile, f, (struct contprof_sample_line){2, 0}, name("g")), 1,
        40);
  contprof_sample_summarise(&profile, &summary);
  cr_assert(summary.function_count == 1 && summary.counter_count == 2);
  cr_assert(summary.total_count == 100 && summary.max_count == 60);
  cr_assert_eq(summary.max_function_count, 3);
  cr_assert_eq(contprof_sample_threshold(&summary, 600000), 60);
  cr_assert_eq(contprof_sample_threshold(&summary, 990000), 40);
}

Test(sample_summary, what_is_top_level_too_counts_once) {
  struct contprof_function_samples *f = contprof_samples_of(&profile, name("f"));
  struct contprof_function_samples *g =
      contprof_samples_inlined(&profile, f, (struct contprof_sample_line){2, 0}, name("g"));
  g->attributes = CONTPROF_CONTEXT_DUPLICATED;
  count(g, 1, 40);
  contprof_sample_summarise(&profile, &summary);
  cr_assert_eq(summary.counter_count, 0);
}

Test(sample_summary, contexts_of_a_function_are_one) {
  struct contprof_context_frame frames[] = {{name("main"), {3, 0}}, {name("f"), {0, 0}}};
  profile.context_sensitive = true;
  count(contprof_samples_of_context(&profile, frames, 2), 1, 5);
  count(contprof_samples_of_context(&profile, frames + 1, 1), 1, 6);
  contprof_sample_summarise(&profile, &summary);
  cr_assert(summary.function_count == 1 && summary.counter_count == 1);
  cr_assert_eq(summary.max_count, 11);
}
