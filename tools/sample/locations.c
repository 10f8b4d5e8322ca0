// Inline stacks: units' subroutines crossed with their line tables. A unit is read when the first
// address in it is asked for, a stack made when the first address of its row is.
#include "binary_parts.h"

#include "../base/memory.h"
#include "dwarf_lines.h"
#include "subroutine_map.h"
#include "unit_map.h"

#include <stdlib.h>

enum {
  MOST_FRAMES = 4096, // compilers' own limits on inlining are far below
  STACKS = 4096,      // that are remembered; a power of two
};

struct unit_locations {
  bool is_read;
  struct contprof_subroutine_map subroutines; // of the split unit, if there is one
  struct contprof_line_table lines;
};

// A stack that was made already: many rows of a line table differ in column alone. They are near
// each other, so that of all stacks the last ones will do.
struct stack {
  const struct contprof_subroutine *subroutine; // innermost; NULL: no stack
  uint32_t line;
  uint32_t discriminator;
  const struct contprof_frame *frames; // in the arena
  uint32_t frame_count;
};

struct contprof_locations {
  struct contprof_unit_map unit_map;
  struct unit_locations *units;     // of binary->dwarf's units; in the arena
  struct stack *stacks;             // STACKS of them, each where its hash says; in the arena
  struct contprof_location current; // the last answer
};

static struct contprof_locations *locations_of(struct contprof_binary *binary) {
  if (binary->locations)
    return binary->locations;
  struct contprof_locations *all = contprof_arena_zeros(&binary->arena, 1, sizeof *all);
  contprof_units_map(&binary->dwarf, &all->unit_map);
  all->units =
      contprof_arena_zeros(&binary->arena, binary->dwarf.unit_count + 1, sizeof *all->units);
  all->stacks = contprof_arena_zeros(&binary->arena, STACKS, sizeof *all->stacks);
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

// --- stacks -------------------------------------------------------------------------------------

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
static size_t fill_frames(const struct place *place, const struct stack *stack,
                          struct contprof_frame *frames, size_t depth) {
  uint32_t line = stack->line;
  uint32_t discriminator = stack->discriminator;
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

// Fills the stack's frames; none if they are so many that the debug information must be damaged.
static void make_frames(struct contprof_binary *binary, const struct place *place,
                        struct stack *stack) {
  size_t depth = depth_of(place);
  if (depth > MOST_FRAMES)
    return;
  struct contprof_frame *frames = contprof_arena_zeros(&binary->arena, depth, sizeof *frames);
  stack->frame_count = (uint32_t)fill_frames(place, stack, frames, depth);
  stack->frames = frames;
}

static struct stack *slot_of(const struct contprof_locations *all, const struct stack *stack) {
  uint64_t hash = (uintptr_t)stack->subroutine * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ stack->line ^ (uint64_t)stack->discriminator << 24) * UINT64_C(0x9e3779b97f4a7c15);
  return &all->stacks[hash >> 32 & (STACKS - 1)];
}

static bool are_equal(const struct stack *one, const struct stack *other) {
  return one->subroutine == other->subroutine && one->line == other->line &&
         one->discriminator == other->discriminator;
}

static const struct stack *stack_at(struct contprof_binary *binary, const struct place *place) {
  struct contprof_locations *all = binary->locations;
  struct stack wanted = {.subroutine = place->subroutine,
                         .line = place->row ? place->row->line : 0,
                         .discriminator = place->row ? place->row->discriminator : 0};
  struct stack *slot = slot_of(all, &wanted);
  if (are_equal(slot, &wanted))
    return slot;
  make_frames(binary, place, &wanted);
  *slot = wanted;
  return slot;
}

const struct contprof_location *contprof_binary_locate(struct contprof_binary *binary,
                                                       uint64_t address) {
  struct contprof_locations *all = locations_of(binary);
  struct contprof_location *current = &all->current;
  if (address >= current->start && address < current->end)
    return current;
  struct place place = find_place(binary, address);
  *current = (struct contprof_location){.start = place.start, .end = place.end};
  if (place.subroutine) {
    const struct stack *stack = stack_at(binary, &place);
    current->frames = stack->frames;
    current->frame_count = stack->frame_count;
  }
  return current;
}
