#include "hot_thresholds.h"

#include "../base/memory.h"
#include "../instr/summary.h"

#include <stdlib.h>

enum { HOT = 990000, COLD = 999999, MILLION = 1000000 };

struct contprof_hot_thresholds contprof_thresholds_of(const struct contprof_profile *profile) {
  static const uint32_t CUTOFFS[] = {HOT, COLD};
  struct contprof_summary summary;
  contprof_summarise_at(profile, CONTPROF_SUMMARY_ALL, &(struct contprof_cutoffs){CUTOFFS, 2},
                        &summary);
  struct contprof_hot_thresholds thresholds = {.hot = summary.entries[0].min_count,
                                               .cold = summary.entries[1].min_count};
  contprof_summary_free(&summary);
  return thresholds;
}

// --- samples ------------------------------------------------------------------------------------

struct counts {
  uint64_t *counts; // owned
  size_t count, room;
  uint64_t total;
};

static void add_counts(struct counts *all, const struct contprof_function_samples *samples,
                       bool inlined) {
  if (inlined && (samples->attributes & CONTPROF_CONTEXT_DUPLICATED))
    return;
  for (size_t i = 0; i < samples->body_count; i++) {
    if (all->count == all->room) {
      all->room = all->room ? all->room * 2 : 256;
      all->counts = contprof_need_array(all->counts, all->room, sizeof *all->counts);
    }
    all->counts[all->count++] = samples->bodies[i].count;
    all->total += samples->bodies[i].count;
  }
  for (size_t i = 0; i < samples->callsite_count; i++)
    for (uint32_t j = 0; j < samples->callsites[i].inlinee_count; j++)
      add_counts(all, samples->callsites[i].inlinees[j], true);
}

static void add_profile(struct counts *all, const struct contprof_sample_profile *sample) {
  for (size_t i = 0; i < sample->function_count; i++)
    add_counts(all, sample->functions[i], false);
}

// One function for all its contexts (ProfileConverter::flattenProfile).
static void add_without_contexts(struct counts *all, const struct contprof_sample_profile *sample) {
  struct contprof_sample_profile flat = {0};
  for (size_t i = 0; i < sample->function_count; i++) {
    const struct contprof_function_samples *from = sample->functions[i];
    const struct contprof_sample_name *name =
        from->name->text
            ? contprof_sample_name_of(&flat, from->name->text, from->name->length)
            : contprof_sample_name_of_hash(&flat, contprof_sample_name_hash(from->name));
    contprof_samples_merge(&flat, contprof_samples_of(&flat, name), from, 1);
  }
  add_profile(all, &flat);
  contprof_sample_profile_free(&flat);
}

static int falling(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a < b) - (a > b);
}

// The counts are sorted.
static uint64_t threshold(const struct counts *all, uint32_t cutoff) {
  uint64_t wanted = (uint64_t)((unsigned __int128)all->total * cutoff / MILLION);
  uint64_t sum = 0, last = 0;
  for (size_t i = 0; i < all->count && sum < wanted; i++) {
    last = all->counts[i];
    sum += last;
  }
  return last;
}

struct contprof_hot_thresholds
contprof_sample_thresholds_of(const struct contprof_sample_profile *sample) {
  struct counts all = {0};
  if (sample->context_sensitive)
    add_without_contexts(&all, sample);
  else
    add_profile(&all, sample);
  if (all.count)
    qsort(all.counts, all.count, sizeof *all.counts, falling);
  struct contprof_hot_thresholds thresholds = {.hot = threshold(&all, HOT),
                                               .cold = threshold(&all, COLD)};
  free(all.counts);
  return thresholds;
}
