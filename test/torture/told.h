// What a victim of the torture test tells, and the harness reads: one struct told, written to a
// pipe before each run of a task and after it. A record is smaller than PIPE_BUF, so it arrives
// whole or not at all. Counts are those of one process since its start (or fork, or exec).
#ifndef TORTURE_TOLD_H
#define TORTURE_TOLD_H

#include <stdint.h>

enum {
  TOLD_FD = 3, // the victims' end of the pipe
  TOLD_MAGIC = 0x70ad,
  TASKS = 6,  // of the executable: the functions step_N and run_N
  GUESTS = 2, // of shared objects: guest_a and guest_b, tasks TASKS and TASKS + 1
  ALL_TASKS = TASKS + GUESTS,
};

struct told {
  uint32_t magic;      // TOLD_MAGIC
  uint32_t pid;        // who tells
  uint32_t generation; // 1, and one more after each exec of itself
  uint32_t task;       // 0 to ALL_TASKS - 1; one thread has it
  uint64_t ended;      // runs of the task that have ended: run_N was entered at least so often
  uint64_t begun;      // runs that have begun or are about to: and at most so often
  uint64_t done;       // steps of the ended runs: step_N was entered at least so often
  uint64_t planned;    // steps of the begun ones: and at most so often
};

#endif
