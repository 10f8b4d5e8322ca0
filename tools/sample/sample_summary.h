// The summary of a sample profile: what the compiler calls hot and cold is derived from it. A body
// sample counts as a counter of an instrumented profile does. Rules:
// llvm/lib/ProfileData/ProfileSummaryBuilder.cpp (SampleProfileSummaryBuilder).
#ifndef CONTPROF_SAMPLE_SAMPLE_SUMMARY_H
#define CONTPROF_SAMPLE_SAMPLE_SUMMARY_H

#include "../base/count_summary.h"
#include "sample_profile.h"

struct contprof_sample_summary {
  uint64_t total_count; // of all body samples; wraps as LLVM's does
  uint64_t max_count;
  uint64_t max_function_count; // the most head samples
  uint64_t counter_count;
  uint64_t function_count;                // of the top level
  struct contprof_summary_entry *entries; // entry_count of them; owned
  size_t entry_count;
};

// Summarises for the cutoffs of LLVM's writers, or for those given. In a context-sensitive profile
// all contexts of one function are summarised as one. Free with contprof_sample_summary_free.
void contprof_sample_summarise(const struct contprof_sample_profile *profile,
                               struct contprof_sample_summary *summary);
void contprof_sample_summarise_at(const struct contprof_sample_profile *profile,
                                  const struct contprof_cutoffs *cutoffs,
                                  struct contprof_sample_summary *summary);

void contprof_sample_summary_free(struct contprof_sample_summary *summary);

// The smallest count of the entries that reach `cutoff` millionths first: 990000 and 999999 are
// what LLVM takes for hot and cold (ProfileSummaryBuilder::getEntryForPercentile); 0 if there is
// none.
uint64_t contprof_sample_threshold(const struct contprof_sample_summary *summary, uint32_t cutoff);

#endif
