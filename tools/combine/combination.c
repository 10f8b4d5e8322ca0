#include "combination.h"

#include "../base/memory.h"
#include "sample_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- what was counted ---------------------------------------------------------------------------

static uint64_t largest_counter(const struct contprof_function *function) {
  uint64_t largest = 0;
  for (uint32_t i = 0; i < function->counter_count; i++)
    if (function->counters[i] > largest)
      largest = function->counters[i];
  return largest;
}

static uint64_t saturating_sum(uint64_t left, uint64_t right) {
  uint64_t sum;
  return __builtin_add_overflow(left, right, &sum) ? UINT64_MAX : sum;
}

static struct contprof_combined counted_of(const struct contprof_name_group *group) {
  const struct contprof_function *first = *group->functions;
  struct contprof_combined combined = {.counters = first->counter_count, .factor = 1};
  for (uint32_t i = 0; i < first->counter_count; i++)
    combined.zeros += !first->counters[i];
  for (size_t i = 0; i < group->count; i++) {
    if (contprof_profile_is_pseudo(group->functions[i]))
      combined.decision = CONTPROF_LEFT_MARKED;
    else
      combined.counted = saturating_sum(combined.counted, largest_counter(group->functions[i]));
  }
  return combined;
}

// --- scale --------------------------------------------------------------------------------------

// What one function says of the scale.
struct ratio {
  double log2;   // of samples to counts
  double weight; // how sure both numbers are
};

static int by_log2(const void *left, const void *right) {
  double a = ((const struct ratio *)left)->log2, b = ((const struct ratio *)right)->log2;
  return (a > b) - (a < b);
}

static double median_of(struct ratio *ratios, size_t count) {
  double all = 0, sum = 0;
  qsort(ratios, count, sizeof *ratios, by_log2);
  for (size_t i = 0; i < count; i++)
    all += ratios[i].weight;
  size_t i = 0;
  for (; i + 1 < count && sum + ratios[i].weight < all / 2; i++)
    sum += ratios[i].weight;
  return ratios[i].log2;
}

static bool is_common(const struct contprof_combination *all, size_t group) {
  return all->functions[group].decision != CONTPROF_LEFT_MARKED && all->functions[group].counted &&
         contprof_flat_peak(&all->flat.heats[group]);
}

static double sureness(double count, double trusted) {
  return count / (count + trusted);
}

// Functions that are sure weigh the same, however hot: when the mix differs, most of the heat is in
// those that differ.
static void find_scale(struct contprof_combination *all, double trusted) {
  struct ratio *ratios = contprof_need_array(NULL, all->match.group_count + 1, sizeof *ratios);
  for (size_t i = 0; i < all->match.group_count; i++) {
    double counted = (double)all->functions[i].counted;
    double sampled = (double)contprof_flat_peak(&all->flat.heats[i]);
    if (is_common(all, i))
      ratios[all->common++] =
          (struct ratio){.log2 = log2(sampled / counted),
                         .weight = sureness(sampled, trusted) * sureness(counted, trusted)};
  }
  all->scale = all->common ? exp2(median_of(ratios, all->common)) : 0;
  free(ratios);
}

// --- how far apart ------------------------------------------------------------------------------

static bool is_small(const struct contprof_combination *all, size_t group,
                     const struct contprof_combine_options *options) {
  return all->ir && all->functions[group].counters < options->min_size;
}

// The samples of what its counters count. A small function may be inlined before IR instrumentation
// counts it: of its inlined samples between none and all are of that, so many as come nearest to
// what is expected.
static double samples_of(const struct contprof_combination *all, size_t group,
                         const struct contprof_combine_options *options) {
  const struct contprof_flat_heat *heat = &all->flat.heats[group];
  double most = (double)contprof_flat_peak(heat);
  double least = is_small(all, group, options) ? (double)heat->alone : most;
  return fmin(fmax(all->functions[group].expected, least), most);
}

// By how much (log2) a function is hotter than expected, weighed by what so few samples can say.
static double distance_of(const struct contprof_combination *all, size_t group,
                          const struct contprof_combine_options *options) {
  double expected = all->functions[group].expected;
  double samples = samples_of(all, group, options);
  if (samples == 0)
    samples = 0.5; // none seen: as good as half of one
  return log2(samples / expected) * sureness(fmax(expected, samples), options->trusted);
}

