// The number of a process's address space changes when that space does, and never comes again.
#include "tools/sample/space_numbers.h"

#include <criterion/criterion.h>

Test(space_numbers, change_with_their_process_alone) {
  struct contprof_space_numbers numbers = {0};
  uint64_t one = contprof_space_number(&numbers, 1);
  uint64_t two = contprof_space_number(&numbers, 2);
  cr_expect_neq(one, two);
  cr_expect_eq(contprof_space_number(&numbers, 1), one);
  contprof_space_changed(&numbers, 1);
  uint64_t later = contprof_space_number(&numbers, 1);
  cr_expect_neq(later, one);
  cr_expect_neq(later, two);
  cr_expect_eq(contprof_space_number(&numbers, 2), two);
  contprof_space_numbers_free(&numbers);
}

Test(space_numbers, of_many_processes) {
  enum { COUNT = 10000 };
  struct contprof_space_numbers numbers = {0};
  contprof_space_changed(&numbers, 5); // of a process that nobody asked for
  for (int32_t pid = -1; pid < COUNT; pid++)
    cr_assert_eq(contprof_space_number(&numbers, pid), (uint64_t)(pid + 2));
  for (int32_t pid = -1; pid < COUNT; pid++)
    cr_assert_eq(contprof_space_number(&numbers, pid), (uint64_t)(pid + 2));
  contprof_space_numbers_free(&numbers);
}
