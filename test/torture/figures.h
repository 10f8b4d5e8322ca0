// What the victims of one kill have told: for each process, generation and task the last record,
// which is the two figures that the counters must lie between.
#ifndef TORTURE_FIGURES_H
#define TORTURE_FIGURES_H

#include "told.h"

#include <stdbool.h>
#include <stddef.h>

struct figures {
  struct told *last; // the latest of each process, generation and task; owned
  size_t count, room;
  size_t records; // heard in all
};

// Takes a record. False if it is none, or says less than one before it.
bool figures_hear(struct figures *figures, const struct told *told);

// The distinct processes that have told anything, in the order they first did, at most `room`.
size_t figures_processes(const struct figures *figures, uint32_t *pids, size_t room);

void figures_forget(struct figures *figures);
void figures_free(struct figures *figures);

#endif
