#include "summary.h"

// ProfileSummaryBuilder::DefaultCutoffs, in millionths.
static const uint32_t CUTOFFS[] = {10000,  100000, 200000, 300000, 400000, 500000, 600000, 700000,
                                   800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999};

enum { CUTOFF_COUNT = sizeof CUTOFFS / sizeof *CUTOFFS, MILLION = 1000000 };

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

// --- cutoffs ------------------------------------------------------------------------------------

// Counts by their size, in buckets like floating-point numbers: of 8 bits after the first, exact
// below 512. Cutoffs fall into few of them, so only the counts of those are sorted: a profile has
// millions.
enum { FINE = 8, EXACT = 2 << FINE, BUCKETS = (63 - FINE) * (1 << FINE) + EXACT };

struct bucket {
  uint64_t number; // of counts
  uint64_t sum;    // of them
  bool wanted;     // a cutoff is among its counts, which are to be told apart
};

struct sized_counts {
  const struct contprof_profile *profile;
  enum contprof_summary_of which;
  struct bucket *buckets; // BUCKETS of them; in the arena
  uint64_t *sorted;       // the counts of wanted buckets, hottest first; in the arena
  struct contprof_arena arena;
};

static size_t bucket_of(uint64_t count) {
  if (count < EXACT)
    return count;
  unsigned shift = 63 - FINE - (unsigned)__builtin_clzll(count);
  return ((size_t)shift << FINE) + (count >> shift);
}

// Returns false if the total is beyond 64 bits.
static bool fill_buckets(struct sized_counts *all) {
  bool fits = true;
  uint64_t total = 0;
  all->buckets = contprof_arena_zeros(&all->arena, BUCKETS, sizeof *all->buckets);
  for (size_t i = 0; i < all->profile->function_count; i++) {
    const struct contprof_function *function = all->profile->functions[i];
    uint32_t count = counts(function, all->which) ? function->counter_count : 0;
    for (uint32_t j = 0; j < count; j++) {
      struct bucket *bucket = &all->buckets[bucket_of(function->counters[j])];
      bucket->number++;
      bucket->sum += function->counters[j];
      fits &= !__builtin_add_overflow(total, function->counters[j], &total);
    }
  }
  return fits;
}

static uint64_t share(uint64_t total, uint32_t cutoff) {
  return (uint64_t)((unsigned __int128)total * cutoff / MILLION);
}

// A total that has wrapped says nothing of where a cutoff is.
static void choose_buckets(struct sized_counts *all, const struct contprof_summary *summary,
                           const uint32_t *cutoffs, bool fits) {
  uint64_t sum = 0;
  size_t next = 0; // the first cutoff not reached
  for (size_t i = BUCKETS; i-- > EXACT;) {
    struct bucket *bucket = &all->buckets[i];
    if (!bucket->number)
      continue;
    while (next < summary->entry_count && share(summary->total_count, cutoffs[next]) <= sum)
      next++;
    sum += bucket->sum;
    bucket->wanted =
        !fits || (next < summary->entry_count && share(summary->total_count, cutoffs[next]) <= sum);
  }
}

static void sort_wanted(struct sized_counts *all) {
  uint64_t number = 0, used = 0;
  for (size_t i = 0; i < BUCKETS; i++)
    number += all->buckets[i].wanted ? all->buckets[i].number : 0;
  uint64_t *found = contprof_arena_zeros(&all->arena, number, sizeof *found);
  for (size_t i = 0; i < all->profile->function_count; i++) {
    const struct contprof_function *function = all->profile->functions[i];
    uint32_t count = counts(function, all->which) ? function->counter_count : 0;
    for (uint32_t j = 0; j < count; j++)
      if (function->counters[j] >= EXACT && all->buckets[bucket_of(function->counters[j])].wanted)
        found[used++] = function->counters[j];
  }
  uint64_t *scratch = contprof_arena_zeros(&all->arena, number, sizeof *scratch);
  all->sorted = sort_falling(found, scratch, number);
}

// Where the taking of counts, hottest first, has come to.
struct taken {
  uint64_t number, sum;
  uint64_t last; // the count taken last
  size_t next;   // the first entry whose cutoff has not been reached
};

static void set_entry(struct contprof_summary *summary, const uint32_t *cutoffs,
                      struct taken *taken) {
  summary->entries[taken->next] = (struct contprof_summary_entry){
      .cutoff = cutoffs[taken->next], .min_count = taken->last, .counter_count = taken->number};
  taken->next++;
}

// ProfileSummaryBuilder::computeDetailedSummary takes all counters of one count at a time.
static void take(struct contprof_summary *summary, const uint32_t *cutoffs, uint64_t count,
                 uint64_t number, struct taken *taken) {
  taken->last = count;
  taken->number += number;
  taken->sum += count * number;
  while (taken->next < summary->entry_count &&
         share(summary->total_count, cutoffs[taken->next]) <= taken->sum)
    set_entry(summary, cutoffs, taken);
}

static const uint64_t *take_sorted(struct contprof_summary *summary, const uint32_t *cutoffs,
                                   const uint64_t *sorted, uint64_t number, struct taken *taken) {
  const uint64_t *end = sorted + number;
  while (sorted < end) {
    const uint64_t *first = sorted;
    while (sorted < end && *sorted == *first)
      sorted++;
    take(summary, cutoffs, *first, (uint64_t)(sorted - first), taken);
  }
  return sorted;
}

static void fill_entries(struct contprof_summary *summary, const struct sized_counts *all,
                         const uint32_t *cutoffs) {
  struct taken taken = {0};
  const uint64_t *sorted = all->sorted;
  take(summary, cutoffs, 0, 0, &taken); // a cutoff may be nothing
  for (size_t i = BUCKETS; i-- > 0;) {
    const struct bucket *bucket = &all->buckets[i];
    if (bucket->wanted) {
      sorted = take_sorted(summary, cutoffs, sorted, bucket->number, &taken);
    } else if (i >= EXACT) {
      taken.number += bucket->number;
      taken.sum += bucket->sum;
    } else if (bucket->number) {
      take(summary, cutoffs, i, bucket->number, &taken);
    }
  }
  while (taken.next < summary->entry_count) // only where the total has wrapped
    set_entry(summary, cutoffs, &taken);
}

void contprof_summarise_at(const struct contprof_profile *profile, enum contprof_summary_of which,
                           const struct contprof_cutoffs *cutoffs,
                           struct contprof_summary *summary) {
  struct sized_counts all = {.profile = profile, .which = which};
  *summary = (struct contprof_summary){.entry_count = cutoffs->count};
  for (size_t i = 0; i < profile->function_count; i++)
    if (counts(profile->functions[i], which))
      add_function(summary, profile->functions[i]);
    else
      summary->marked_count +=
          contprof_profile_is_pseudo(profile->functions[i]) && is_of(profile->functions[i], which);
  summary->entries =
      contprof_arena_zeros(&summary->arena, cutoffs->count + 1, sizeof *summary->entries);
  if (!cutoffs->count)
    return;
  choose_buckets(&all, summary, cutoffs->cutoffs, fill_buckets(&all));
  sort_wanted(&all);
  fill_entries(summary, &all, cutoffs->cutoffs);
  contprof_arena_free(&all.arena);
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
