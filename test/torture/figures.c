#include "figures.h"

#include <stdlib.h>

static struct told *find(struct figures *figures, const struct told *told) {
  for (size_t i = figures->count; i-- > 0;) {
    struct told *last = &figures->last[i];
    if (last->pid == told->pid && last->generation == told->generation && last->task == told->task)
      return last;
  }
  return NULL;
}

static void add(struct figures *figures, const struct told *told) {
  if (figures->count == figures->room) {
    figures->room = figures->room ? figures->room * 2 : 64;
    figures->last = realloc(figures->last, figures->room * sizeof *figures->last);
    if (!figures->last)
      abort();
  }
  figures->last[figures->count++] = *told;
}

bool figures_hear(struct figures *figures, const struct told *told) {
  if (told->magic != TOLD_MAGIC || told->task >= ALL_TASKS || told->done > told->planned)
    return false;
  figures->records++;
  struct told *last = find(figures, told);
  if (!last) {
    add(figures, told);
    return true;
  }
  bool forward = told->begun >= last->begun && told->ended >= last->ended &&
                 told->done >= last->done && told->planned >= last->planned;
  *last = *told;
  return forward;
}

size_t figures_processes(const struct figures *figures, uint32_t *pids, size_t room) {
  size_t count = 0;
  for (size_t i = 0; i < figures->count; i++) {
    size_t known = 0;
    while (known < count && pids[known] != figures->last[i].pid)
      known++;
    if (known == count && count < room)
      pids[count++] = figures->last[i].pid;
  }
  return count;
}

void figures_forget(struct figures *figures) {
  figures->count = figures->records = 0;
}

void figures_free(struct figures *figures) {
  free(figures->last);
  figures->last = NULL;
  figures->count = figures->room = figures->records = 0;
}
