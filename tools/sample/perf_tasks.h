// Which processes have threads besides their main one, so that a process's end is told when its
// last thread ends, and not before: a main thread may go first. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_TASKS_H
#define CONTPROF_SAMPLE_PERF_TASKS_H

#include "pid_map.h"

// A zeroed struct is empty and usable.
struct contprof_perf_tasks {
  struct contprof_pid_map threads; // private: of each process with more than its main thread
};

void contprof_perf_tasks_free(struct contprof_perf_tasks *tasks);

// Process `pid` has a thread more.
void contprof_perf_tasks_thread(struct contprof_perf_tasks *tasks, int32_t pid);

// Process `pid` has one thread: it is new, or it executes a program.
void contprof_perf_tasks_single(struct contprof_perf_tasks *tasks, int32_t pid);

// A thread of process `pid` has ended, its main one or another. Returns whether that was its last,
// as far as is known.
bool contprof_perf_tasks_exit(struct contprof_perf_tasks *tasks, int32_t pid, bool is_main);

#endif
