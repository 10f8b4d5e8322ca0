// What a binary is made of, for binary.c, instructions.c and locations.c alone.
#ifndef CONTPROF_SAMPLE_BINARY_PARTS_H
#define CONTPROF_SAMPLE_BINARY_PARTS_H

#include "binary_functions.h"
#include "dwarf_split.h"

struct contprof_instructions; // instructions.c
struct contprof_locations;    // locations.c

struct contprof_binary {
  struct contprof_image image;
  struct contprof_elf_file elf;       // the binary
  struct contprof_elf_file debug;     // where its debug information is, if elsewhere
  struct contprof_dwarf_file dwarf;   // of one of the two
  struct contprof_dwarf_split *split; // NULL if there are no skeleton units; owned
  size_t missing_dwo;
  struct contprof_text text;
  struct contprof_functions functions;
  uint64_t text_base;
  uint64_t load_base;
  struct contprof_instructions *instructions; // in the arena; it owns more
  struct contprof_locations *locations;       // NULL until needed; the same
  struct contprof_arena arena;
};

// The decoder of `machine` is there, or false with `error` set.
bool contprof_instructions_open(struct contprof_binary *binary, struct contprof_error *error);
void contprof_instructions_close(struct contprof_binary *binary);

void contprof_locations_close(struct contprof_binary *binary);

#endif
