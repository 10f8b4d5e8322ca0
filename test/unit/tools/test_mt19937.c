#include "tools/base/mt19937.h"

#include <criterion/criterion.h>

// The C++ standard gives std::mt19937's 10000th number ([rand.predef]).
Test(mt19937, is_the_standard_one) {
  struct contprof_mt19937 random = {0};
  for (int i = 1; i < 10000; i++)
    contprof_mt19937_next(&random);
  cr_assert_eq(contprof_mt19937_next(&random), UINT32_C(4123659995));
}

Test(mt19937, stays_below) {
  static const uint32_t bounds[] = {1, 2, 3, 100, UINT32_C(0x80000001), UINT32_MAX};
  struct contprof_mt19937 random = {0};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int j = 0; j < 1000; j++)
      cr_assert_lt(contprof_mt19937_below(&random, bounds[i]), bounds[i]);
}

// Each of a few is about as likely.
Test(mt19937, is_even) {
  struct contprof_mt19937 random = {0};
  unsigned seen[7] = {0};
  for (int i = 0; i < 70000; i++)
    seen[contprof_mt19937_below(&random, 7)]++;
  for (int i = 0; i < 7; i++)
    cr_assert(seen[i] > 9500 && seen[i] < 10500, "%d: %u", i, seen[i]);
}
