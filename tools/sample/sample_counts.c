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

// Makes a table of a list, for more to be added.
static void put_into_table(struct contprof_pair_counts *counts) {
  struct contprof_pair_counts list = *counts;
  *counts = (struct contprof_pair_counts){0};
  for (size_t i = 0; i < list.count; i++)
    contprof_pair_add(counts, list.sorted[i].from, list.sorted[i].to, list.sorted[i].count);
  free(list.sorted);
}

void contprof_pair_add(struct contprof_pair_counts *counts, uint64_t from, uint64_t to,
                       uint64_t count) {
  if (counts->sorted)
    put_into_table(counts);
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

static uint64_t address_of(const struct contprof_pair_count *pair, bool is_from) {
  return is_from ? pair->from : pair->to;
}

// The bits that pairs differ in.
static uint64_t varying(const struct contprof_pair_count *pairs, size_t count, bool is_from) {
  uint64_t bits = 0;
  for (size_t i = 1; i < count; i++)
    bits |= address_of(&pairs[i], is_from) ^ address_of(&pairs[0], is_from);
  return bits;
}

// One pass of a radix sort, by the digit at bit `shift`.
static void sort_by_digit(const struct contprof_pair_count *pairs, size_t count, bool is_from,
                          unsigned shift, struct contprof_pair_count *sorted) {
  size_t starts[DIGITS] = {0}, at = 0;
  for (size_t i = 0; i < count; i++)
    starts[address_of(&pairs[i], is_from) >> shift & (DIGITS - 1)]++;
  for (size_t digit = 0; digit < DIGITS; digit++) {
    size_t here = starts[digit];
    starts[digit] = at;
    at += here;
  }
  for (size_t i = 0; i < count; i++)
    sorted[starts[address_of(&pairs[i], is_from) >> shift & (DIGITS - 1)]++] = pairs[i];
}

static void swap(struct contprof_pair_count **one, struct contprof_pair_count **other) {
  struct contprof_pair_count *kept = *one;
  *one = *other;
  *other = kept;
}

// Addresses of a binary differ in few digits, which makes few passes.
static void sort_by_address(struct contprof_pair_count **pairs, size_t count, bool is_from,
                            struct contprof_pair_count **other) {
  uint64_t bits = varying(*pairs, count, is_from);
  for (unsigned shift = 0; shift < 64; shift += DIGIT)
    if (bits >> shift & (DIGITS - 1)) {
      sort_by_digit(*pairs, count, is_from, shift, *other);
      swap(pairs, other);
    }
}

static int by_addresses(const void *left, const void *right) {
  const struct contprof_pair_count *one = left, *other = right;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  return one->to == other->to ? 0 : one->to < other->to ? -1 : 1;
}

struct contprof_pair_count *contprof_pairs_sort(struct contprof_pair_count *pairs, size_t count) {
  if (count < DIGITS) {
    qsort(pairs, count, sizeof *pairs, by_addresses);
    return pairs;
  }
  struct contprof_pair_count *other = contprof_need_array(NULL, count, sizeof *other);
  sort_by_address(&pairs, count, false, &other);
  sort_by_address(&pairs, count, true, &other);
  free(other);
  return pairs;
}

static struct contprof_pair_count *listed(const struct contprof_pair_counts *counts) {
  struct contprof_pair_count *pairs = contprof_need_array(NULL, counts->count + 1, sizeof *pairs);
  size_t taken = 0;
  if (counts->sorted)
    return memcpy(pairs, counts->sorted, counts->count * sizeof *pairs);
  for (size_t i = 0; i < counts->slot_count; i++)
    if (!is_free(&counts->slots[i]))
      pairs[taken++] = counts->slots[i];
  if (counts->has_last)
    pairs[taken] = counts->last;
  return pairs;
}

static void free_pairs(struct contprof_pair_counts *counts) {
  free(counts->slots);
  free(counts->sorted);
  *counts = (struct contprof_pair_counts){0};
}

struct contprof_pair_count *contprof_pairs_sorted(const struct contprof_pair_counts *counts) {
  struct contprof_pair_count *pairs = listed(counts);
  return counts->sorted ? pairs : contprof_pairs_sort(pairs, counts->count);
}

struct contprof_pair_count *contprof_pairs_take(struct contprof_pair_counts *counts,
                                                size_t *count) {
  struct contprof_pair_counts all = *counts;
  *count = all.count;
  *counts = (struct contprof_pair_counts){0};
  if (all.sorted)
    return all.sorted;
  struct contprof_pair_count *pairs = listed(&all);
  free_pairs(&all);
  return contprof_pairs_sort(pairs, *count);
}

void contprof_pairs_give(struct contprof_pair_counts *counts, struct contprof_pair_count *sorted,
                         size_t count) {
  *counts = (struct contprof_pair_counts){.sorted = sorted, .count = count};
}

void contprof_sample_counts_free(struct contprof_sample_counts *counts) {
  free_pairs(&counts->ranges);
  free_pairs(&counts->branches);
}