// The mean distance, hot functions weighing more, but for the one that adds most to it: one whose
// samples all wait for memory is no other mix.
static double spread_of(const struct contprof_combination *all,
                        const struct contprof_combine_options *options) {
  double sum = 0, weights = 0, top = 0, top_weight = 0;
  for (size_t i = 0; i < all->match.group_count; i++) {
    if (!is_common(all, i))
      continue;
    double weight = sqrt(fmax(samples_of(all, i, options), all->functions[i].expected));
    double part = weight * fabs(distance_of(all, i, options));
    sum += part;
    weights += weight;
    if (part > top) {
      top = part;
      top_weight = weight;
    }
  }
  return weights > top_weight ? (sum - top) / (weights - top_weight) : 0;
}

// Of time samples by the rule of BayesShrink: the noise's variance by the deviation of what lies
// under the noise.
static double tolerance_of(const struct contprof_combination *all,
                           const struct contprof_sample_profile *sample,
                           const struct contprof_combine_options *options) {
  const double noise = CONTPROF_COMBINE_NOISE * CONTPROF_COMBINE_NOISE;
  if (options->tolerance)
    return options->tolerance;
  if (!contprof_is_by_time(sample))
    return CONTPROF_COMBINE_TOLERANCE;
  double signal = all->spread * all->spread - noise;
  double tolerance = signal > 0 ? exp2(noise / sqrt(signal)) : INFINITY;
  return fmax(CONTPROF_COMBINE_TOLERANCE, fmin(tolerance, CONTPROF_COMBINE_TIME_TOLERANCE));
}

// --- decisions ----------------------------------------------------------------------------------

// What is left within the tolerance is as much the price of a line as its heat, and shrinks to
// nothing (the non-negative garrote), what is far beyond it stays.
static double shift_of(double distance, double factor) {
  double tolerance = log2(factor);
  return fabs(distance) <= tolerance ? 0 : distance - tolerance * tolerance / distance;
}

static bool is_warm(const struct contprof_combination *all, size_t group) {
  uint64_t peak = contprof_flat_peak(&all->flat.heats[group]);
  return peak && peak >= all->sample.cold;
}

// Cold where it was counted, with too little counted to tell its shape.
static bool is_shapeless(const struct contprof_combination *all,
                         const struct contprof_combined *function,
                         const struct contprof_combine_options *options) {
  return function->counted <= all->instr.cold &&
         (!function->counted ||
          (float)function->zeros / (float)function->counters > options->zero_threshold);
}

// Small functions count nothing in a canary that ran them, where all copies were inlined before;
// the fleet's compiler may have left one. In another mix that is no reason.
static bool was_inlined(const struct contprof_combination *all, size_t group,
                        const struct contprof_combine_options *options) {
  return is_small(all, group, options) && all->spread <= CONTPROF_COMBINE_NOISE;
}

static enum contprof_decision decide_shapeless(const struct contprof_combination *all, size_t group,
                                               const struct contprof_combine_options *options) {
  if (!is_warm(all, group))
    return CONTPROF_LEFT_COLD;
  if (was_inlined(all, group, options))
    return CONTPROF_LEFT_SMALL;
  if (!all->ir || is_small(all, group, options))
    return CONTPROF_DROPPED;
  return contprof_flat_peak(&all->flat.heats[group]) >= all->sample.hot ? CONTPROF_MARKED_HOT
                                                                        : CONTPROF_MARKED_WARM;
}

static void decide(struct contprof_combination *all, size_t group,
                   const struct contprof_combine_options *options) {
  struct contprof_combined *function = &all->functions[group];
  const struct contprof_flat_heat *heat = &all->flat.heats[group];
  if (function->decision == CONTPROF_LEFT_MARKED)
    return;
  if (!heat->seen && !heat->listed) {
    function->decision = CONTPROF_LEFT_UNSEEN;
  } else if (!function->counted) {
    function->decision = decide_shapeless(all, group, options);
  } else if (all->common) {
    function->shift = shift_of(distance_of(all, group, options), all->tolerance);
    if (function->shift < 0)
      function->decision = CONTPROF_LOWERED;
    else if (function->shift > 0)
      function->decision = is_shapeless(all, function, options)
                               ? decide_shapeless(all, group, options)
                               : CONTPROF_RAISED;
  }
}

// --- factors ------------------------------------------------------------------------------------

enum { MOST_LOWERED = 10 }; // log2

// The largest factor that keeps the counts credible.
static uint64_t most_of(const struct contprof_combined *function) {
  return function->counted >= CONTPROF_COUNT_CREDIBLE ? 1
         : function->counted                          ? CONTPROF_COUNT_CREDIBLE / function->counted
                                                      : UINT64_MAX;
}

