// One kill: starts a victim, listens to it, and ends it and all its descendants by SIGKILL at a
// moment that the caller describes and chance picks. Only processes of the victim's own process
// group, which this has made, are ever killed. Times are nanoseconds.
#ifndef TORTURE_HUNT_H
#define TORTURE_HUNT_H

#include "figures.h"

#include <sys/types.h>

struct hunt {
  const char *program; // path of the victim
  char *const *argv;   // its arguments, argv[0] too
  const char *pattern; // its LLVM_PROFILE_FILE
  int complaints;      // descriptor that its standard error goes to
  // The moment: after so many records, so much later. With no records, counted from the fork that
  // starts the victim.
  size_t records;
  uint64_t wait;
  bool one_by_one;         // each process by itself, at random intervals up to `pause`
  uint64_t pause;          // nanoseconds
  uint64_t *random;        // state, advanced
  struct figures *figures; // filled with everything told; starts empty
  pid_t pid;               // out: of the victim
  uint64_t first_record;   // out: from the fork to the first record seen, 0 if none was
};

// Once, before the first hunt: orphans of victims become children of this process.
bool hunt_prepare(void);

// False with a message in `why` if a victim ended by itself, or told nothing for half a minute, or
// told nonsense. All its processes are gone in any case.
bool hunt_down(struct hunt *hunt, char *why, size_t size);

// The next of a row of random numbers (splitmix64).
uint64_t hunt_random(uint64_t *state);

#endif
