#include "summary.h"

// ProfileSummaryBuilder::DefaultCutoffs, in millionths.
static const uint32_t CUTOFFS[] = {10000,  100000, 200000, 300000, 400000, 500000, 600000, 700000,
                                   800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999};

enum { CUTOFF_COUNT = sizeof CUTOFFS / sizeof *CUTOFFS, MILLION = 1000000 };

// A function whose first counter says "hot" or "warm" has no counts (InstrProfSummaryBuilder::
// addRecord skips it).
static bool counts(const struct contprof_function *function, enum contprof_summary_of which) {
  bool marked = function->hash & CONTPROF_HASH_CS;
  return function->counter_count && function->counters[0] < CONTPROF_COUNT_WARM &&
         (which == CONTPROF_SUMMARY_ALL || marked == (which == CONTPROF_SUMMARY_CS));
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

// One pass of a radix sort: by the byte at `shift`, largest first; `places` has where each byte's
// counts begin.
static void sort_by_byte(const uint64_t *from, uint64_t *to, size_t count, unsigned shift,
                         size_t places[256]) {
  for (size_t i = 0; i < count; i++)
    to[places[from[i] >> shift & 255]++] = from[i];
}

// How many counts have each byte at `shift`, as places; false if all have the same.
static bool find_places(const uint64_t *all, size_t count, unsigned shift, size_t places[256]) {
  size_t numbers[256] = {0}, place = 0;
  for (size_t i = 0; i < count; i++)
    numbers[all[i] >> shift & 255]++;
  for (int byte = 255; byte >= 0; byte--) {
    if (numbers[byte] == count)
      return false;
    places[byte] = place;
    place += numbers[byte];
  }
  return true;
}

// Sorts, largest first, and returns where the result is: in one of the two arrays. A profile has
// millions of counts, most of them small; comparing them was most of a merge's time.
static uint64_t *sort_falling(uint64_t *all, uint64_t *scratch, size_t count) {
  size_t places[256];
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (!find_places(all, count, shift, places))
      continue;
    sort_by_byte(all, scratch, count, shift, places);
    uint64_t *sorted = scratch;
    scratch = all;
    all = sorted;
  }
  return all;
}

// All counts, hottest first; in the arena.
static uint64_t *sorted_counts(const struct contprof_profile *profile,
                               enum contprof_summary_of which, uint64_t count,
                               struct contprof_arena *arena) {
  uint64_t *all = contprof_arena_zeros(arena, count, sizeof *all);
  size_t used = 0;
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    for (uint32_t j = 0; counts(function, which) && j < function->counter_count; j++)
      all[used++] = function->counters[j];
  }
  return sort_falling(all, contprof_arena_zeros(arena, count, sizeof *all), count);
}

static uint64_t share(uint64_t total, uint32_t cutoff) {
  return (uint64_t)((unsigned __int128)total * cutoff / MILLION);
}

// ProfileSummaryBuilder::computeDetailedSummary takes all counters of one count at a time.
static void fill_entries(struct contprof_summary *summary, const uint64_t *all,
                         const uint32_t *cutoffs) {
  uint64_t taken = 0, sum = 0, count = 0;
  for (size_t i = 0; i < summary->entry_count; i++) {
    uint64_t wanted = share(summary->total_count, cutoffs[i]);
    while (sum < wanted && taken < summary->counter_count) {
      count = all[taken];
      while (taken < summary->counter_count && all[taken] == count) {
        sum += count;
        taken++;
      }
    }
    summary->entries[i] = (struct contprof_summary_entry){
        .cutoff = cutoffs[i], .min_count = count, .counter_count = taken};
  }
}

void contprof_summarise_at(const struct contprof_profile *profile, enum contprof_summary_of which,
                           const struct contprof_cutoffs *cutoffs,
                           struct contprof_summary *summary) {
  struct contprof_arena arena = {0};
  *summary = (struct contprof_summary){.entry_count = cutoffs->count};
  for (size_t i = 0; i < profile->function_count; i++)
    if (counts(profile->functions[i], which))
      add_function(summary, profile->functions[i]);
  summary->entries =
      contprof_arena_zeros(&summary->arena, cutoffs->count + 1, sizeof *summary->entries);
  if (cutoffs->count)
    fill_entries(summary, sorted_counts(profile, which, summary->counter_count, &arena),
                 cutoffs->cutoffs);
  contprof_arena_free(&arena);
}

void contprof_summarise(const struct contprof_profile *profile, enum contprof_summary_of which,
                        struct contprof_summary *summary) {
  const struct contprof_cutoffs all = {CUTOFFS, CUTOFF_COUNT};
  contprof_summarise_at(profile, which, &all, summary);
}

void contprof_summary_free(struct contprof_summary *summary) {
  contprof_arena_free(&summary->arena);
  *summary = (struct contprof_summary){0};
}
