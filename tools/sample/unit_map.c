#include "unit_map.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// A place where a unit's range begins or ends.
struct endpoint {
  uint64_t address;
  uint64_t unit; // offset
  bool is_start;
};

struct endpoints {
  struct endpoint *points; // owned
  size_t count;
  size_t room;
};

static void add_point(struct endpoints *all, uint64_t address, uint64_t unit, bool is_start) {
  if (all->count == all->room) {
    all->room = all->room * 2 + 128;
    all->points = contprof_need_array(all->points, all->room, sizeof *all->points);
  }
  all->points[all->count++] = (struct endpoint){address, unit, is_start};
}

static void add_range(struct endpoints *all, uint64_t unit, uint64_t start, uint64_t end) {
  if (start >= end)
    return;
  add_point(all, start, unit, true);
  add_point(all, end, unit, false);
}

// --- where they come from -----------------------------------------------------------------------

// `seen` gets the units that .debug_aranges lists. Where it is damaged, libdw has none of it.
static void take_aranges(const struct contprof_dwarf_file *file, struct endpoints *all,
                         bool *seen) {
  Dwarf_Aranges *ranges = NULL;
  size_t count = 0;
  if (!file->dwarf || dwarf_getaranges(file->dwarf, &ranges, &count))
    return;
  for (size_t i = 0; i < count; i++) {
    uint64_t start, size, die;
    const struct contprof_dwarf_unit *unit;
    if (dwarf_getarangeinfo(dwarf_onearange(ranges, i), &start, &size, &die) ||
        !(unit = contprof_dwarf_unit_at(file, die)))
      continue;
    add_range(all, unit->offset, start, start + size);
    seen[unit - file->units] = true;
  }
}

static void take_units(const struct contprof_dwarf_file *file, struct endpoints *all,
                       const bool *seen) {
  struct contprof_address_ranges ranges = {0};
  for (size_t i = 0; i < file->unit_count; i++) {
    struct contprof_dwarf_unit *unit = &file->units[i];
    if (seen[i] || contprof_unit_is_type(unit) || !contprof_die_ranges(unit, &unit->root, &ranges))
      continue;
    for (size_t j = 0; j < ranges.count; j++)
      add_range(all, unit->offset, ranges.ranges[j].start, ranges.ranges[j].end);
  }
  free(ranges.ranges);
}

// --- spans --------------------------------------------------------------------------------------

// The units that have ranges, and how many of these hold the current place. The first of those that
// have some is on top of a heap; others may be in it whose ranges have ended.
struct open_units {
  uint64_t *units;  // count of them, in order; owned
  uint32_t *counts; // owned
  size_t count;
  uint32_t *heap; // numbers of units, one below its two successors; owned
  size_t heap_count;
  size_t heap_room;
};

static int by_offset(const void *a, const void *b) {
  uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
  return (first > second) - (first < second);
}

static void list_units(const struct endpoints *all, struct open_units *open) {
  open->units = contprof_need_array(NULL, all->count, sizeof *open->units);
  for (size_t i = 0; i < all->count; i++)
    open->units[i] = all->points[i].unit;
  qsort(open->units, all->count, sizeof *open->units, by_offset);
  for (size_t i = 0; i < all->count; i++)
    if (!open->count || open->units[open->count - 1] != open->units[i])
      open->units[open->count++] = open->units[i];
  open->counts = contprof_need(calloc(open->count, sizeof *open->counts));
}

static size_t number_of(const struct open_units *open, uint64_t unit) {
  const uint64_t *found = bsearch(&unit, open->units, open->count, sizeof unit, by_offset);
  return (size_t)(found - open->units);
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t other = *a;
  *a = *b;
  *b = other;
}

static void push(struct open_units *open, uint32_t number) {
  if (open->heap_count == open->heap_room) {
    open->heap_room = open->heap_room * 2 + 16;
    open->heap = contprof_need_array(open->heap, open->heap_room, sizeof *open->heap);
  }
  size_t at = open->heap_count++;
  open->heap[at] = number;
  for (; at && open->heap[(at - 1) / 2] > open->heap[at]; at = (at - 1) / 2)
    swap(&open->heap[at], &open->heap[(at - 1) / 2]);
}

static void pop(struct open_units *open) {
  open->heap[0] = open->heap[--open->heap_count];
  for (size_t at = 0;;) {
    size_t least = at;
    for (size_t below = at * 2 + 1; below <= at * 2 + 2 && below < open->heap_count; below++)
      if (open->heap[below] < open->heap[least])
        least = below;
    if (least == at)
      return;
    swap(&open->heap[at], &open->heap[least]);
    at = least;
  }
}

static void pass(struct open_units *open, const struct endpoint *point) {
  size_t number = number_of(open, point->unit);
  if (!point->is_start)
    open->counts[number]--;
  else if (open->counts[number]++ == 0)
    push(open, (uint32_t)number);
}

// Whether any is open; then it is on top of the heap.
static bool has_open(struct open_units *open) {
  while (open->heap_count && !open->counts[open->heap[0]])
    pop(open);
  return open->heap_count > 0;
}

// Starts before ends where they meet, so that none is closed before it is open.
static int by_address(const void *a, const void *b) {
  const struct endpoint *first = a, *second = b;
  if (first->address != second->address)
    return first->address > second->address ? 1 : -1;
  return (int)second->is_start - (int)first->is_start;
}

// DWARFDebugAranges::construct: the last span goes on as long as its unit is there; else the first
// of the units that are is taken.
static void add_span(struct contprof_unit_map *map, const struct open_units *open, uint64_t start,
                     uint64_t end) {
  struct contprof_span *last = map->span_count ? &map->spans[map->span_count - 1] : NULL;
  if (last && last->end == start && open->counts[number_of(open, last->of)])
    last->end = end;
  else
    map->spans[map->span_count++] = (struct contprof_span){start, end, open->units[open->heap[0]]};
}

static void make_spans(struct endpoints *all, struct contprof_unit_map *map) {
  map->spans = contprof_need_array(NULL, all->count + 1, sizeof *map->spans);
  if (!all->count)
    return;
  qsort(all->points, all->count, sizeof *all->points, by_address);
  struct open_units open = {0};
  list_units(all, &open);
  for (size_t i = 0; i < all->count; i++) {
    const struct endpoint *point = &all->points[i];
    if (i && point[-1].address < point->address && has_open(&open))
      add_span(map, &open, point[-1].address, point->address);
    pass(&open, point);
  }
  free(open.units);
  free(open.counts);
  free(open.heap);
}

void contprof_units_map(struct contprof_dwarf_file *file, struct contprof_unit_map *map) {
  *map = (struct contprof_unit_map){0};
  struct endpoints all = {0};
  bool *seen = contprof_need(calloc(file->unit_count + 1, sizeof *seen));
  take_aranges(file, &all, seen);
  take_units(file, &all, seen);
  make_spans(&all, map);
  free(all.points);
  free(seen);
}

void contprof_unit_map_free(struct contprof_unit_map *map) {
  free(map->spans);
  memset(map, 0, sizeof *map);
}

struct contprof_dwarf_unit *contprof_unit_map_at(const struct contprof_unit_map *map,
                                                 const struct contprof_dwarf_file *file,
                                                 uint64_t address, uint64_t *start, uint64_t *end) {
  const struct contprof_span *span =
      contprof_span_at(map->spans, map->span_count, address, start, end);
  if (!span)
    return NULL;
  struct contprof_dwarf_unit *unit = contprof_dwarf_unit_at(file, span->of);
  return unit && !contprof_unit_is_type(unit) ? unit : NULL;
}
