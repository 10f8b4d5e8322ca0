// Counts of functions that samples do not know, as samples: contprof_combine_into_samples.
#include "combination.h"

#include <math.h>
#include <string.h>

// Samples that so many counts stand for.
static uint64_t as_samples(const struct contprof_combination *all, double counts) {
  double samples = counts * all->scale;
  return samples >= 0x1p63 ? UINT64_MAX / 2 : (uint64_t)llround(samples);
}

// The first counter is the entry's, but for IR instrumentation that was not told so.
static bool counts_entries(const struct contprof_profile *profile) {
  return !(profile->variant & CONTPROF_VARIANT_IR) ||
         (profile->variant & CONTPROF_VARIANT_ENTRY_FIRST);
}

// The name of a local function is what stands behind its file.
static const char *plain_name(const struct contprof_function *function, size_t *length) {
  size_t start = contprof_plain_name_start(function->name, function->name_length);
  *length = function->name_length - start;
  return function->name + start;
}

static bool add_group(const struct contprof_combination *all, size_t index,
                      const struct contprof_profile *profile,
                      struct contprof_sample_profile *sample) {
  const struct contprof_name_group *group = &all->match.groups[index];
  double total = 0, entries = 0;
  for (size_t i = 0; i < group->count; i++) {
    const struct contprof_function *function = group->functions[i];
    for (uint32_t j = 0; j < function->counter_count; j++)
      total += (double)function->counters[j];
    entries += function->counter_count ? (double)function->counters[0] : 0;
  }
  if (!as_samples(all, total))
    return false;
  size_t length;
  const char *name = plain_name(*group->functions, &length);
  struct contprof_function_samples *samples =
      contprof_samples_of(sample, contprof_sample_name_of(sample, name, length));
  samples->total =
      contprof_samples_add(samples->total, as_samples(all, total), 1, &sample->saturated);
  if (counts_entries(profile))
    samples->head =
        contprof_samples_add(samples->head, as_samples(all, entries), 1, &sample->saturated);
  return true;
}

size_t contprof_combine_into_samples(const struct contprof_combination *all,
                                     const struct contprof_profile *profile,
                                     struct contprof_sample_profile *sample) {
  size_t added = 0;
  for (size_t i = 0; all->common && i < all->match.group_count; i++)
    if (all->functions[i].decision == CONTPROF_LEFT_UNSEEN && all->functions[i].counted)
      added += add_group(all, i, profile, sample);
  return added;
}
