#include "tools/instr/address_map.h"

#include <criterion/criterion.h>

Test(address_map, finds_what_an_address_lies_in) {
  struct contprof_address_map map = {0};
  cr_assert_eq(contprof_address_map_find(&map, 1), 0);
  contprof_address_map_add(&map, 300, 1, 3);
  contprof_address_map_add(&map, 100, 50, 1);
  contprof_address_map_add(&map, 200, 1, 2);
  contprof_address_map_add(&map, UINT64_MAX, 1, 4);
  contprof_address_map_sort(&map);
  cr_assert_eq(contprof_address_map_find(&map, 99), 0);
  cr_assert_eq(contprof_address_map_find(&map, 100), 1);
  cr_assert_eq(contprof_address_map_find(&map, 149), 1);
  cr_assert_eq(contprof_address_map_find(&map, 150), 0);
  cr_assert_eq(contprof_address_map_find(&map, 200), 2);
  cr_assert_eq(contprof_address_map_find(&map, 201), 0);
  cr_assert_eq(contprof_address_map_find(&map, 300), 3);
  cr_assert_eq(contprof_address_map_find(&map, UINT64_MAX), 4);
  contprof_address_map_free(&map);
}

Test(address_map, of_one_start_the_smallest_reference_remains) {
  struct contprof_address_map map = {0};
  for (uint64_t ref = 1000; ref; ref--)
    contprof_address_map_add(&map, 7, 1, ref);
  contprof_address_map_sort(&map);
  cr_assert_eq(map.count, 1);
  cr_assert_eq(contprof_address_map_find(&map, 7), 1);
  contprof_address_map_free(&map);
}

Test(address_map, holds_many) {
  struct contprof_address_map map = {0};
  for (uint64_t i = 0; i < 10000; i++)
    contprof_address_map_add(&map, i * 7919 % 10007 * 16, 8, i + 1);
  contprof_address_map_sort(&map);
  for (uint64_t i = 0; i < 10000; i++) {
    cr_assert_eq(contprof_address_map_find(&map, i * 7919 % 10007 * 16 + 7), i + 1);
    cr_assert_eq(contprof_address_map_find(&map, i * 7919 % 10007 * 16 + 8), 0);
  }
  contprof_address_map_free(&map);
}
