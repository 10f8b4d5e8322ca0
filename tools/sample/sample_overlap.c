#include "sample_overlap.h"

#include "../base/memory.h"
#include "sample_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sums that should be 0 or 1 are taken as that if they are so near.
static const double EPSILON = 0.000005;

struct comparison {
  const struct contprof_sample_overlap_options *options;
  struct contprof_sample_overlap *overlap;
};

// --- lines --------------------------------------------------------------------------------------

enum in_which { IN_BASE, IN_TEST, IN_BOTH };

// A line (`lines` of them together, of an inlined function that the other profile lacks) is hot in
// each profile in which it has that profile's hot count.
static void count_hot_lines(struct comparison *comparison, uint64_t base, uint64_t test,
                            uint64_t lines) {
  bool base_hot = base >= comparison->options->base_hot;
  bool test_hot = test >= comparison->options->test_hot;
  struct contprof_shared *hot = &comparison->overlap->hot_lines;
  hot->either += base_hot || test_hot ? lines : 0;
  hot->base += base_hot ? lines : 0;
  hot->test += test_hot ? lines : 0;
  hot->both += base_hot && test_hot ? lines : 0;
}

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

// Returns how far the shares are apart.
static double compare_lines(struct comparison *comparison, uint64_t base, uint64_t test,
                            uint64_t lines, struct contprof_shared_samples *samples,
                            enum in_which which) {
  samples->base_only += which == IN_BASE ? base : 0;
  samples->test_only += which == IN_TEST ? test : 0;
  samples->either += base > test ? base : test;
  samples->overlap += base < test ? base : test;
  count_hot_lines(comparison, base, test, lines);
  double alike = 1.0 - fabs(share(base, samples->base) - share(test, samples->test));
  return 1.0 - alike;
}

static double compare_bodies(struct comparison *comparison,
                             const struct contprof_function_samples *base,
                             const struct contprof_function_samples *test,
                             struct contprof_shared_samples *samples) {
  double difference = 0;
  size_t i = 0, j = 0;
  while (i < base->body_count || j < test->body_count) {
    int order = i == base->body_count ? 1
                : j == test->body_count
                    ? -1
                    : contprof_sample_line_compare(base->bodies[i].line, test->bodies[j].line);
    uint64_t base_count = order <= 0 ? base->bodies[i++].count : 0;
    uint64_t test_count = order >= 0 ? test->bodies[j++].count : 0;
    difference += compare_lines(comparison, base_count, test_count, 1, samples,
                                order < 0   ? IN_BASE
                                : order > 0 ? IN_TEST
                                            : IN_BOTH);
  }
  return difference;
}

// --- inlined functions --------------------------------------------------------------------------

static double compare_functions(struct comparison *comparison,
                                const struct contprof_function_samples *base,
                                const struct contprof_function_samples *test,
                                struct contprof_shared_samples *samples);

// An inlined function that one profile has is as one line.
static double compare_alone(struct comparison *comparison,
                            const struct contprof_function_samples *function,
                            struct contprof_shared_samples *samples, enum in_which which) {
  bool in_base = which == IN_BASE;
  struct contprof_sample_stats stats = contprof_sample_stats_of(
      function, in_base ? comparison->options->base_hot : comparison->options->test_hot);
  return compare_lines(comparison, in_base ? stats.sum : 0, in_base ? 0 : stats.sum,
                       stats.hot_lines, samples, which);
}

static double compare_callsites(struct comparison *comparison, const struct contprof_callsite *base,
                                const struct contprof_callsite *test,
                                struct contprof_shared_samples *samples) {
  uint32_t i = 0, j = 0, base_count = base ? base->inlinee_count : 0,
           test_count = test ? test->inlinee_count : 0;
  double difference = 0;
  while (i < base_count || j < test_count) {
    int order = i == base_count   ? 1
                : j == test_count ? -1
                                  : contprof_sample_name_compare(base->inlinees[i]->name,
                                                                 test->inlinees[j]->name);
    if (order < 0)
      difference += compare_alone(comparison, base->inlinees[i++], samples, IN_BASE);
    else if (order > 0)
      difference += compare_alone(comparison, test->inlinees[j++], samples, IN_TEST);
    else
      difference += 2.0 - 2 * compare_functions(comparison, base->inlinees[i++],
                                                test->inlinees[j++], samples);
  }
  return difference;
}

