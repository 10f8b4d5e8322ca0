#include "add_counts.h"

#include "../base/vector_code.h"
#include "profile.h"

#include <string.h>

enum { BLOCK = 512 }; // counts; two blocks fit the first-level cache

// All bits that any of them has.
CONTPROF_VECTOR static uint64_t bits_of(const uint64_t *counts, size_t count) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++)
    bits |= counts[i];
  return bits;
}

CONTPROF_VECTOR static void subtract(uint64_t *from, const uint64_t *what, size_t count) {
  for (size_t i = 0; i < count; i++)
    from[i] -= what[i];
}

// Adds them, and returns all bits that any of them, or of the sums before, has. `from` needs no
// alignment.
CONTPROF_VECTOR static uint64_t add_plain(uint64_t *restrict into, const uint8_t *restrict from,
                                          size_t count, uint64_t *before) {
  uint64_t bits = 0, sums = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t one;
    memcpy(&one, from + i * sizeof one, sizeof one);
    bits |= one;
    sums |= into[i];
    into[i] += one;
  }
  *before = sums;
  return bits;
}

static bool add_saturating(uint64_t *into, uint64_t count, uint64_t weight) {
  uint64_t sum;
  if (!__builtin_mul_overflow(count, weight, &sum) && !__builtin_add_overflow(*into, sum, &sum) &&
      sum <= CONTPROF_COUNT_MAX) {
    *into = sum;
    return true;
  }
  *into = CONTPROF_COUNT_MAX;
  return false;
}

static bool add_large(uint64_t *into, const uint64_t *from, size_t count, uint64_t weight) {
  bool fits = true;
  for (size_t i = 0; i < count; i++)
    fits &= add_saturating(&into[i], from[i], weight);
  return fits;
}

// Bytes of any alignment as counts; returns how many of the block there are.
static size_t take_block(uint64_t block[BLOCK], const uint8_t *from, size_t start, size_t count) {
  size_t size = count - start < BLOCK ? count - start : BLOCK;
  memcpy(block, from + start * sizeof *block, size * sizeof *block);
  return size;
}

// Of blocks that have been added one to one.
static void take_back(uint64_t *into, const uint8_t *from, size_t end) {
  uint64_t block[BLOCK];
  for (size_t start = 0; start < end; start += BLOCK) {
    size_t size = take_block(block, from, start, end);
    subtract(into + start, block, size);
  }
}

// Blocks are added as they come, and taken back where that was wrong; before the first sum that
// might be cut, which can't be taken back, the rest is looked at.
bool contprof_add_counts_without(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight,
                                 uint64_t forbidden, bool *cut) {
  bool looked = !forbidden;
  for (size_t start = 0; start < count; start += BLOCK) {
    uint64_t block[BLOCK], before;
    size_t size = count - start < BLOCK ? count - start : BLOCK;
    uint64_t bits = add_plain(into + start, from + start * sizeof *into, size, &before);
    if (weight == 1 && (bits | before) >> 62 == 0 && !(bits & forbidden))
      continue;
    take_block(block, from, start, count);
    subtract(into + start, block, size);
    if (!looked &&
        contprof_bits_of_counts(from + start * sizeof *into, count - start) & forbidden) {
      take_back(into, from, start);
      return false;
    }
    looked = true;
    *cut |= !add_large(into + start, block, size, weight);
  }
  return true;
}

bool contprof_add_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight) {
  bool cut = false;
  contprof_add_counts_without(into, from, count, weight, 0, &cut);
  return !cut;
}

// --- many files side by side --------------------------------------------------------------------

enum { LINE_COUNTS = CONTPROF_LINE / sizeof(uint64_t) };

// At `offset`, the sums of a line of each file, or of what is left of it.
static inline uint64_t gather_line(uint64_t sums[LINE_COUNTS], const uint8_t *const *from,
                                   size_t files, size_t offset, size_t count) {
  uint64_t bits = 0;
  for (size_t file = 0; file < files; file++) {
    contprof_sweep_at(from[file] + offset);
    for (size_t i = 0; i < count; i++) {
      uint64_t one;
      memcpy(&one, from[file] + offset + i * sizeof one, sizeof one);
      bits |= one;
      sums[i] += one;
    }
  }
  return bits;
}

CONTPROF_VECTOR uint64_t contprof_gather_counts(uint64_t *into, const uint8_t *const *from,
                                                size_t files, size_t count) {
  uint64_t bits = 0;
  size_t whole = count - count % LINE_COUNTS;
  for (size_t i = 0; i < whole; i += LINE_COUNTS) {
    uint64_t sums[LINE_COUNTS] = {0};
    bits |= gather_line(sums, from, files, i * sizeof *into, LINE_COUNTS);
    memcpy(into + i, sums, sizeof sums);
  }
  uint64_t sums[LINE_COUNTS] = {0};
  bits |= gather_line(sums, from, files, whole * sizeof *into, count - whole);
  memcpy(into + whole, sums, (count - whole) * sizeof *into);
  return bits;
}

void contprof_gather_byte_counts(uint64_t *into, const uint8_t *const *from, size_t files,
                                 size_t count) {
  memset(into, 0, count * sizeof *into);
  for (size_t file = 0; file < files; file++)
    for (size_t i = 0; i < count; i++)
      into[i] += !from[file][i];
}

uint64_t contprof_bits_of_counts(const uint8_t *from, size_t count) {
  uint64_t block[BLOCK], bits = 0;
  for (size_t start = 0; start < count; start += BLOCK)
    bits |= bits_of(block, take_block(block, from, start, count));
  return bits;
}

bool contprof_add_byte_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight) {
  bool fits = true;
  for (size_t i = 0; i < count; i++)
    if (!from[i])
      fits &= add_saturating(&into[i], 1, weight);
  return fits;
}

CONTPROF_VECTOR void contprof_add_bits(uint8_t *into, const uint8_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] |= from[i];
}
