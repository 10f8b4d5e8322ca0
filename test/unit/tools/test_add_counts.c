#include "tools/instr/add_counts.h"
#include "tools/instr/profile.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1300 };

static uint64_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return *state >> 11;
}

// As the documentation says it, in 128 bits.
static uint64_t wanted(uint64_t into, uint64_t count, uint64_t weight, bool *fits) {
  unsigned __int128 sum = (unsigned __int128)count * weight + into;
  if (sum <= CONTPROF_COUNT_MAX)
    return (uint64_t)sum;
  *fits = false;
  return CONTPROF_COUNT_MAX;
}

// One count of `large` is near the end, at any place.
static void check_sums(size_t count, uint64_t weight, bool large, uint64_t seed) {
  static uint64_t into[MOST], sums[MOST];
  static uint8_t bytes[MOST * 8 + 1];
  bool fits = true;
  for (size_t i = 0; i < count; i++) {
    uint64_t number = next(&seed);
    into[i] = next(&seed);
    if (large && i == seed % count)
      number = UINT64_MAX - number % 5;
    memcpy(bytes + 1 + i * 8, &number, 8); // not aligned
    sums[i] = wanted(into[i], number, weight, &fits);
  }
  cr_assert_eq(contprof_add_counts(into, bytes + 1, count, weight), fits);
  cr_assert_eq(memcmp(into, sums, count * sizeof *into), 0, "%zu counts times %zu", count,
               (size_t)weight);
}

Test(add_counts, sums_any_number_of_counts) {
  for (size_t count = 0; count < MOST; count += count < 20 ? 1 : 83) {
    check_sums(count, 1, false, count);
    check_sums(count, 7, false, count + 1);
    check_sums(count, UINT64_MAX / 3, false, count + 2);
    if (count)
      check_sums(count, 1, true, count + 3);
  }
}

Test(add_counts, stops_at_the_largest_count) {
  static const uint64_t CASES[][3] = {
      {0, CONTPROF_COUNT_MAX, CONTPROF_COUNT_MAX},
      {1, CONTPROF_COUNT_MAX, CONTPROF_COUNT_MAX},
      {0, UINT64_MAX, CONTPROF_COUNT_MAX},
      {UINT64_C(1) << 63, (UINT64_C(1) << 63) - 3, CONTPROF_COUNT_MAX},
      {CONTPROF_COUNT_MAX, 0, CONTPROF_COUNT_MAX},
      {5, CONTPROF_COUNT_MAX - 6, CONTPROF_COUNT_MAX - 1},
  };
  static const bool FITS[] = {true, false, false, true, true, true};
  for (size_t i = 0; i < sizeof FITS; i++) {
    uint64_t into = CASES[i][0];
    cr_assert_eq(contprof_add_counts(&into, (const uint8_t *)&CASES[i][1], 1, 1), FITS[i], "%zu",
                 i);
    cr_assert_eq(into, CASES[i][2], "%zu", i);
  }
}

Test(add_counts, counts_files_that_covered_a_byte) {
  uint64_t into[4] = {0, 3, 4, CONTPROF_COUNT_MAX - 1};
  cr_assert(contprof_add_byte_counts(into, (const uint8_t *)"\0\xff\0\0", 3, 2));
  cr_assert(into[0] == 2 && into[1] == 3 && into[2] == 6);
  cr_assert_not(contprof_add_byte_counts(into, (const uint8_t *)"\xff\xff\xff\0", 4, 2));
  cr_assert_eq(into[3], CONTPROF_COUNT_MAX);
}

Test(add_counts, unites_bits) {
  uint8_t into[100], from[100];
  for (int i = 0; i < 100; i++) {
    into[i] = (uint8_t)(i * 37);
    from[i] = (uint8_t)(i * 101 + 5);
  }
  contprof_add_bits(into, from, 99);
  for (int i = 0; i < 99; i++)
    cr_assert_eq(into[i], (uint8_t)(i * 37) | (uint8_t)(i * 101 + 5));
  cr_assert_eq(into[99], (uint8_t)(99 * 37));
}

// One count with a forbidden bit, in any block: nothing has changed. Sums may be large, so that
// what has been added could not be taken back.
Test(add_counts, adds_nothing_with_forbidden_bits) {
  static uint64_t into[MOST], before[MOST], from[MOST];
  for (size_t bad = 0; bad < MOST; bad += 97)
    for (int large = 0; large < 3; large++) {
      uint64_t seed = bad;
      bool cut = false;
      for (size_t i = 0; i < MOST; i++) {
        before[i] = into[i] = next(&seed);
        from[i] = next(&seed);
      }
      if (large)
        before[600] = into[600] = CONTPROF_COUNT_MAX - 1;
      from[bad] |= UINT64_C(1) << 60;
      cr_assert(!contprof_add_counts_without(into, (const uint8_t *)from, MOST, large > 1 ? 3 : 1,
                                             UINT64_C(1) << 60, &cut));
      cr_assert_eq(memcmp(into, before, sizeof into), 0, "%zu, %d", bad, large);
      cr_assert(!cut);
      from[bad] ^= UINT64_C(1) << 60;
      cr_assert(contprof_add_counts_without(into, (const uint8_t *)from, MOST, 1, UINT64_C(1) << 60,
                                            &cut));
      cr_assert_eq(into[bad], bad == 600 && large ? CONTPROF_COUNT_MAX : before[bad] + from[bad]);
      cr_assert_eq(cut, large > 0);
    }
}

// Files of any alignment, counters of eight bytes and of one, up to all that can be side by side.
Test(add_counts, gathers_many_files) {
  enum { FILES = 9, COUNTS = 70 };
  static uint8_t bytes[FILES][COUNTS * 8 + FILES];
  uint64_t seed = 1;
  for (size_t files = 0; files <= FILES; files++)
    for (size_t count = 0; count <= COUNTS; count++) {
      const uint8_t *from[FILES] = {NULL};
      uint64_t sums[COUNTS] = {0}, zeros[COUNTS] = {0}, into[COUNTS + 1], bits = 0;
      for (size_t file = 0; file < files; file++) {
        uint64_t own_bits = 0;
        from[file] = bytes[file] + file;
        for (size_t i = 0; i < count; i++) {
          uint64_t number = next(&seed) & next(&seed);
          memcpy(bytes[file] + file + i * 8, &number, 8);
          sums[i] += number;
          own_bits |= number;
        }
        for (size_t i = 0; i < count; i++)
          zeros[i] += !from[file][i];
        cr_assert_eq(contprof_bits_of_counts(from[file], count), own_bits);
        bits |= own_bits;
      }
      into[count] = 42;
      cr_assert_eq(contprof_gather_counts(into, from, files, count), bits);
      cr_assert(!memcmp(into, sums, count * sizeof *into) && into[count] == 42);
      contprof_gather_byte_counts(into, from, files, count);
      cr_assert(!memcmp(into, zeros, count * sizeof *into) && into[count] == 42);
    }
}
