#include "summary.h"

#include "../base/memory.h"

#include <stdlib.h>

// A function whose first counter says "hot" or "warm" has no counts (InstrProfSummaryBuilder::
// addRecord skips it).
static bool is_of(const struct contprof_function *function, enum contprof_summary_of which) {
  bool context_sensitive = function->hash & CONTPROF_HASH_CS;
  return which == CONTPROF_SUMMARY_ALL || context_sensitive == (which == CONTPROF_SUMMARY_CS);
}

static bool counts(const struct contprof_function *function, enum contprof_summary_of which) {
  return function->counter_count && !contprof_profile_is_pseudo(function) && is_of(function, which);
}

static void raise(uint64_t *maximum, uint64_t count) {
  if (count > *maximum)
    *maximum = count;
}

// The total wraps, as LLVM's does: the cutoffs of such a profile mean as little there as here.
static void add_function(struct contprof_summary *summary,
                         const struct contprof_function *function) {
  summary->function_count++;
  raise(&summary->max_function_count, function->counters[0]);
  for (uint32_t i = 0; i < function->counter_count; i++) {
    summary->total_count += function->counters[i];
    raise(&summary->max_count, function->counters[i]);
    if (i > 0)
      raise(&summary->max_internal_count, function->counters[i]);
  }
  summary->counter_count += function->counter_count;
}

// The counters of the functions that are summarised, to be freed.
static struct contprof_count_span *spans_of(const struct contprof_profile *profile,
                                            enum contprof_summary_of which, size_t *count) {
  struct contprof_count_span *spans =
      contprof_need_array(NULL, profile->function_count + 1, sizeof *spans);
  *count = 0;
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    contprof_profile_send_ahead(profile, i);
    if (counts(function, which))
      spans[(*count)++] = (struct contprof_count_span){function->counters, function->counter_count};
  }
  return spans;
}

void contprof_summarise_at(const struct contprof_profile *profile, enum contprof_summary_of which,
                           const struct contprof_cutoffs *cutoffs,
                           struct contprof_summary *summary) {
  size_t span_count;
  *summary = (struct contprof_summary){.entry_count = cutoffs->count};
  for (size_t i = 0; i < profile->function_count; i++) {
    contprof_profile_send_ahead(profile, i);
    if (counts(profile->functions[i], which))
      add_function(summary, profile->functions[i]);
    else
      summary->marked_count +=
          contprof_profile_is_pseudo(profile->functions[i]) && is_of(profile->functions[i], which);
  }
  summary->entries =
      contprof_arena_zeros(&summary->arena, cutoffs->count + 1, sizeof *summary->entries);
  if (!cutoffs->count)
    return;
  struct contprof_count_span *spans = spans_of(profile, which, &span_count);
  contprof_summary_entries(spans, span_count, summary->total_count, cutoffs, summary->entries);
  free(spans);
}

void contprof_summarise(const struct contprof_profile *profile, enum contprof_summary_of which,
                        struct contprof_summary *summary) {
  contprof_summarise_at(profile, which, &contprof_default_cutoffs, summary);
}

void contprof_summary_free(struct contprof_summary *summary) {
  contprof_arena_free(&summary->arena);
  *summary = (struct contprof_summary){0};
}
