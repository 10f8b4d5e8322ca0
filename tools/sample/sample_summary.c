#include "sample_summary.h"

#include "../base/memory.h"
#include "llvm_map_order.h"
#include "sample_index.h"

#include <stdlib.h>

struct counts {
  uint64_t *counts; // owned
  size_t count, room;
};

static void take_count(struct counts *all, struct contprof_sample_summary *summary,
                       uint64_t count) {
  if (all->count == all->room) {
    all->room = all->room ? all->room * 2 : 1024;
    all->counts = contprof_need_array(all->counts, all->room, sizeof *all->counts);
  }
  all->counts[all->count++] = count;
  summary->total_count += count;
  summary->max_count = count > summary->max_count ? count : summary->max_count;
}

// Inlined functions that are in a top-level one, too, are not counted twice.
static void take_bodies(struct counts *all, struct contprof_sample_summary *summary,
                        const struct contprof_function_samples *function) {
  for (size_t i = 0; i < function->body_count; i++)
    take_count(all, summary, function->bodies[i].count);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++)
      if (!(function->callsites[i].inlinees[j]->attributes & CONTPROF_CONTEXT_DUPLICATED))
        take_bodies(all, summary, function->callsites[i].inlinees[j]);
}

static void summarise(const struct contprof_sample_profile *profile,
                      const struct contprof_cutoffs *cutoffs,
                      struct contprof_sample_summary *summary) {
  struct counts all = {0};
  *summary = (struct contprof_sample_summary){.function_count = profile->function_count,
                                              .entry_count = cutoffs->count};
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function_samples *function = profile->functions[i];
    if (function->head > summary->max_function_count)
      summary->max_function_count = function->head;
    take_bodies(&all, summary, function);
  }
  summary->counter_count = all.count;
  summary->entries = contprof_need(calloc(cutoffs->count + 1, sizeof *summary->entries));
  struct contprof_count_span span = {all.counts, all.count};
  contprof_summary_entries(&span, 1, summary->total_count, cutoffs, summary->entries);
  free(all.counts);
}

// Puts all contexts of a function together. Of those whose cfg_hash differs from that of the first
// one, which is in the order of LLVM's table, the samples are dropped, there as here.
static void flatten(struct contprof_sample_profile *flat,
                    const struct contprof_sample_profile *profile) {
  struct contprof_function_samples **ordered = contprof_samples_in_map_order(profile);
  for (size_t i = 0; i < profile->function_count; i++)
    contprof_samples_merge(
        flat, contprof_samples_of(flat, contprof_sample_name_copy(flat, ordered[i]->name)),
        ordered[i], 1);
  free(ordered);
}

void contprof_sample_summarise_at(const struct contprof_sample_profile *profile,
                                  const struct contprof_cutoffs *cutoffs,
                                  struct contprof_sample_summary *summary) {
  struct contprof_sample_profile flat = {0};
  if (profile->context_sensitive)
    flatten(&flat, profile);
  summarise(profile->context_sensitive ? &flat : profile, cutoffs, summary);
  contprof_sample_profile_free(&flat);
}

void contprof_sample_summarise(const struct contprof_sample_profile *profile,
                               struct contprof_sample_summary *summary) {
  contprof_sample_summarise_at(profile, &contprof_default_cutoffs, summary);
}

void contprof_sample_summary_free(struct contprof_sample_summary *summary) {
  free(summary->entries);
  *summary = (struct contprof_sample_summary){0};
}

uint64_t contprof_sample_threshold(const struct contprof_sample_summary *summary, uint32_t cutoff) {
  for (size_t i = 0; i < summary->entry_count; i++)
    if (summary->entries[i].cutoff >= cutoff)
      return summary->entries[i].min_count;
  return 0;
}
