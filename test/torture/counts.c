#include "counts.h"

#include "../../tools/instr/profile_load.h"

#include <stdio.h>
#include <string.h>

// "step_3" and "run_3", "guest_b_step" and "guest_b_run"; or ALL_TASKS.
static unsigned task_of(const char *name, enum count_kind *kind) {
  static const char *const of_guests[GUESTS][2] = {{"guest_a_step", "guest_a_run"},
                                                   {"guest_b_step", "guest_b_run"}};
  unsigned task;
  char more;
  *kind = COUNT_STEPS;
  if (sscanf(name, "step_%u%c", &task, &more) == 1 && task < TASKS)
    return task;
  for (unsigned guest = 0; guest < GUESTS; guest++)
    if (strcmp(name, of_guests[guest][0]) == 0)
      return TASKS + guest;
  *kind = COUNT_RUNS;
  if (sscanf(name, "run_%u%c", &task, &more) == 1 && task < TASKS)
    return task;
  for (unsigned guest = 0; guest < GUESTS; guest++)
    if (strcmp(name, of_guests[guest][1]) == 0)
      return TASKS + guest;
  return ALL_TASKS;
}

void counts_add(struct counts *counts, const char *name, const uint64_t *counters, size_t number) {
  enum count_kind kind;
  if (!number)
    return;
  if (strcmp(name, "shared_step") == 0)
    counts->of[COUNT_SHARED][0] += counters[0];
  unsigned task = task_of(name, &kind);
  if (task == ALL_TASKS)
    return;
  counts->of[kind][task] += counters[0];
  if (kind == COUNT_RUNS && counts->frontend && number > 1)
    counts->of[COUNT_LOOPS][task] += counters[1];
}

bool counts_add_file(struct counts *counts, const char *path, char *why, size_t size) {
  struct contprof_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_profile_load(path, &profile, &error);
  if (!ok)
    contprof_error_text(&error, why, size);
  for (size_t i = 0; ok && i < profile.function_count; i++)
    counts_add(counts, profile.functions[i]->name, profile.functions[i]->counters,
               profile.functions[i]->counter_count);
  contprof_profile_free(&profile);
  return ok;
}

void counts_add_counts(struct counts *counts, const struct counts *more) {
  for (unsigned kind = 0; kind < COUNT_KINDS; kind++)
    for (unsigned task = 0; task < ALL_TASKS; task++)
      counts->of[kind][task] += more->of[kind][task];
}

bool counts_equal(const struct counts *one, const struct counts *other) {
  return memcmp(one->of, other->of, sizeof one->of) == 0;
}
