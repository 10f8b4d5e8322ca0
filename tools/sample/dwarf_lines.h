// Line tables (.debug_line of DWARF 2 to 5): which line and discriminator each address has. Answers
// are those of LLVM's DWARFDebugLine::LineTable::lookupAddress, also where sequences overlap.
// Immutable once read.
#ifndef CONTPROF_SAMPLE_DWARF_LINES_H
#define CONTPROF_SAMPLE_DWARF_LINES_H

#include "dwarf_unit.h"

struct contprof_line_row {
  uint64_t address; // of the first instruction
  uint32_t line;
  uint32_t discriminator;
  uint16_t file;
};

struct contprof_line_sequence {
  uint64_t low;
  uint64_t high;    // not in it
  size_t first_row; // in the table's rows
  size_t row_count; // with the row that ends the sequence
};

struct contprof_line_table {
  struct contprof_line_row *rows; // row_count of them, as the program made them; owned
  size_t row_count;
  struct contprof_line_sequence *sequences; // sequence_count of them, by `high`; owned
  size_t sequence_count;
  size_t file_count;    // files named
  bool files_from_0;    // numbered from 0, as in DWARF 5
  size_t row_room;      // private
  size_t sequence_room; // private
};

// Reads the unit's table, as far as it is sound; empty if the unit has none.
void contprof_lines_read(const struct contprof_dwarf_unit *unit, struct contprof_line_table *table);
void contprof_lines_free(struct contprof_line_table *table);

// What an address has in common with its neighbours.
struct contprof_line_place {
  uint64_t start; // the same holds for all of [start, end)
  uint64_t end;
  const struct contprof_line_row *row; // NULL: no line is known; in the table
};

struct contprof_line_place contprof_lines_at(const struct contprof_line_table *table,
                                             uint64_t address);

// The row's file is named in the table; LLVM takes no line of a row whose file is not.
bool contprof_lines_has_file(const struct contprof_line_table *table,
                             const struct contprof_line_row *row);

#endif
