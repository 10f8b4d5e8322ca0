// Whether the files that killed processes have left are what they must be: each a valid profile
// under a proper name, each counter between the two figures told.
#ifndef TORTURE_VERDICT_H
#define TORTURE_VERDICT_H

#include "counts.h"
#include "figures.h"

#include <stdio.h>

// The files of one process, generation and module, and what must be in them.
struct holder {
  uint32_t pid, generation;
  unsigned module; // 0 the executable, 1 guest_a, 2 guest_b
  unsigned files;
  struct counts counted, least, most;
};

struct verdict {
  const char *directory;         // of the files
  const struct figures *figures; // what was told
  FILE *list;                    // gets the path of each file, a line each
  bool together;                 // who counted into which file is open: judge the sum
  bool frontend, atomic;         // how the victim was compiled
  struct holder *holders;        // owned
  size_t count, room;
  struct counts sum;    // over all files
  unsigned files;       // named as profiles
  unsigned temporaries; // under temporary names, which no tool takes for profiles
  unsigned silent;      // files of processes that had told nothing yet
  unsigned inside;      // tasks found in the middle of a run: some of its steps counted, not all
};

// Reads all files of the directory. False with a message in `why` if one is not a valid profile, or
// has a name that the runtime doesn't give.
bool verdict_read(struct verdict *verdict, char *why, size_t size);

// Compares with what was told, `before` having been counted by others (NULL: nothing). False with a
// message: a file is missing, or a counter out of its bounds.
bool verdict_compare(struct verdict *verdict, const struct counts *before, char *why, size_t size);

void verdict_free(struct verdict *verdict);

#endif
