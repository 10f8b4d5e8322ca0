// Inline stacks: units' subroutines crossed with their line tables. A unit is read when the first
// address in it is asked for, a stack made when the first address of its row is.
#include "binary_parts.h"

#include "../base/memory.h"
#include "dwarf_lines.h"
#include "subroutine_map.h"
#include "unit_map.h"

#include <stdlib.h>

struct unit_locations {
  bool is_read;
  struct contprof_subroutine_map subroutines; // of the split unit, if there is one
  struct contprof_line_table lines;
};

struct contprof_locations {
  struct contprof_unit_map unit_map;
  struct unit_locations *units; // of binary->dwarf's units; in the arena
  // A hash table by start; owned.
  const struct contprof_location **slots;
  size_t slot_count; // a power of two, or 0
  size_t count;
  const struct contprof_location *last;
};

static struct contprof_locations *locations_of(struct contprof_binary *binary) {
  if (binary->locations)
    return binary->locations;
  struct contprof_locations *all = contprof_arena_zeros(&binary->arena, 1, sizeof *all);
  contprof_units_map(&binary->dwarf, &all->unit_map);
  all->units =
      contprof_arena_zeros(&binary->arena, binary->dwarf.unit_count + 1, sizeof *all->units);
  binary->locations = all;
  return all;
}

void contprof_locations_close(struct contprof_binary *binary) {
  struct contprof_locations *all = binary->locations;
  if (!all)
    return;
  for (size_t i = 0; i < binary->dwarf.unit_count; i++) {
    contprof_subroutine_map_free(&all->units[i].subroutines);
    contprof_lines_free(&all->units[i].lines);
  }
  contprof_unit_map_free(&all->unit_map);
  free(all->slots);
}

static struct unit_locations *read_unit(struct contprof_binary *binary,
                                        struct contprof_dwarf_unit *unit) {
  struct unit_locations *locations = &binary->locations->units[unit - binary->dwarf.units];
  if (!locations->is_read) {
    contprof_subroutines_map(unit->dwo ? unit->dwo : unit, &locations->subroutines);
    contprof_lines_read(unit, &locations->lines);
    locations->is_read = true;
  }
  return locations;
}

// --- cached ones
// ----------------------------------------------------------------------------------

static size_t slot_of(const struct contprof_locations *all, uint64_t start) {
  size_t at = (start * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (all->slot_count - 1);
  while (all->slots[at] && all->slots[at]->start != start)
    at = (at + 1) & (all->slot_count - 1);
  return at;
}

static void grow(struct contprof_locations *all) {
  const struct contprof_location **old = all->slots;
  size_t old_count = all->slot_count;
  all->slot_count = old_count ? old_count * 2 : 1024;
  all->slots = contprof_need(calloc(all->slot_count, sizeof *all->slots));
  for (size_t i = 0; i < old_count; i++)
    if (old[i])
      all->slots[slot_of(all, old[i]->start)] = old[i];
  free(old);
}

// --- stacks
// ---------------------------------------------------------------------------------------

// What is known of an address before its frames are made.
struct place {
  uint64_t start;
  uint64_t end;
  struct unit_locations *unit;            // NULL: none
  struct contprof_subroutine *subroutine; // the innermost one; NULL: none
  const struct contprof_line_row *row;    // NULL: none
};

static void narrow(struct place *place, uint64_t start, uint64_t end) {
  place->start = start > place->start ? start : place->start;
  place->end = end < place->end ? end : place->end;
}

static struct place find_place(struct contprof_binary *binary, uint64_t address) {
  struct place place = {0};
  uint64_t start, end;
  struct contprof_dwarf_unit *unit = contprof_unit_map_at(
      &binary->locations->unit_map, &binary->dwarf, address, &place.start, &place.end);
  if (!unit)
    return place;
  place.unit = read_unit(binary, unit);
  place.subroutine = contprof_subroutine_at(&place.unit->subroutines, address, &start, &end);
  narrow(&place, start, end);
  if (!place.subroutine)
    return place;
  struct contprof_line_place line = contprof_lines_at(&place.unit->lines, address);
  narrow(&place, line.start, line.end);
  if (line.row && contprof_lines_has_file(&place.unit->lines, line.row))
    place.row = line.row;
  return place;
}

static size_t depth_of(const struct place *place) {
  size_t depth = 0;
  for (const struct contprof_subroutine *each = place->subroutine; each;
       each = contprof_subroutine_caller(&place->unit->subroutines, each))
    depth++;
  return depth;
}

// Fills frames[0..depth) outermost first (DWARFContext::getInliningInfoForAddress), and returns how
// many there are before the first without a name, where llvm-profgen stops.
static size_t fill_frames(const struct place *place, struct contprof_frame *frames, size_t depth) {
  uint32_t line = place->row ? place->row->line : 0;
  uint32_t discriminator = place->row ? place->row->discriminator : 0;
  size_t named = depth;
  const struct contprof_subroutine *each = place->subroutine;
  for (size_t i = depth; i-- > 0;) {
    frames[i] =
        (struct contprof_frame){each->name, (line - each->decl_line) & 0xffff, discriminator};
    if (!each->name || !each->name[0])
      named = i;
    line = each->call_line;
    discriminator = each->call_discriminator;
    each = contprof_subroutine_caller(&place->unit->subroutines, each);
  }
  return named;
}

static const struct contprof_location *make_location(struct contprof_binary *binary,
                                                     const struct place *place) {
  struct contprof_location *location = contprof_arena_zeros(&binary->arena, 1, sizeof *location);
  size_t depth = depth_of(place);
  location->start = place->start;
  location->end = place->end;
  if (depth) {
    struct contprof_frame *frames = contprof_arena_zeros(&binary->arena, depth, sizeof *frames);
    location->frame_count = fill_frames(place, frames, depth);
    location->frames = frames;
  }
  return location;
}

const struct contprof_location *contprof_binary_locate(struct contprof_binary *binary,
                                                       uint64_t address) {
  struct contprof_locations *all = locations_of(binary);
  if (all->last && address >= all->last->start && address < all->last->end)
    return all->last;
  struct place place = find_place(binary, address);
  if (all->count * 2 >= all->slot_count)
    grow(all);
  size_t slot = slot_of(all, place.start);
  if (!all->slots[slot]) {
    all->slots[slot] = make_location(binary, &place);
    all->count++;
  }
  return all->last = all->slots[slot];
}