static double compare_all_callsites(struct comparison *comparison,
                                    const struct contprof_function_samples *base,
                                    const struct contprof_function_samples *test,
                                    struct contprof_shared_samples *samples) {
  double difference = 0;
  size_t i = 0, j = 0;
  while (i < base->callsite_count || j < test->callsite_count) {
    int order = i == base->callsite_count   ? 1
                : j == test->callsite_count ? -1
                                            : contprof_sample_line_compare(base->callsites[i].line,
                                                                           test->callsites[j].line);
    difference += compare_callsites(comparison, order <= 0 ? &base->callsites[i++] : NULL,
                                    order >= 0 ? &test->callsites[j++] : NULL, samples);
  }
  return difference;
}

// How alike the lines of two functions are, inlined ones among them.
static double compare_functions(struct comparison *comparison,
                                const struct contprof_function_samples *base,
                                const struct contprof_function_samples *test,
                                struct contprof_shared_samples *samples) {
  double difference = compare_bodies(comparison, base, test, samples);
  difference += compare_all_callsites(comparison, base, test, samples);
  return (2.0 - difference) / 2;
}

// --- functions ----------------------------------------------------------------------------------

static bool is_named(const struct contprof_function_samples *function, const char *part) {
  if (!part || !*part)
    return false;
  char *text = contprof_samples_text(function);
  bool found = strstr(text, part);
  free(text);
  return found;
}

static bool is_listed(const struct comparison *comparison,
                      const struct contprof_function_overlap *one, uint64_t hottest, bool matched) {
  const struct contprof_sample_overlap_options *options = comparison->options;
  if (hottest >= options->value_cutoff)
    return true;
  return matched &&
         (one->similarity < options->low_similarity || is_named(one->function, options->function));
}

static void list(struct contprof_sample_overlap *overlap,
                 const struct contprof_function_overlap *one) {
  if (!(overlap->listed_count & (overlap->listed_count - 1)))
    overlap->listed =
        contprof_need_array(overlap->listed, overlap->listed_count * 2 + 1, sizeof *one);
  overlap->listed[overlap->listed_count++] = *one;
}

// A function of both profiles, `one` for its numbers.
static void compare_pair(struct comparison *comparison,
                         const struct contprof_function_samples *base,
                         struct contprof_function_overlap *one) {
  struct contprof_sample_overlap *overlap = comparison->overlap;
  struct contprof_shared_samples *samples = &one->samples;
  double alike = compare_functions(comparison, base, one->function, samples);
  if (fabs(alike) < EPSILON)
    alike = 0;
  one->base_weight = share(samples->base, overlap->samples.base);
  one->similarity = alike * (1 - fabs(one->base_weight - one->test_weight));
  overlap->similarity += one->similarity * (one->base_weight / 2.0 + one->test_weight / 2.0);
  overlap->functions.both++;
  overlap->samples.overlap += samples->overlap;
  overlap->samples.either += samples->either;
  overlap->samples.base_only += samples->base_only;
  overlap->samples.test_only += samples->test_only;
}

static void take_test_only(struct comparison *comparison, const struct contprof_sample_stats *stats,
                           struct contprof_function_overlap *one) {
  struct contprof_sample_overlap *overlap = comparison->overlap;
  overlap->test_only_functions++;
  overlap->samples.test_only += stats->sum;
  overlap->samples.either += stats->sum;
  one->samples.test_only = stats->sum;
  count_hot_lines(comparison, 0, stats->sum, stats->hot_lines);
}

static void take_base_only(struct comparison *comparison,
                           const struct contprof_sample_stats *stats) {
  struct contprof_sample_overlap *overlap = comparison->overlap;
  overlap->base_only_functions++;
  overlap->samples.base_only += stats->sum;
  overlap->samples.either += stats->sum;
  count_hot_lines(comparison, stats->sum, 0, stats->hot_lines);
}

static void count_hot_functions(struct contprof_shared *hot, bool base_hot, bool test_hot) {
  hot->base += base_hot;
  hot->test += test_hot;
  hot->both += base_hot && test_hot;
  hot->either += base_hot || test_hot;
}

