#include "overlap.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// --- totals -------------------------------------------------------------------------------------

// LLVM's sums of one function wrap at 2^64, only those over functions are doubles.
static void add_totals(struct contprof_overlap_sums *sums,
                       const struct contprof_function *function) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < function->counter_count; i++)
    sum += function->counters[i];
  sums->of[CONTPROF_OVERLAP_COUNTERS] += (double)sum;
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    sum = 0;
    for (uint32_t i = 0; i < function->site_count[kind]; i++)
      for (uint32_t j = 0; j < function->sites[kind][i].count; j++)
        sum += function->sites[kind][i].values[j].count;
    sums->of[kind] += (double)sum;
  }
}

static struct contprof_overlap_sums totals(const struct contprof_profile *profile,
                                           bool context_sensitive) {
  struct contprof_overlap_sums sums = {0};
  bool all = !(profile->variant & CONTPROF_VARIANT_IR);
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    if (!all && !(function->hash & CONTPROF_HASH_CS) == context_sensitive)
      continue;
    add_totals(&sums, function);
    sums.entries++;
  }
  return sums;
}

void contprof_overlap_begin(struct contprof_overlap_pair *pair, const struct contprof_profile *base,
                            const struct contprof_profile *test, bool context_sensitive) {
  *pair = (struct contprof_overlap_pair){.base = base, .names = contprof_ref_index_of(base)};
  pair->program.base = totals(base, context_sensitive);
  pair->program.test = totals(test, context_sensitive);
}

void contprof_overlap_free(struct contprof_overlap_pair *pair) {
  contprof_ref_index_free(&pair->names);
}

// --- scores -------------------------------------------------------------------------------------

static double score(uint64_t base, uint64_t test, double base_sum, double test_sum) {
  if (base_sum < 1 || test_sum < 1)
    return 0;
  double left = (double)base / base_sum, right = (double)test / test_sum;
  return right < left ? right : left;
}

static double counter_score(const struct contprof_function *base,
                            const struct contprof_function *test,
                            const struct contprof_overlap *overlap) {
  double sum = 0;
  for (uint32_t i = 0; i < test->counter_count; i++)
    sum += score(base->counters[i], test->counters[i], overlap->base.of[CONTPROF_OVERLAP_COUNTERS],
                 overlap->test.of[CONTPROF_OVERLAP_COUNTERS]);
  return sum;
}

static int by_value(const void *left, const void *right) {
  const struct contprof_value *a = left, *b = right;
  return (a->value > b->value) - (a->value < b->value);
}

// A copy of the site's values by rising value; free with free().
static struct contprof_value *sorted_values(const struct contprof_value_site *site) {
  struct contprof_value *values =
      contprof_need_array(NULL, (size_t)site->count + 1, sizeof *values);
  if (site->count)
    memcpy(values, site->values, site->count * sizeof *values);
  if (!site->sorted)
    qsort(values, site->count, sizeof *values, by_value);
  return values;
}

// Walks two sites in parallel, and adds what they share to the function's and the program's score.
static void add_site_score(const struct contprof_value_site *base,
                           const struct contprof_value_site *test, enum contprof_value_kind kind,
                           struct contprof_overlap *const both[2]) {
  struct contprof_value *ours = sorted_values(base), *theirs = sorted_values(test);
  double scores[2] = {0};
  for (uint32_t i = 0, j = 0; i < base->count && j < test->count;) {
    if (ours[i].value == theirs[j].value)
      for (int k = 0; k < 2; k++)
        scores[k] +=
            score(ours[i].count, theirs[j].count, both[k]->base.of[kind], both[k]->test.of[kind]);
    bool skip_ours = ours[i].value <= theirs[j].value,
         skip_theirs = theirs[j].value <= ours[i].value;
    i += skip_ours;
    j += skip_theirs;
  }
  for (int k = 0; k < 2; k++)
    both[k]->overlap.of[kind] += scores[k];
  free(ours);
  free(theirs);
}

// A function with counts makes its profile's total at least 1; of values there may be none.
static void add_shares(struct contprof_overlap_sums *shares,
                       const struct contprof_overlap_sums *function,
                       const struct contprof_overlap_sums *total) {
  shares->entries++;
  for (int part = 0; part < CONTPROF_OVERLAP_PARTS; part++)
    if (part == CONTPROF_OVERLAP_COUNTERS || total->of[part] >= 1)
      shares->of[part] += function->of[part] / total->of[part];
}

// --- functions ----------------------------------------------------------------------------------

static bool same_shape(const struct contprof_function *base, const struct contprof_function *test) {
  return base->counter_count == test->counter_count &&
         memcmp(base->site_count, test->site_count, sizeof base->site_count) == 0;
}

static uint64_t largest_count(const struct contprof_function *function) {
  uint64_t largest = 0;
  for (uint32_t i = 0; i < function->counter_count; i++)
    if (function->counters[i] > largest)
      largest = function->counters[i];
  return largest;
}

static void add_scores(struct contprof_overlap_pair *pair, const struct contprof_function *base,
                       const struct contprof_function *test, struct contprof_overlap *function) {
  struct contprof_overlap *const both[2] = {&pair->program, function};
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < test->site_count[kind]; i++)
      add_site_score(&base->sites[kind][i], &test->sites[kind][i], (enum contprof_value_kind)kind,
                     both);
  pair->program.overlap.of[CONTPROF_OVERLAP_COUNTERS] += counter_score(base, test, &pair->program);
  pair->program.overlap.entries++;
  function->overlap.of[CONTPROF_OVERLAP_COUNTERS] = counter_score(base, test, function);
  function->overlap.entries = test->counter_count;
}

bool contprof_overlap_add(struct contprof_overlap_pair *pair, const struct contprof_function *test,
                          uint64_t cutoff, struct contprof_overlap *function) {
  struct contprof_overlap *program = &pair->program;
  const struct contprof_function *base = contprof_profile_find_like(pair->base, test);
  *function = (struct contprof_overlap){0};
  add_totals(&function->test, test);
  if (!contprof_ref_index_find(&pair->names, test->name_ref)) {
    add_shares(&program->unique, &function->test, &program->test);
    return false;
  }
  if (function->test.of[CONTPROF_OVERLAP_COUNTERS] < 1) {
    program->overlap.entries++;
    return false;
  }
  if (base)
    add_totals(&function->base, base);
  if (!base || !same_shape(base, test)) {
    add_shares(&program->mismatch, &function->test, &program->test);
    return false;
  }
  add_scores(pair, base, test, function);
  return largest_count(test) >= cutoff;
}
