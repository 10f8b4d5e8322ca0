#include "scenarios.h"

#include <string.h>

// Waits cover what comes after a record: for threads that count, the next few records; for what
// forks, loads or executes, all of that.
#define US UINT64_C(1000)
const struct scenario scenarios[] = {
    {"threads", "threads", 4, PLACE_OWN, false, 400, 20 * US, 0},
    {"workers", "workers", 2, PLACE_OWN, false, 400, 300 * US, 0},
    {"workers, one by one", "workers", 3, PLACE_OWN, false, 400, 300 * US, 300 * US},
    {"forks", "storm", 4, PLACE_OWN, false, 400, 1000 * US, 0},
    {"dlopen", "guests", 4, PLACE_OWN, false, 200, 1000 * US, 0},
    {"exec", "execs", 3, PLACE_OWN, false, 600, 2000 * US, 0},
    {"rotate", "rotations", 4, PLACE_OWN, true, 2000, 2000 * US, 0},
    {"snapshot", "snapshots", 2, PLACE_OWN, false, 1000, 1000 * US, 0},
    {"start", "threads", 3, PLACE_OWN, false, 0, 0, 0},
    {"start under one name", "threads", 3, PLACE_ONE_NAME, true, 0, 0, 0},
    {"start in a pool", "threads", 2, PLACE_POOL, true, 0, 0, 0},
    {"threads in a pool", "threads", 1, PLACE_POOL, true, 100, 20 * US, 0},
    {"workers in a pool", "workers", 2, PLACE_POOL, true, 200, 300 * US, 300 * US},
    {"forks in a pool", "storm", 2, PLACE_POOL, true, 300, 1000 * US, 0},
};

const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

static unsigned weight(size_t i, const char *only) {
  return !only || strcmp(scenarios[i].name, only) == 0 ? scenarios[i].weight : 0;
}

size_t scenario_pick(uint64_t random, const char *only) {
  unsigned all = 0;
  for (size_t i = 0; i < scenario_count; i++)
    all += weight(i, only);
  uint64_t left = random % all;
  size_t pick = 0;
  for (; left >= weight(pick, only); pick++)
    left -= weight(pick, only);
  return pick;
}

bool scenario_known(const char *name) {
  for (size_t i = 0; i < scenario_count; i++)
    if (strcmp(scenarios[i].name, name) == 0)
      return true;
  return false;
}
