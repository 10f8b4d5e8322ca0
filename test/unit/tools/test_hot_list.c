#include "tools/contprof/hot_list.h"

#include <criterion/criterion.h>

static struct contprof_function functions[200];

static struct contprof_hot_list list_of(uint64_t keep, size_t count, uint64_t modulus) {
  struct contprof_hot_list list = contprof_hot_list_new(keep, count);
  for (size_t i = 0; i < count; i++)
    contprof_hot_list_add(&list, &functions[i], i * 7919 % modulus);
  contprof_hot_list_sort(&list);
  return list;
}

Test(hot_list, keeps_the_hottest_in_order) {
  for (uint64_t keep = 0; keep < 201; keep++) {
    struct contprof_hot_list list = list_of(keep, 199, 199); // a prime: each count once
    cr_assert_eq(list.count, keep < 199 ? keep : 199);
    for (size_t i = 0; i < list.count; i++)
      cr_assert_eq(list.entries[i].count, 198 - i);
    contprof_hot_list_free(&list);
  }
}

Test(hot_list, has_room_for_what_there_is_only) {
  struct contprof_hot_list list = list_of(UINT64_MAX, 3, 199);
  cr_assert_eq(list.count, 3);
  contprof_hot_list_free(&list);
}
