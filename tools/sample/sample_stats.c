#include "sample_stats.h"

static void add(const struct contprof_function_samples *function, uint64_t hot,
                struct contprof_sample_stats *stats) {
  for (size_t i = 0; i < function->body_count; i++) {
    uint64_t count = function->bodies[i].count;
    stats->sum += count;
    stats->hottest = count > stats->hottest ? count : stats->hottest;
    stats->hot_lines += count >= hot;
  }
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++)
      add(function->callsites[i].inlinees[j], hot, stats);
}

struct contprof_sample_stats
contprof_sample_stats_of(const struct contprof_function_samples *function, uint64_t hot) {
  struct contprof_sample_stats stats = {0};
  add(function, hot, &stats);
  return stats;
}
