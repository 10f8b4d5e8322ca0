// What all processes have at an address, against a plain count for each address.
#include "tools/base/mt19937.h"
#include "tools/sample/address_claims.h"

#include <criterion/criterion.h>

enum { ADDRESSES = 300, SLIDES = 3, CLAIMS = 60, ROUNDS = 4000 };

static struct contprof_map_range made(uint64_t start, uint64_t end, uint64_t slide) {
  return (struct contprof_map_range){
      .start = start, .end = end, .slide = slide, .where = CONTPROF_WHERE_HERE};
}

static void expect_as_counted(const struct contprof_claims *claims, unsigned counts[SLIDES],
                              uint64_t address) {
  unsigned kinds = 0;
  uint64_t slide = 0;
  for (uint64_t i = 0; i < SLIDES; i++)
    if (counts[i]) {
      kinds++;
      slide = i;
    }
  struct contprof_map_range found = contprof_claims_find(claims, address);
  enum contprof_where where = kinds == 0   ? CONTPROF_WHERE_UNMAPPED
                              : kinds == 1 ? CONTPROF_WHERE_HERE
                                           : CONTPROF_WHERE_AMBIGUOUS;
  cr_assert_eq(found.where, where);
  if (kinds == 1)
    cr_assert_eq(found.slide, slide);
  if (kinds)
    cr_assert(found.start <= address && address < found.end);
}

Test(address_claims, as_counted_address_by_address) {
  static unsigned counts[ADDRESSES][SLIDES];
  struct contprof_map_range held[CLAIMS] = {0}; // empty: none
  struct contprof_mt19937 random = {0};
  struct contprof_claims claims = {0};
  for (int round = 0; round < ROUNDS; round++) {
    struct contprof_map_range *claim = &held[contprof_mt19937_below(&random, CLAIMS)];
    bool add = claim->end == 0;
    if (add) {
      uint64_t start = contprof_mt19937_below(&random, ADDRESSES);
      uint64_t end = start + 1 + contprof_mt19937_below(&random, (uint32_t)(ADDRESSES - start));
      *claim = made(start, end, contprof_mt19937_below(&random, SLIDES));
      contprof_claims_add(&claims, claim);
    } else {
      contprof_claims_remove(&claims, claim);
    }
    for (uint64_t i = claim->start; i < claim->end; i++)
      counts[i][claim->slide] += add ? 1 : -1U;
    if (!add)
      *claim = made(0, 0, 0);
    for (uint64_t i = 0; i < ADDRESSES; i++)
      expect_as_counted(&claims, counts[i], i);
  }
  contprof_claims_free(&claims);
}

Test(address_claims, a_part_can_be_taken_back) {
  struct contprof_claims claims = {0};
  struct contprof_map_range whole = made(100, 200, 1), part = made(120, 130, 1);
  contprof_claims_add(&claims, &whole);
  contprof_claims_add(&claims, &whole);
  contprof_claims_remove(&claims, &part);
  cr_expect_eq(contprof_claims_find(&claims, 125).where, CONTPROF_WHERE_HERE);
  contprof_claims_remove(&claims, &part);
  cr_expect_eq(contprof_claims_find(&claims, 125).where, CONTPROF_WHERE_UNMAPPED);
  cr_expect_eq(contprof_claims_find(&claims, 119).where, CONTPROF_WHERE_HERE);
  cr_expect_eq(contprof_claims_find(&claims, 130).where, CONTPROF_WHERE_HERE);
  contprof_claims_free(&claims);
}
