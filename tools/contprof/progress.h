// A line on the terminal that says how far long work has come: shown on stderr, if that is a
// terminal, once the work has taken a second, renewed ten times a second, and wiped at the end.
#ifndef CONTPROF_PROGRESS_H
#define CONTPROF_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct contprof_progress {
  const char *what; // "inputs"; a string literal
  uint64_t total;   // of them
  int64_t next;     // when to show it next, milliseconds
  bool shown;       // the line stands on the terminal
  bool silent;      // no terminal
};

// Begins at nothing done.
struct contprof_progress contprof_progress_begin(const char *what, uint64_t total);

// `done` of the total are done.
void contprof_progress_tell(struct contprof_progress *progress, uint64_t done);

// Wipes the line, so that something else may be said; it comes back with the next tell.
void contprof_progress_wipe(struct contprof_progress *progress);

#endif