// A function of either or both profiles; NULL where it is not.
static void compare_one(struct comparison *comparison, const struct contprof_function_samples *base,
                        const struct contprof_function_samples *test) {
  const struct contprof_sample_overlap_options *options = comparison->options;
  struct contprof_sample_stats base_stats = {0}, test_stats = {0};
  struct contprof_function_overlap one = {.function = test};
  if (base)
    base_stats = contprof_sample_stats_of(base, options->base_hot);
  if (test)
    test_stats = contprof_sample_stats_of(test, options->test_hot);
  one.samples.base = base_stats.sum;
  one.samples.test = test_stats.sum;
  one.test_weight = share(test_stats.sum, comparison->overlap->samples.test);
  if (base && test)
    compare_pair(comparison, base, &one);
  else if (test)
    take_test_only(comparison, &test_stats, &one);
  else
    take_base_only(comparison, &base_stats);
  comparison->overlap->functions.either++;
  count_hot_functions(&comparison->overlap->hot_functions,
                      base && base_stats.hottest >= options->base_hot,
                      test && test_stats.hottest >= options->test_hot);
  if (test && is_listed(comparison, &one, test_stats.hottest, base != NULL))
    list(comparison->overlap, &one);
}

// --- profiles -----------------------------------------------------------------------------------

static uint64_t sum_of(const struct contprof_sample_profile *profile) {
  uint64_t sum = 0;
  for (size_t i = 0; i < profile->function_count; i++)
    sum += contprof_sample_stats_of(profile->functions[i], UINT64_MAX).sum;
  return sum;
}

static int by_context(const void *left, const void *right) {
  return contprof_samples_compare(*(const struct contprof_function_samples *const *)left,
                                  *(const struct contprof_function_samples *const *)right);
}

// To be freed.
static struct contprof_function_samples **
sorted_by_context(const struct contprof_sample_profile *profile) {
  struct contprof_function_samples **all =
      contprof_need_array(NULL, profile->function_count + 1, sizeof *all);
  for (size_t i = 0; i < profile->function_count; i++)
    all[i] = profile->functions[i];
  qsort(all, profile->function_count, sizeof *all, by_context);
  return all;
}

static void compare_all(struct comparison *comparison, const struct contprof_sample_profile *left,
                        const struct contprof_sample_profile *right) {
  struct contprof_function_samples **base = sorted_by_context(left);
  struct contprof_function_samples **test = sorted_by_context(right);
  size_t i = 0, j = 0, base_count = left->function_count, test_count = right->function_count;
  while (i < base_count || j < test_count) {
    int order = i == base_count   ? 1
                : j == test_count ? -1
                                  : contprof_samples_compare(base[i], test[j]);
    compare_one(comparison, order <= 0 ? base[i] : NULL, order >= 0 ? test[j] : NULL);
    i += order <= 0;
    j += order >= 0;
  }
  free(base);
  free(test);
}

static int by_weight(const void *left, const void *right) {
  const struct contprof_function_overlap *one = left, *other = right;
  if (one->base_weight != other->base_weight)
    return one->base_weight < other->base_weight ? 1 : -1;
  return contprof_samples_compare(one->function, other->function);
}

void contprof_sample_overlap_of(const struct contprof_sample_profile *base,
                                const struct contprof_sample_profile *test,
                                const struct contprof_sample_overlap_options *options,
                                struct contprof_sample_overlap *overlap) {
  struct comparison comparison = {.options = options, .overlap = overlap};
  *overlap = (struct contprof_sample_overlap){
      .functions = {.base = base->function_count, .test = test->function_count},
      .samples = {.base = sum_of(base), .test = sum_of(test)}};
  if (!overlap->samples.base || !overlap->samples.test)
    return;
  compare_all(&comparison, base, test);
  if (fabs(overlap->similarity - 1) < EPSILON)
    overlap->similarity = 1;
  if (overlap->listed_count)
    qsort(overlap->listed, overlap->listed_count, sizeof *overlap->listed, by_weight);
}

void contprof_sample_overlap_free(struct contprof_sample_overlap *overlap) {
  free(overlap->listed);
  *overlap = (struct contprof_sample_overlap){0};
}
