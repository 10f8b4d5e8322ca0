// Which share of all counts the hottest ones make up: the detailed summary that profiles of either
// kind have. Rules: llvm/lib/ProfileData/ProfileSummaryBuilder.cpp (computeDetailedSummary).
#ifndef CONTPROF_BASE_COUNT_SUMMARY_H
#define CONTPROF_BASE_COUNT_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

struct contprof_summary_entry {
  uint32_t cutoff;        // share of the total count, in millionths
  uint64_t min_count;     // the smallest of the hottest counters that together reach the cutoff
  uint64_t counter_count; // how many they are
};

// Shares of the total that the entries of a summary are for.
struct contprof_cutoffs {
  const uint32_t *cutoffs; // in millionths, rising; owned by whoever made the list
  size_t count;
};

// Those that LLVM's writers use.
extern const struct contprof_cutoffs contprof_default_cutoffs;

struct contprof_count_span {
  const uint64_t *counts; // not owned
  size_t count;
};

// Makes one entry for each cutoff, of all counts of the spans, whose sum, modulo 2^64, is `total`.
void contprof_summary_entries(const struct contprof_count_span *spans, size_t span_count,
                              uint64_t total, const struct contprof_cutoffs *cutoffs,
                              struct contprof_summary_entry *entries);

#endif
