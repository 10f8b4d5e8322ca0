#include "perf_tasks.h"

#include "../base/memory.h"

#include <stdlib.h>

struct contprof_perf_task {
  int32_t pid;
  uint32_t threads;  // alive, besides the main one
  bool used;         // the slot is
  bool main_is_gone; // the main thread has ended
};

void contprof_perf_tasks_free(struct contprof_perf_tasks *tasks) {
  free(tasks->slots);
  *tasks = (struct contprof_perf_tasks){0};
}

static size_t home(const struct contprof_perf_tasks *tasks, int32_t pid) {
  return (uint32_t)pid * UINT32_C(2654435769) & (tasks->room - 1); // 2^32 over the golden ratio
}

// The slot of a process, or the free one that it would have.
static struct contprof_perf_task *slot_of(const struct contprof_perf_tasks *tasks, int32_t pid) {
  size_t at = home(tasks, pid);
  while (tasks->slots[at].used && tasks->slots[at].pid != pid)
    at = (at + 1) & (tasks->room - 1);
  return &tasks->slots[at];
}

static void grow(struct contprof_perf_tasks *tasks) {
  struct contprof_perf_tasks larger = {.room = tasks->room ? 2 * tasks->room : 64,
                                       .count = tasks->count};
  larger.slots = contprof_need(calloc(larger.room, sizeof *larger.slots));
  for (size_t i = 0; i < tasks->room; i++)
    if (tasks->slots[i].used)
      *slot_of(&larger, tasks->slots[i].pid) = tasks->slots[i];
  free(tasks->slots);
  *tasks = larger;
}

// Frees a slot, and moves those that its being in use has displaced.
static void forget(struct contprof_perf_tasks *tasks, struct contprof_perf_task *slot) {
  size_t hole = (size_t)(slot - tasks->slots), mask = tasks->room - 1;
  tasks->count--;
  for (size_t at = (hole + 1) & mask; tasks->slots[at].used; at = (at + 1) & mask) {
    size_t from_home = (at - home(tasks, tasks->slots[at].pid)) & mask;
    if (from_home < ((at - hole) & mask))
      continue;
    tasks->slots[hole] = tasks->slots[at];
    hole = at;
  }
  tasks->slots[hole].used = false;
}

void contprof_perf_tasks_thread(struct contprof_perf_tasks *tasks, int32_t pid) {
  if (2 * (tasks->count + 1) > tasks->room)
    grow(tasks);
  struct contprof_perf_task *slot = slot_of(tasks, pid);
  if (!slot->used) {
    *slot = (struct contprof_perf_task){.pid = pid, .used = true};
    tasks->count++;
  }
  slot->threads++;
}

void contprof_perf_tasks_single(struct contprof_perf_tasks *tasks, int32_t pid) {
  struct contprof_perf_task *slot = tasks->count ? slot_of(tasks, pid) : NULL;
  if (slot && slot->used)
    forget(tasks, slot);
}

bool contprof_perf_tasks_exit(struct contprof_perf_tasks *tasks, int32_t pid, bool is_main) {
  struct contprof_perf_task *slot = tasks->count ? slot_of(tasks, pid) : NULL;
  if (!slot || !slot->used)
    return is_main;
  if (is_main)
    slot->main_is_gone = true;
  else if (slot->threads)
    slot->threads--;
  if (slot->threads)
    return false;
  bool last = slot->main_is_gone;
  forget(tasks, slot);
  return last;
}
