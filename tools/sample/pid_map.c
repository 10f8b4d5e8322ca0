#include "pid_map.h"

#include "../base/hash_mix.h"
#include "../base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 }; // a power of two

struct contprof_pid_slot {
  union contprof_pid_value value;
  int32_t pid;
  bool used;
};

void contprof_pid_map_free(struct contprof_pid_map *map) {
  free(map->slots);
  *map = (struct contprof_pid_map){0};
}

// What the hash is depends on where the table stands in memory.
static size_t home(const struct contprof_pid_map *map, int32_t pid) {
  uint64_t hash = (uint32_t)pid ^ (uint64_t)(uintptr_t)map->slots << 16;
  return contprof_hash_mix(hash) & (map->room - 1);
}

// The slot of a PID, or the free one that it would have.
static struct contprof_pid_slot *slot_of(const struct contprof_pid_map *map, int32_t pid) {
  size_t at = home(map, pid);
  while (map->slots[at].used && map->slots[at].pid != pid)
    at = (at + 1) & (map->room - 1);
  return &map->slots[at];
}

static void grow(struct contprof_pid_map *map) {
  struct contprof_pid_map larger = {.room = map->room ? 2 * map->room : FIRST_ROOM,
                                    .count = map->count};
  larger.slots = contprof_need(calloc(larger.room, sizeof *larger.slots));
  for (size_t i = 0; i < map->room; i++)
    if (map->slots[i].used)
      *slot_of(&larger, map->slots[i].pid) = map->slots[i];
  free(map->slots);
  *map = larger;
}

union contprof_pid_value *contprof_pid_map_find(const struct contprof_pid_map *map, int32_t pid) {
  struct contprof_pid_slot *slot = map->count ? slot_of(map, pid) : NULL;
  return slot && slot->used ? &slot->value : NULL;
}

union contprof_pid_value *contprof_pid_map_need(struct contprof_pid_map *map, int32_t pid) {
  union contprof_pid_value *found = contprof_pid_map_find(map, pid);
  if (found)
    return found;
  if (2 * (map->count + 1) > map->room)
    grow(map);
  struct contprof_pid_slot *slot = slot_of(map, pid);
  *slot = (struct contprof_pid_slot){.pid = pid, .used = true};
  map->count++;
  return &slot->value;
}

// Frees a slot, and moves those that its being in use has displaced.
void contprof_pid_map_remove(struct contprof_pid_map *map, int32_t pid) {
  struct contprof_pid_slot *slot = map->count ? slot_of(map, pid) : NULL;
  if (!slot || !slot->used)
    return;
  size_t hole = (size_t)(slot - map->slots), mask = map->room - 1;
  map->count--;
  for (size_t at = (hole + 1) & mask; map->slots[at].used; at = (at + 1) & mask) {
    size_t from_home = (at - home(map, map->slots[at].pid)) & mask;
    if (from_home < ((at - hole) & mask))
      continue;
    map->slots[hole] = map->slots[at];
    hole = at;
  }
  map->slots[hole].used = false;
}