// The smallest power of two that makes room below 1 for those to be lowered.
static void find_multiplier(struct contprof_combination *all) {
  uint64_t most = UINT64_MAX;
  double lowest = 0;
  for (size_t i = 0; i < all->match.group_count; i++) {
    const struct contprof_combined *function = &all->functions[i];
    if (function->decision == CONTPROF_LOWERED && function->shift < lowest)
      lowest = function->shift;
    if (most_of(function) < most)
      most = most_of(function);
  }
  all->multiplier = 1;
  for (double power = 0; power < -lowest && power < MOST_LOWERED; power++)
    if (all->multiplier * 2 <= most)
      all->multiplier *= 2;
}

static void find_factor(const struct contprof_combination *all,
                        struct contprof_combined *function) {
  double wanted = (double)all->multiplier * exp2(function->shift);
  uint64_t most = most_of(function);
  bool changes = function->decision == CONTPROF_RAISED || function->decision == CONTPROF_LOWERED;
  if (!changes)
    function->factor = all->multiplier;
  else
    function->factor = wanted >= (double)most ? most : wanted <= 1 ? 1 : (uint64_t)llround(wanted);
  if (changes && function->factor == all->multiplier)
    function->decision = CONTPROF_LEFT_ALONE;
}

void contprof_combine(struct contprof_combination *all, const struct contprof_profile *profile,
                      const struct contprof_sample_profile *sample,
                      const struct contprof_combine_options *options) {
  *all = (struct contprof_combination){.rules = {.locals = true,
                                                 .colon = true,
                                                 .semicolon = true,
                                                 .generous = true,
                                                 .unique_names = true},
                                       .ir = profile->variant & CONTPROF_VARIANT_IR,
                                       .instr = contprof_thresholds_of(profile),
                                       .sample = contprof_sample_thresholds_of(sample)};
  contprof_name_match_begin(&all->match, profile, &all->rules);
  contprof_flatten_samples(&all->flat, sample, &all->match);
  all->functions = contprof_need_array(NULL, all->match.group_count + 1, sizeof *all->functions);
  for (size_t i = 0; i < all->match.group_count; i++)
    all->functions[i] = counted_of(&all->match.groups[i]);
  find_scale(all, options->trusted);
  for (size_t i = 0; i < all->match.group_count; i++)
    all->functions[i].expected = (double)all->functions[i].counted * all->scale;
  all->spread = spread_of(all, options);
  all->tolerance = tolerance_of(all, sample, options);
  for (size_t i = 0; i < all->match.group_count; i++)
    decide(all, i, options);
  find_multiplier(all);
  for (size_t i = 0; i < all->match.group_count; i++)
    find_factor(all, &all->functions[i]);
}

// --- change -------------------------------------------------------------------------------------

static void multiply(struct contprof_function *function, uint64_t factor) {
  if (contprof_profile_is_pseudo(function))
    return;
  for (uint32_t i = 0; i < function->counter_count; i++)
    function->counters[i] *= factor;
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++)
      for (uint32_t j = 0; j < function->sites[kind][i].count; j++) {
        uint64_t *count = &function->sites[kind][i].values[j].count;
        if (__builtin_mul_overflow(*count, factor, count))
          *count = UINT64_MAX;
      }
}

static void mark(struct contprof_function *function, uint64_t pseudo) {
  if (function->counter_count)
    function->counters[0] = pseudo;
}

static void change(const struct contprof_combined *combined, struct contprof_function *function) {
  switch (combined->decision) {
  case CONTPROF_MARKED_HOT:
    mark(function, CONTPROF_COUNT_HOT);
    break;
  case CONTPROF_MARKED_WARM:
    mark(function, CONTPROF_COUNT_WARM);
    break;
  case CONTPROF_DROPPED:
    function->counter_count = 0; // to be dropped by is_kept
    break;
  default:
    multiply(function, combined->factor);
  }
}

static bool is_kept(const struct contprof_function *function, void *context) {
  (void)context;
  return function->counter_count > 0;
}

void contprof_combine_apply(const struct contprof_combination *all,
                            struct contprof_profile *profile) {
  for (size_t i = 0; i < all->match.group_count; i++)
    for (size_t j = 0; j < all->match.groups[i].count; j++)
      change(&all->functions[i], all->match.groups[i].functions[j]);
  contprof_profile_keep(profile, is_kept, NULL);
}

void contprof_combination_free(struct contprof_combination *all) {
  contprof_name_match_free(&all->match);
  contprof_flat_samples_free(&all->flat);
  free(all->functions);
  *all = (struct contprof_combination){0};
}
