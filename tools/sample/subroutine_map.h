// Which subroutine, or inlined call of one, each address of a unit belongs to: what LLVM's
// DWARFUnit::getSubroutineForAddress answers, also where ranges overlap. Immutable once made, but
// for what is filled in of its subroutines.
#ifndef CONTPROF_SAMPLE_SUBROUTINE_MAP_H
#define CONTPROF_SAMPLE_SUBROUTINE_MAP_H

#include "dwarf_unit.h"
#include "spans.h"

// A DW_TAG_subprogram or DW_TAG_inlined_subroutine.
struct contprof_subroutine {
  uint64_t die;       // offset of its entry
  uint32_t parent;    // number plus 1 of the one around it; 0: none
  bool is_inlined;    // an inlined call
  bool is_known;      // what follows is filled in
  uint32_t decl_line; // 0 if there is none
  uint32_t call_line; // of an inlined call
  uint32_t call_discriminator;
  const char *name; // linkage name, or NULL; in the DWARF file
};

struct contprof_subroutine_map {
  struct contprof_dwarf_unit *unit;        // not owned
  struct contprof_subroutine *subroutines; // owned
  size_t subroutine_count;
  struct contprof_span
      *spans; // span_count of them; their `of` is the number of the subroutine; owned
  size_t span_count;
};

void contprof_subroutines_map(struct contprof_dwarf_unit *unit,
                              struct contprof_subroutine_map *map);
void contprof_subroutine_map_free(struct contprof_subroutine_map *map);

// The subroutine at the address, with what it says of itself, or NULL. [*start, *end) is around the
// address and all the same.
struct contprof_subroutine *contprof_subroutine_at(struct contprof_subroutine_map *map,
                                                   uint64_t address, uint64_t *start,
                                                   uint64_t *end);

// The one around `subroutine`, if that is an inlined call; else NULL.
struct contprof_subroutine *
contprof_subroutine_caller(struct contprof_subroutine_map *map,
                           const struct contprof_subroutine *subroutine);

#endif
