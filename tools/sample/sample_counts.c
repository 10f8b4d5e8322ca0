#include "sample_counts.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_SLOTS = 1024, // a power of two
  DIGIT = 11,         // bits that a pass of the sort looks at
  DIGITS = 1 << DIGIT,
};

static const struct contprof_pair_count free_slot = {UINT64_MAX, UINT64_MAX, 0};

static bool is_free(const struct contprof_pair_count *slot) {
  return (slot->from & slot->to) == UINT64_MAX;
}

static uint64_t hash_of(uint64_t from, uint64_t to) {
  uint64_t mixed = (from ^ (to << 32 | to >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
  mixed ^= to * UINT64_C(0xc2b2ae3d27d4eb4f);
  return mixed ^ mixed >> 32;
}

// The slot that holds the pair, or the free one where it belongs.
static struct contprof_pair_count *slot_of(const struct contprof_pair_counts *counts, uint64_t from,
                                           uint64_t to) {
  size_t mask = counts->slot_count - 1;
  for (size_t at = hash_of(from, to) & mask;; at = (at + 1) & mask) {
    struct contprof_pair_count *slot = &counts->slots[at];
    if ((slot->from == from && slot->to == to) || is_free(slot))
      return slot;
  }
}

static void grow(struct contprof_pair_counts *counts, size_t slots) {
  struct contprof_pair_counts larger = *counts;
  larger.slot_count = slots;
  larger.slots = contprof_need_array(NULL, larger.slot_count, sizeof *larger.slots);
  for (size_t i = 0; i < larger.slot_count; i++)
    larger.slots[i] = free_slot;
  for (size_t i = 0; i < counts->slot_count; i++)
    if (!is_free(&counts->slots[i]))
      *slot_of(&larger, counts->slots[i].from, counts->slots[i].to) = counts->slots[i];
  free(counts->slots);
  *counts = larger;
}

static void add_to(struct contprof_pair_count *pair, uint64_t count) {
  if (__builtin_add_overflow(pair->count, count, &pair->count))
    pair->count = UINT64_MAX;
}

static void add_last(struct contprof_pair_counts *counts, uint64_t count) {
  if (!counts->has_last) {
    counts->last = free_slot;
    counts->has_last = true;
    counts->count++;
  }
  add_to(&counts->last, count);
}

void contprof_pair_add(struct contprof_pair_counts *counts, uint64_t from, uint64_t to,
                       uint64_t count) {
  if ((from & to) == UINT64_MAX) {
    add_last(counts, count);
    return;
  }
  if (counts->count >= counts->slot_count / 4 * 3)
    grow(counts, counts->slot_count ? counts->slot_count * 2 : FIRST_SLOTS);
  struct contprof_pair_count *slot = slot_of(counts, from, to);
  if (is_free(slot)) {
    *slot = (struct contprof_pair_count){from, to, 0};
    counts->count++;
  }
  add_to(slot, count);
}

void contprof_pair_expect(const struct contprof_pair_counts *counts, uint64_t from, uint64_t to) {
  if (counts->slot_count)
    __builtin_prefetch(&counts->slots[hash_of(from, to) & (counts->slot_count - 1)], 1);
}

void contprof_pairs_reserve(struct contprof_pair_counts *counts, size_t count) {
  size_t slots = counts->slot_count ? counts->slot_count : FIRST_SLOTS;
  while (slots / 4 * 3 <= count)
    slots *= 2;
  if (slots > counts->slot_count)
    grow(counts, slots);
}

// The bits of a pair, from the lowest of `to` to the highest of `from`, that pass `pass` sorts by.
static size_t digit_of(const struct contprof_pair_count *pair, unsigned pass) {
  enum { PASSES_OF_ADDRESS = (64 + DIGIT - 1) / DIGIT };
  uint64_t address = pass < PASSES_OF_ADDRESS ? pair->to : pair->from;
  return address >> pass % PASSES_OF_ADDRESS * DIGIT & (DIGITS - 1);
}

// One pass of a radix sort, from `pairs` to `sorted`. Returns false, with nothing moved, if all
// pairs have the same digit.
static bool sort_by_digit(const struct contprof_pair_count *pairs, size_t count, unsigned pass,
                          struct contprof_pair_count *sorted) {
  size_t starts[DIGITS] = {0}, at = 0;
  for (size_t i = 0; i < count; i++)
    starts[digit_of(&pairs[i], pass)]++;
  if (starts[digit_of(&pairs[0], pass)] == count)
    return false;
  for (size_t digit = 0; digit < DIGITS; digit++) {
    size_t here = starts[digit];
    starts[digit] = at;
    at += here;
  }
  for (size_t i = 0; i < count; i++)
    sorted[starts[digit_of(&pairs[i], pass)]++] = pairs[i];
  return true;
}

static int by_addresses(const void *left, const void *right) {
  const struct contprof_pair_count *one = left, *other = right;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  return one->to == other->to ? 0 : one->to < other->to ? -1 : 1;
}

// Addresses of a binary differ in few digits, which makes few passes.
struct contprof_pair_count *contprof_pairs_sort(struct contprof_pair_count *pairs, size_t count) {
  if (count < DIGITS) {
    qsort(pairs, count, sizeof *pairs, by_addresses);
    return pairs;
  }
  struct contprof_pair_count *other = contprof_need_array(NULL, count + 1, sizeof *other);
  for (unsigned pass = 0; pass < 2 * ((64 + DIGIT - 1) / DIGIT); pass++)
    if (sort_by_digit(pairs, count, pass, other)) {
      struct contprof_pair_count *sorted = other;
      other = pairs;
      pairs = sorted;
    }
  free(other);
  return pairs;
}

static struct contprof_pair_count *unsorted(const struct contprof_pair_counts *counts) {
  struct contprof_pair_count *pairs = contprof_need_array(NULL, counts->count + 1, sizeof *pairs);
  size_t taken = 0;
  for (size_t i = 0; i < counts->slot_count; i++)
    if (!is_free(&counts->slots[i]))
      pairs[taken++] = counts->slots[i];
  if (counts->has_last)
    pairs[taken] = counts->last;
  return pairs;
}

struct contprof_pair_count *contprof_pairs_sorted(const struct contprof_pair_counts *counts) {
  return contprof_pairs_sort(unsorted(counts), counts->count);
}

static void free_pairs(struct contprof_pair_counts *counts) {
  free(counts->slots);
  *counts = (struct contprof_pair_counts){0};
}

struct contprof_pair_count *contprof_pairs_take(struct contprof_pair_counts *counts,
                                                size_t *count) {
  struct contprof_pair_count *pairs = unsorted(counts);
  *count = counts->count;
  free_pairs(counts);
  return contprof_pairs_sort(pairs, *count);
}

void contprof_sample_counts_free(struct contprof_sample_counts *counts) {
  free_pairs(&counts->ranges);
  free_pairs(&counts->branches);
}
