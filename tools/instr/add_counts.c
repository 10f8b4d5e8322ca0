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

// Whether no sum of two of these can come near CONTPROF_COUNT_MAX.
VECTOR static bool all_small(const uint64_t *left, const uint64_t *right, size_t count) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++)
    bits |= left[i] | right[i];
  return bits >> 62 == 0;
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

static bool add_block(uint64_t *into, const uint64_t *from, size_t count, uint64_t weight) {
  if (weight != 1 || !all_small(into, from, count))
    return add_large(into, from, count, weight);
  add_small(into, from, count);
  return true;
}

bool contprof_add_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight) {
  bool fits = true;
  for (size_t start = 0; start < count; start += BLOCK) {
    uint64_t aligned[BLOCK];
    size_t size = count - start < BLOCK ? count - start : BLOCK;
    memcpy(aligned, from + start * sizeof *aligned, size * sizeof *aligned);
    fits &= add_block(into + start, aligned, size, weight);
  }
  return fits;
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
