#include "map_list.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 }; // an ordinary program's executable maps

struct contprof_map_list *contprof_map_list_share(struct contprof_map_list *list) {
  if (list)
    list->holders++;
  return list;
}

void contprof_map_list_drop(struct contprof_map_list *list) {
  if (list && !--list->holders)
    free(list);
}

size_t contprof_map_list_seek(const struct contprof_map_list *list, uint64_t address) {
  size_t low = 0, high = list ? list->count : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list->ranges[middle].end > address)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

const struct contprof_map_range *contprof_map_list_find(const struct contprof_map_list *list,
                                                        uint64_t address) {
  size_t i = contprof_map_list_seek(list, address);
  return list && i < list->count && list->ranges[i].start <= address ? &list->ranges[i] : NULL;
}

static struct contprof_map_list *allocate(struct contprof_map_list *old, size_t room) {
  size_t bytes;
  if (__builtin_mul_overflow(room, sizeof old->ranges[0], &bytes))
    contprof_need(NULL);
  struct contprof_map_list *list = contprof_need(realloc(old, sizeof *list + bytes));
  list->room = room;
  return list;
}

static struct contprof_map_list *copy(const struct contprof_map_list *list, size_t room) {
  struct contprof_map_list *own = allocate(NULL, room);
  own->holders = 1;
  own->count = list ? list->count : 0;
  if (list)
    memcpy(own->ranges, list->ranges, list->count * sizeof list->ranges[0]);
  return own;
}

// Makes *list one that the caller alone holds, with room for two more ranges: a range that is put
// into the middle of another one makes three of it.
static struct contprof_map_list *own(struct contprof_map_list **list) {
  size_t needed = (*list ? (*list)->count : 0) + 2;
  size_t room = needed < FIRST_ROOM ? FIRST_ROOM : needed + needed / 2;
  if (!*list || (*list)->holders > 1) {
    struct contprof_map_list *shared = *list;
    *list = copy(shared, room);
    contprof_map_list_drop(shared);
  } else if ((*list)->room < needed) {
    *list = allocate(*list, room);
  }
  return *list;
}

// Neighbours of which the same is known become one: the maps of a just-in-time compiler are many.
static size_t join(struct contprof_map_range *ranges, size_t count) {
  size_t kept = 0;
  for (size_t i = 1; i < count; i++) {
    if (ranges[kept].end == ranges[i].start && contprof_map_ranges_agree(&ranges[kept], &ranges[i]))
      ranges[kept].end = ranges[i].end;
    else
      ranges[++kept] = ranges[i];
  }
  return kept + 1;
}

void contprof_map_list_put(struct contprof_map_list **list_place,
                           const struct contprof_map_range *range) {
  struct contprof_map_list *list = own(list_place);
  size_t first = contprof_map_list_seek(list, range->start), end = first;
  while (end < list->count && list->ranges[end].start < range->end)
    end++;
  struct contprof_map_range new[5]; // neighbour, left-over, range, left-over, neighbour
  size_t count = 0;
  size_t from = first ? first - 1 : 0, to = end < list->count ? end + 1 : end;
  if (from < first)
    new[count++] = list->ranges[from];
  if (first < end && list->ranges[first].start < range->start) {
    new[count] = list->ranges[first];
    new[count++].end = range->start;
  }
  new[count++] = *range;
  if (first < end && list->ranges[end - 1].end > range->end) {
    new[count] = list->ranges[end - 1];
    new[count++].start = range->end;
  }
  if (end < to)
    new[count++] = list->ranges[end];
  count = join(new, count);
  memmove(&list->ranges[from + count], &list->ranges[to],
          (list->count - to) * sizeof list->ranges[0]);
  memcpy(&list->ranges[from], new, count * sizeof new[0]);
  list->count = list->count - (to - from) + count;
}
