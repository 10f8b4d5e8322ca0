#include "heat_overlap.h"

#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct totals {
  double counted, sampled;
};

static struct totals totals_of(const struct contprof_combination *all) {
  struct totals totals = {0};
  for (size_t i = 0; i < all->match.group_count; i++) {
    totals.counted += (double)all->functions[i].counted;
    totals.sampled += (double)contprof_flat_peak(&all->flat.heats[i]);
  }
  for (size_t i = 0; i < all->flat.unknown_count; i++)
    totals.sampled += (double)contprof_flat_peak(&all->flat.unknowns[i].heat);
  return totals;
}

static double share_of(uint64_t count, double total) {
  return total > 0 ? (double)count / total : 0;
}

static void add(struct contprof_heat_overlap *overlap, const struct contprof_heat_share *share,
                bool apart) {
  overlap->overlap += fmin(share->counted, share->sampled);
  if (share->counted > 0 && share->sampled > 0) {
    overlap->common++;
  } else if (share->counted > 0) {
    overlap->counted_only++;
    overlap->counted_alone += share->counted;
  } else if (share->sampled > 0) {
    overlap->sampled_only++;
    overlap->sampled_alone += share->sampled;
  }
  if (apart)
    overlap->apart[overlap->apart_count++] = *share;
}

static int farthest_first(const void *left_entry, const void *right_entry) {
  const struct contprof_heat_share *left = left_entry, *right = right_entry;
  double a = fabs(left->counted - left->sampled), b = fabs(right->counted - right->sampled);
  if (a != b)
    return a > b ? -1 : 1;
  return left->name && right->name ? strcmp(left->name, right->name) : !!right->name - !!left->name;
}

static void add_groups(struct contprof_heat_overlap *overlap,
                       const struct contprof_combination *all, const struct totals *totals,
                       double tolerance) {
  for (size_t i = 0; i < all->match.group_count; i++) {
    uint64_t counted = all->functions[i].counted;
    uint64_t sampled = contprof_flat_peak(&all->flat.heats[i]);
    const struct contprof_heat_share share = {.name = (*all->match.groups[i].functions)->name,
                                              .counted = share_of(counted, totals->counted),
                                              .sampled = share_of(sampled, totals->sampled)};
    add(overlap, &share,
        (counted && counted >= all->instr.hot && share.counted > share.sampled * tolerance) ||
            (sampled && sampled >= all->sample.hot && share.sampled > share.counted * tolerance));
  }
}

static void add_unknowns(struct contprof_heat_overlap *overlap,
                         const struct contprof_combination *all, const struct totals *totals) {
  for (size_t i = 0; i < all->flat.unknown_count; i++) {
    const struct contprof_unknown_samples *unknown = &all->flat.unknowns[i];
    uint64_t sampled = contprof_flat_peak(&unknown->heat);
    const struct contprof_heat_share share = {.name = unknown->name,
                                              .hash = unknown->hash,
                                              .sampled = share_of(sampled, totals->sampled)};
    add(overlap, &share, sampled && sampled >= all->sample.hot);
  }
}

void contprof_heat_overlap_of(struct contprof_heat_overlap *overlap,
                              const struct contprof_combination *all, double tolerance) {
  struct totals totals = totals_of(all);
  size_t most = all->match.group_count + all->flat.unknown_count + 1;
  *overlap =
      (struct contprof_heat_overlap){.counted = totals.counted > 0, .sampled = totals.sampled > 0};
  overlap->apart = contprof_need_array(NULL, most, sizeof *overlap->apart);
  add_groups(overlap, all, &totals, tolerance);
  add_unknowns(overlap, all, &totals);
  if (overlap->apart_count)
    qsort(overlap->apart, overlap->apart_count, sizeof *overlap->apart, farthest_first);
}

void contprof_heat_overlap_free(struct contprof_heat_overlap *overlap) {
  free(overlap->apart);
  *overlap = (struct contprof_heat_overlap){0};
}
