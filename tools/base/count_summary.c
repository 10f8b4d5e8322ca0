#include "count_summary.h"

#include "arena.h"

#include <stdbool.h>

// ProfileSummaryBuilder::DefaultCutoffs.
static const uint32_t CUTOFFS[] = {10000,  100000, 200000, 300000, 400000, 500000, 600000, 700000,
                                   800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999};

enum { MILLION = 1000000 };

const struct contprof_cutoffs contprof_default_cutoffs = {CUTOFFS,
                                                          sizeof CUTOFFS / sizeof *CUTOFFS};

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
  const struct contprof_count_span *spans;
  size_t span_count;
  uint64_t total; // of all counts; may have wrapped
  const struct contprof_cutoffs *cutoffs;
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
  for (size_t i = 0; i < all->span_count; i++)
    for (size_t j = 0; j < all->spans[i].count; j++) {
      uint64_t count = all->spans[i].counts[j];
      struct bucket *bucket = &all->buckets[bucket_of(count)];
      bucket->number++;
      bucket->sum += count;
      fits &= !__builtin_add_overflow(total, count, &total);
    }
  return fits;
}

static uint64_t share(uint64_t total, uint32_t cutoff) {
  return (uint64_t)((unsigned __int128)total * cutoff / MILLION);
}

// A total that has wrapped says nothing of where a cutoff is.
static void choose_buckets(struct sized_counts *all, bool fits) {
  const struct contprof_cutoffs *cutoffs = all->cutoffs;
  uint64_t sum = 0;
  size_t next = 0; // the first cutoff not reached
  for (size_t i = BUCKETS; i-- > EXACT;) {
    struct bucket *bucket = &all->buckets[i];
    if (!bucket->number)
      continue;
    while (next < cutoffs->count && share(all->total, cutoffs->cutoffs[next]) <= sum)
      next++;
    sum += bucket->sum;
    bucket->wanted =
        !fits || (next < cutoffs->count && share(all->total, cutoffs->cutoffs[next]) <= sum);
  }
}

static void sort_wanted(struct sized_counts *all) {
  uint64_t number = 0, used = 0;
  for (size_t i = 0; i < BUCKETS; i++)
    number += all->buckets[i].wanted ? all->buckets[i].number : 0;
  uint64_t *found = contprof_arena_zeros(&all->arena, number, sizeof *found);
  for (size_t i = 0; i < all->span_count; i++)
    for (size_t j = 0; j < all->spans[i].count; j++) {
      uint64_t count = all->spans[i].counts[j];
      if (count >= EXACT && all->buckets[bucket_of(count)].wanted)
        found[used++] = count;
    }
  uint64_t *scratch = contprof_arena_zeros(&all->arena, number, sizeof *scratch);
  all->sorted = sort_falling(found, scratch, number);
}

// Where the taking of counts, hottest first, has come to.
struct taken {
  const struct sized_counts *all;
  struct contprof_summary_entry *entries;
  uint64_t number, sum;
  uint64_t last; // the count taken last
  size_t next;   // the first entry whose cutoff has not been reached
};

static void set_entry(struct taken *taken) {
  taken->entries[taken->next] =
      (struct contprof_summary_entry){.cutoff = taken->all->cutoffs->cutoffs[taken->next],
                                      .min_count = taken->last,
                                      .counter_count = taken->number};
  taken->next++;
}

// ProfileSummaryBuilder::computeDetailedSummary takes all counters of one count at a time.
static void take(struct taken *taken, uint64_t count, uint64_t number) {
  const struct contprof_cutoffs *cutoffs = taken->all->cutoffs;
  taken->last = count;
  taken->number += number;
  taken->sum += count * number;
  while (taken->next < cutoffs->count &&
         share(taken->all->total, cutoffs->cutoffs[taken->next]) <= taken->sum)
    set_entry(taken);
}

static const uint64_t *take_sorted(struct taken *taken, const uint64_t *sorted, uint64_t number) {
  const uint64_t *end = sorted + number;
  while (sorted < end) {
    const uint64_t *first = sorted;
    while (sorted < end && *sorted == *first)
      sorted++;
    take(taken, *first, (uint64_t)(sorted - first));
  }
  return sorted;
}

static void fill_entries(const struct sized_counts *all, struct contprof_summary_entry *entries) {
  struct taken taken = {.all = all, .entries = entries};
  const uint64_t *sorted = all->sorted;
  take(&taken, 0, 0); // a cutoff may be nothing
  for (size_t i = BUCKETS; i-- > 0;) {
    const struct bucket *bucket = &all->buckets[i];
    if (bucket->wanted) {
      sorted = take_sorted(&taken, sorted, bucket->number);
    } else if (i >= EXACT) {
      taken.number += bucket->number;
      taken.sum += bucket->sum;
    } else if (bucket->number) {
      take(&taken, i, bucket->number);
    }
  }
  while (taken.next < all->cutoffs->count) // only where the total has wrapped
    set_entry(&taken);
}

void contprof_summary_entries(const struct contprof_count_span *spans, size_t span_count,
                              uint64_t total, const struct contprof_cutoffs *cutoffs,
                              struct contprof_summary_entry *entries) {
  struct sized_counts all = {
      .spans = spans, .span_count = span_count, .total = total, .cutoffs = cutoffs};
  if (!cutoffs->count)
    return;
  choose_buckets(&all, fill_buckets(&all));
  sort_wanted(&all);
  fill_entries(&all, entries);
  contprof_arena_free(&all.arena);
}
