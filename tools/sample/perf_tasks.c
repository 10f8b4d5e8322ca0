#include "perf_tasks.h"

// A process's number: its threads besides the main one that are alive, times ONE_THREAD, and
// whether the main one has ended.
enum { MAIN_IS_GONE = 1, ONE_THREAD = 2 };

void contprof_perf_tasks_free(struct contprof_perf_tasks *tasks) {
  contprof_pid_map_free(&tasks->threads);
}

void contprof_perf_tasks_thread(struct contprof_perf_tasks *tasks, int32_t pid) {
  contprof_pid_map_need(&tasks->threads, pid)->number += ONE_THREAD;
}

void contprof_perf_tasks_single(struct contprof_perf_tasks *tasks, int32_t pid) {
  contprof_pid_map_remove(&tasks->threads, pid);
}

bool contprof_perf_tasks_exit(struct contprof_perf_tasks *tasks, int32_t pid, bool is_main) {
  union contprof_pid_value *process = contprof_pid_map_find(&tasks->threads, pid);
  if (!process)
    return is_main;
  if (is_main)
    process->number |= MAIN_IS_GONE;
  else if (process->number >= ONE_THREAD)
    process->number -= ONE_THREAD;
  if (process->number >= ONE_THREAD)
    return false;
  bool last = process->number & MAIN_IS_GONE;
  contprof_pid_map_remove(&tasks->threads, pid);
  return last;
}
