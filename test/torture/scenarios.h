// The ways of dying: what the victim does, and the moments at which it is killed.
#ifndef TORTURE_SCENARIOS_H
#define TORTURE_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A directory of its own for each kill, or one that all kills of a batch share.
enum place { PLACE_OWN, PLACE_ONE_NAME, PLACE_POOL, PLACE_COUNT };

struct scenario {
  const char *name;
  const char *victim;  // its scenario
  unsigned weight;     // how many of all
  enum place place;    // of the files, with the pattern that is usual there
  bool together;       // only the sum over all files is known
  size_t most_records; // killed after 1 to so many records; 0: while it starts
  uint64_t most_wait;  // and up to so many nanoseconds later
  uint64_t pause;      // at most, between killing one process and the next; 0: all at once
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

// The scenario that a random number picks; with `only`, the one of that name.
size_t scenario_pick(uint64_t random, const char *only);

bool scenario_known(const char *name);

#endif
