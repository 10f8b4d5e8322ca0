// A branch is found again by its addresses and its address space, and by nothing less.
#include "tools/sample/branch_table.h"

#include <criterion/criterion.h>

Test(branch_table, finds_what_is_there) {
  struct contprof_branch_table table = {0};
  bool is_new;
  uint32_t first = contprof_branch_find(&table, 1, 16, 32, &is_new);
  cr_expect(is_new);
  cr_expect_eq(contprof_branch_find(&table, 1, 16, 32, &is_new), first);
  cr_expect_not(is_new);
  cr_expect_eq(table.branches[first].from.address, 16);
  cr_expect_eq(table.branches[first].to.address, 32);
  contprof_branch_table_clear(&table);
  contprof_branch_find(&table, 1, 16, 32, &is_new);
  cr_expect(is_new);
  contprof_branch_table_clear(&table);
}

Test(branch_table, each_part_of_the_key_counts) {
  struct contprof_branch_table table = {0};
  bool is_new;
  contprof_branch_find(&table, 1, 16, 32, &is_new);
  contprof_branch_find(&table, 2, 16, 32, &is_new);
  cr_expect(is_new);
  contprof_branch_find(&table, 1, 17, 32, &is_new);
  cr_expect(is_new);
  contprof_branch_find(&table, 1, 16, 33, &is_new);
  cr_expect(is_new);
  contprof_branch_find(&table, 1, 32, 16, &is_new);
  cr_expect(is_new);
  cr_expect_eq(table.count, 5);
  contprof_branch_table_clear(&table);
}

Test(branch_table, keeps_all_when_it_grows) {
  enum { COUNT = 100000 };
  struct contprof_branch_table table = {0};
  bool is_new;
  for (uint64_t i = 0; i < COUNT; i++)
    cr_assert_eq(contprof_branch_find(&table, i % 3, 4096 + i * 16, i, &is_new), i);
  for (uint64_t i = 0; i < COUNT; i++) {
    cr_assert_eq(contprof_branch_find(&table, i % 3, 4096 + i * 16, i, &is_new), i);
    cr_assert_not(is_new);
  }
  contprof_branch_table_clear(&table);
}
