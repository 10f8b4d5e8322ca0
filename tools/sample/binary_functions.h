// The functions of a binary by its DWARF, with their ranges: ProfiledBinary::loadSymbolsFromDWARF.
#ifndef CONTPROF_SAMPLE_BINARY_FUNCTIONS_H
#define CONTPROF_SAMPLE_BINARY_FUNCTIONS_H

#include "binary.h"
#include "dwarf_unit.h"
#include "text_symbols.h"

struct contprof_functions {
  const struct contprof_binary_function **functions; // by address of their first range; arena
  size_t function_count;
  const struct contprof_function_range **ranges; // by start, one for each start; arena
  size_t range_count;
};

// Collects the functions of `dwarf`'s units and of the split units that belong to them, but what
// stands below `text_base` (left out by the linker) or is empty. Where two functions have a range
// of one start, the first one's is the one that is found by its address. All of it lives as long as
// the DWARF file and `arena`.
void contprof_functions_load(struct contprof_dwarf_file *dwarf, uint64_t text_base,
                             struct contprof_arena *arena, struct contprof_functions *functions);

// Sets is_entry of the ranges as ProfiledBinary::setIsFuncEntry does: of a function's only range,
// if a symbol stands in it, and of one with a symbol in it that has the function's name.
void contprof_functions_mark_entries(struct contprof_functions *functions,
                                     const struct contprof_text *text);

// The range that holds the address, or NULL.
const struct contprof_function_range *
contprof_functions_range_at(const struct contprof_functions *functions, uint64_t address);

#endif
