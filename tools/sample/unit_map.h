// Which unit each address belongs to: .debug_aranges and, for units that are not in it, the ranges
// of the units' own entries, as LLVM's DWARFDebugAranges lays them out. Immutable.
#ifndef CONTPROF_SAMPLE_UNIT_MAP_H
#define CONTPROF_SAMPLE_UNIT_MAP_H

#include "dwarf_unit.h"
#include "spans.h"

struct contprof_unit_map {
  struct contprof_span
      *spans; // span_count of them; their `of` is the unit's offset in .debug_info; owned
  size_t span_count;
};

void contprof_units_map(struct contprof_dwarf_file *file, struct contprof_unit_map *map);
void contprof_unit_map_free(struct contprof_unit_map *map);

// The unit at the address, or NULL. [*start, *end) is around the address and all the same.
struct contprof_dwarf_unit *contprof_unit_map_at(const struct contprof_unit_map *map,
                                                 const struct contprof_dwarf_file *file,
                                                 uint64_t address, uint64_t *start, uint64_t *end);

#endif
