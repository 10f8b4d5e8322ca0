// Tables of abbreviations, for dwarf_unit.c and dwarf_die.c alone.
#ifndef CONTPROF_SAMPLE_DWARF_ABBREV_H
#define CONTPROF_SAMPLE_DWARF_ABBREV_H

#include "dwarf_unit.h"

static inline struct contprof_form_sizes
contprof_unit_sizes(const struct contprof_dwarf_unit *unit) {
  return (struct contprof_form_sizes){unit->version, unit->address_size, unit->offset_size};
}

// The table of the unit; empty if it is damaged. contprof_unit_drop_abbrevs frees it.
struct contprof_abbrev_table *contprof_abbrevs_load(const struct contprof_dwarf_unit *unit);

// The abbreviation with that code, or NULL.
const struct contprof_abbrev *contprof_abbrev_of(const struct contprof_abbrev_table *table,
                                                 uint64_t code);

#endif
