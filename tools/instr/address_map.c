#include "address_map.h"

#include "../base/memory.h"

#include <stdlib.h>

void contprof_address_map_add(struct contprof_address_map *map, uint64_t start, uint64_t size,
                              uint64_t name_ref) {
  if (map->count == map->room) {
    map->room = map->room ? map->room * 2 : 256;
    map->ranges = contprof_need_array(map->ranges, map->room, sizeof *map->ranges);
  }
  map->ranges[map->count++] =
      (struct contprof_address_range){.start = start, .size = size, .name_ref = name_ref};
}

static int compare_ranges(const void *left_entry, const void *right_entry) {
  const struct contprof_address_range *left = left_entry, *right = right_entry;
  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->name_ref < right->name_ref ? -1 : left->name_ref > right->name_ref;
}

void contprof_address_map_sort(struct contprof_address_map *map) {
  size_t kept = 0;
  if (map->count)
    qsort(map->ranges, map->count, sizeof *map->ranges, compare_ranges);
  for (size_t i = 0; i < map->count; i++)
    if (!kept || map->ranges[kept - 1].start != map->ranges[i].start)
      map->ranges[kept++] = map->ranges[i];
  map->count = kept;
}

uint64_t contprof_address_map_find(const struct contprof_address_map *map, uint64_t address) {
  size_t low = 0, high = map->count; // the wanted range is before `high`
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (map->ranges[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low)
    return 0;
  const struct contprof_address_range *range = &map->ranges[low - 1];
  return address - range->start < range->size ? range->name_ref : 0;
}

void contprof_address_map_free(struct contprof_address_map *map) {
  free(map->ranges);
  *map = (struct contprof_address_map){0};
}
