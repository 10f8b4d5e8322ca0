#include "hot_thresholds.h"

#include "../instr/summary.h"
#include "../sample/sample_summary.h"

static const uint32_t HOT_AND_COLD[] = {990000, 999999};
static const struct contprof_cutoffs CUTOFFS = {HOT_AND_COLD, 2};

static struct contprof_hot_thresholds taken_from(const struct contprof_summary_entry *entries) {
  return (struct contprof_hot_thresholds){.hot = entries[0].min_count,
                                          .cold = entries[1].min_count};
}

struct contprof_hot_thresholds contprof_thresholds_of(const struct contprof_profile *profile) {
  struct contprof_summary summary;
  contprof_summarise_at(profile, CONTPROF_SUMMARY_ALL, &CUTOFFS, &summary);
  struct contprof_hot_thresholds thresholds = taken_from(summary.entries);
  contprof_summary_free(&summary);
  return thresholds;
}

struct contprof_hot_thresholds
contprof_sample_thresholds_of(const struct contprof_sample_profile *sample) {
  struct contprof_sample_summary summary;
  contprof_sample_summarise_at(sample, &CUTOFFS, &summary);
  struct contprof_hot_thresholds thresholds = taken_from(summary.entries);
  contprof_sample_summary_free(&summary);
  return thresholds;
}
