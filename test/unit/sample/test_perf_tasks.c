// A process ends with its last thread, whichever that is.
#include "tools/sample/perf_tasks.h"

#include <criterion/criterion.h>

Test(perf_tasks, a_main_thread_alone_is_the_process) {
  struct contprof_perf_tasks tasks = {0};
  cr_expect(contprof_perf_tasks_exit(&tasks, 7, true));
  cr_expect_not(contprof_perf_tasks_exit(&tasks, 7, false));
  contprof_perf_tasks_free(&tasks);
}

Test(perf_tasks, the_last_thread_ends_the_process) {
  struct contprof_perf_tasks tasks = {0};
  contprof_perf_tasks_thread(&tasks, 7);
  contprof_perf_tasks_thread(&tasks, 7);
  cr_expect_not(contprof_perf_tasks_exit(&tasks, 7, true));
  cr_expect_not(contprof_perf_tasks_exit(&tasks, 7, false));
  cr_expect(contprof_perf_tasks_exit(&tasks, 7, false));
  cr_expect_eq(tasks.threads.count, 0);
  contprof_perf_tasks_free(&tasks);
}

Test(perf_tasks, the_main_thread_may_be_the_last) {
  struct contprof_perf_tasks tasks = {0};
  contprof_perf_tasks_thread(&tasks, 7);
  cr_expect_not(contprof_perf_tasks_exit(&tasks, 7, false));
  cr_expect(contprof_perf_tasks_exit(&tasks, 7, true));
  contprof_perf_tasks_free(&tasks);
}

Test(perf_tasks, exec_leaves_one_thread) {
  struct contprof_perf_tasks tasks = {0};
  contprof_perf_tasks_thread(&tasks, 7);
  contprof_perf_tasks_single(&tasks, 7);
  cr_expect(contprof_perf_tasks_exit(&tasks, 7, true));
  contprof_perf_tasks_free(&tasks);
}

// Removing from among many must leave the others to be found.
Test(perf_tasks, many_processes) {
  struct contprof_perf_tasks tasks = {0};
  enum { COUNT = 3000 };
  for (int32_t pid = 1; pid <= COUNT; pid++)
    for (int32_t i = 0; i <= pid % 3; i++)
      contprof_perf_tasks_thread(&tasks, pid * 64);
  for (int32_t pid = 2; pid <= COUNT; pid += 2)
    contprof_perf_tasks_single(&tasks, pid * 64);
  for (int32_t pid = 1; pid <= COUNT; pid += 2) {
    cr_assert_not(contprof_perf_tasks_exit(&tasks, pid * 64, true));
    for (int32_t i = 0; i < pid % 3; i++)
      cr_assert_not(contprof_perf_tasks_exit(&tasks, pid * 64, false));
    cr_assert(contprof_perf_tasks_exit(&tasks, pid * 64, false), "process %d", pid);
  }
  cr_expect_eq(tasks.threads.count, 0);
  contprof_perf_tasks_free(&tasks);
}
