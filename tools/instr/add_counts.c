#include "add_counts.h"

#include "profile.h"

#include <string.h>

// The compiler makes vector code of the plain loops below, once for any machine of the architecture
// and once for those with AVX2; which one runs is decided when the program is loaded.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_THREAD__)
#define VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR
#endif

enum { BLOCK = 512 }; // counts; two blocks fit the first-level cache

// All bits that any of them has.
VECTOR static uint64_t bits_of(const uint64_t *counts, size_t count) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++)
    bits |= counts[i];
  return bits;
}

VECTOR static void subtract(uint64_t *from, const uint64_t *what, size_t count) {
  for (size_t i = 0; i < count; i++)
    from[i] -= what[i];
}

VECTOR static void add_small(uint64_t *into, const uint64_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] += from[i];
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

static bool has_bits(const uint8_t *from, size_t start, size_t count, uint64_t wanted) {
  uint64_t block[BLOCK];
  for (; start < count; start += BLOCK) {
    size_t size = take_block(block, from, start, count);
    if (bits_of(block, size) & wanted)
      return true;
  }
  return false;
}

// Of blocks that have been added one to one.
static void take_back(uint64_t *into, const uint8_t *from, size_t end) {
  uint64_t block[BLOCK];
  for (size_t start = 0; start < end; start += BLOCK) {
    size_t size = take_block(block, from, start, end);
    subtract(into + start, block, size);
  }
}

// In one pass as long as what has been added can be taken back; before the first sum that might be
// cut, the rest is looked at.
bool contprof_add_counts_without(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight,
                                 uint64_t forbidden, bool *cut) {
  bool looked = !forbidden;
  for (size_t start = 0; start < count; start += BLOCK) {
    uint64_t block[BLOCK];
    size_t size = take_block(block, from, start, count);
    uint64_t bits = bits_of(block, size);
    bool small = weight == 1 && (bits | bits_of(into + start, size)) >> 62 == 0;
    if (!looked && ((bits & forbidden) || (!small && has_bits(from, start, count, forbidden)))) {
      take_back(into, from, start);
      return false;
    }
    looked |= !small;
    if (small)
      add_small(into + start, block, size);
    else
      *cut |= !add_large(into + start, block, size, weight);
  }
  return true;
}

bool contprof_add_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight) {
  bool cut = false;
  contprof_add_counts_without(into, from, count, weight, 0, &cut);
  return !cut;
}

bool contprof_add_byte_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight) {
  bool fits = true;
  for (size_t i = 0; i < count; i++)
    if (!from[i])
      fits &= add_saturating(&into[i], 1, weight);
  return fits;
}

VECTOR void contprof_add_bits(uint8_t *into, const uint8_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] |= from[i];
}
