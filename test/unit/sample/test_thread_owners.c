// Threads find their processes, as records tell them.
#include "tools/sample/thread_owners.h"

#include <criterion/criterion.h>

static struct contprof_thread_owners owners;

static void leave(void) {
  contprof_thread_owners_free(&owners);
}

TestSuite(thread_owners, .fini = leave);

Test(thread_owners, an_unknown_thread_is_a_process) {
  cr_expect_eq(contprof_thread_owner(&owners, 7), 7);
  contprof_thread_owners_set(&owners, 8, 1);
  cr_expect_eq(contprof_thread_owner(&owners, 7), 7);
  cr_expect_eq(contprof_thread_owner(&owners, 8), 1);
}

Test(thread_owners, the_last_word_counts) {
  contprof_thread_owners_set(&owners, 8, 1);
  contprof_thread_owners_set(&owners, 8, 8);
  cr_expect_eq(contprof_thread_owner(&owners, 8), 8);
}

Test(thread_owners, negative_numbers_are_no_threads) {
  contprof_thread_owners_set(&owners, -1, 5);
  contprof_thread_owners_set(&owners, 5, -1);
  cr_expect_eq(contprof_thread_owner(&owners, -1), -1);
  cr_expect_eq(contprof_thread_owner(&owners, 5), 5);
}

Test(thread_owners, many) {
  for (int32_t tid = 0; tid < 10000; tid++)
    contprof_thread_owners_set(&owners, tid * 3, tid / 4);
  for (int32_t tid = 0; tid < 10000; tid++)
    cr_assert_eq(contprof_thread_owner(&owners, tid * 3), tid / 4);
  cr_expect_eq(contprof_thread_owner(&owners, 10), 10);
}
