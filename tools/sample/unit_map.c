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

// --- .debug_aranges
// -------------------------------------------------------------------------------

struct arange_set {
  uint64_t unit; // offset
  uint8_t address_size;
};

// A set's header up to its first pair. DWARF 5, 6.1.2; DWARFDebugArangeSet::extract.
static bool take_set_header(struct contprof_cursor *cursor, uint8_t offset_size,
                            uint64_t length_size, struct arange_set *set) {
  contprof_take_u16(cursor); // version
  set->unit = contprof_take_unsigned(cursor, offset_size);
  set->address_size = contprof_take_u8(cursor);
  uint8_t segment_size = contprof_take_u8(cursor);
  if (!contprof_cursor_ok(cursor) || segment_size ||
      (set->address_size != 4 && set->address_size != 8))
    return false;
  // Pairs are aligned to their own size from the set's start.
  uint64_t pair = set->address_size * 2u;
  uint64_t header = length_size + cursor->offset;
  return (length_size + cursor->size) % pair == 0 &&
         contprof_skip(cursor, (pair - header % pair) % pair) && contprof_cursor_left(cursor) > 0;
}

// Takes a set's pairs; false if it does not end as it should.
static bool take_pairs(struct contprof_cursor *cursor, const struct arange_set *set,
                       struct endpoints *all) {
  size_t before = all->count;
  while (contprof_cursor_left(cursor) > 0) {
    uint64_t address = contprof_take_unsigned(cursor, set->address_size);
    uint64_t size = contprof_take_unsigned(cursor, set->address_size);
    if (!address && !size && !contprof_cursor_left(cursor))
      return true;
    add_range(all, set->unit, address, address + size);
  }
  all->count = before;
  return false;
}

// The sets up to the first damaged one; `seen` gets the units that have one.
static void take_aranges(const struct contprof_dwarf_file *file, struct endpoints *all,
                         bool *seen) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor = contprof_cursor_over(file->aranges.bytes, file->aranges.size, 0,
                                                       file->elf->path, ".debug_aranges", &error);
  while (contprof_cursor_left(&cursor) > 0) {
    uint64_t start = cursor.offset;
    uint8_t offset_size;
    uint64_t length = contprof_take_initial_length(&cursor, &offset_size);
    uint64_t length_size = cursor.offset - start;
    struct contprof_cursor part = contprof_take_sub(&cursor, length, ".debug_aranges");
    struct arange_set set;
    if (!contprof_cursor_ok(&cursor) || !take_set_header(&part, offset_size, length_size, &set) ||
        !take_pairs(&part, &set, all))
      return;
    const struct contprof_dwarf_unit *unit = contprof_dwarf_unit_at(file, set.unit);
    if (unit && unit->offset == set.unit)
      seen[unit - file->units] = true;
  }
}

// --- units' own ranges
// ----------------------------------------------------------------------------

static void take_units(const struct contprof_dwarf_file *file, struct endpoints *all,
                       const bool *seen) {
  struct contprof_address_ranges ranges = {0};
  for (size_t i = 0; i < file->unit_count; i++) {
    struct contprof_dwarf_unit *unit = &file->units[i];
    struct contprof_die die;
    if (seen[i] || contprof_unit_is_type(unit) || !contprof_die_at(unit, unit->first_die, &die) ||
        !contprof_die_ranges(&die, &ranges))
      continue;
    for (size_t j = 0; j < ranges.count; j++)
      add_range(all, unit->offset, ranges.ranges[j].start, ranges.ranges[j].end);
  }
  free(ranges.ranges);
}

// --- spans
// ----------------------------------------------------------------------------------------

// The units whose ranges hold the current place, in order, each as often as it has ranges there.
struct open_units {
  uint64_t *units; // owned
  size_t count;
  size_t room;
};

// Where the unit stands, or would.
static size_t place_of(const struct open_units *open, uint64_t unit) {
  size_t low = 0, high = open->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (open->units[middle] < unit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_open(const struct open_units *open, uint64_t unit) {
  size_t place = place_of(open, unit);
  return place < open->count && open->units[place] == unit;
}

static void open_unit(struct open_units *open, uint64_t unit) {
  if (open->count == open->room) {
    open->room = open->room * 2 + 16;
    open->units = contprof_need_array(open->units, open->room, sizeof *open->units);
  }
  size_t place = place_of(open, unit);
  memmove(open->units + place + 1, open->units + place,
          (open->count - place) * sizeof *open->units);
  open->units[place] = unit;
  open->count++;
}

static void close_unit(struct open_units *open, uint64_t unit) {
  size_t place = place_of(open, unit);
  if (place == open->count || open->units[place] != unit)
    return;
  open->count--;
  memmove(open->units + place, open->units + place + 1,
          (open->count - place) * sizeof *open->units);
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
  struct contprof_unit_span *last = map->span_count ? &map->spans[map->span_count - 1] : NULL;
  if (last && last->end == start && is_open(open, last->unit_offset))
    last->end = end;
  else
    map->spans[map->span_count++] = (struct contprof_unit_span){start, end, open->units[0]};
}

static void make_spans(struct endpoints *all, struct contprof_unit_map *map) {
  map->spans = contprof_need_array(NULL, all->count + 1, sizeof *map->spans);
  if (!all->count)
    return;
  qsort(all->points, all->count, sizeof *all->points, by_address);
  struct open_units open = {0};
  for (size_t i = 0; i < all->count; i++) {
    const struct endpoint *point = &all->points[i];
    if (open.count && point[-1].address < point->address)
      add_span(map, &open, point[-1].address, point->address);
    if (point->is_start)
      open_unit(&open, point->unit);
    else
      close_unit(&open, point->unit);
  }
  free(open.units);
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
  size_t low = 0, high = map->span_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (map->spans[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  *start = low ? map->spans[low - 1].end : 0;
  *end = low < map->span_count ? map->spans[low].start : UINT64_MAX;
  if (low == map->span_count || map->spans[low].start > address)
    return NULL;
  *start = map->spans[low].start;
  *end = map->spans[low].end;
  struct contprof_dwarf_unit *unit = contprof_dwarf_unit_at(file, map->spans[low].unit_offset);
  return unit && !contprof_unit_is_type(unit) ? unit : NULL;
}
