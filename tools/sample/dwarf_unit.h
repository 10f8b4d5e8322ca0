// DWARF 2 to 5 as far as functions, inlined calls and their places need it, through libdw: units,
// debugging information entries (DIEs) and their attributes. What LLVM does otherwise than libdw is
// done here, each with its reason in docs/binaries.md: lists of ranges, indexed addresses, line
// tables, packages. Damaged information is left out, from where it can't be read, without an error.
// Offsets are bytes from the start of .debug_info. Strings point into the sections. Not
// thread-safe.
#ifndef CONTPROF_SAMPLE_DWARF_UNIT_H
#define CONTPROF_SAMPLE_DWARF_UNIT_H

#include "elf_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

enum contprof_debug_section {
  CONTPROF_DEBUG_INFO,
  CONTPROF_DEBUG_ABBREV,
  CONTPROF_DEBUG_STR,
  CONTPROF_DEBUG_STR_OFFSETS,
  CONTPROF_DEBUG_RNGLISTS,     // DWARF 5
  CONTPROF_DEBUG_NOT_IN_SPLIT, // a .dwo or .dwp has what stands before
  CONTPROF_DEBUG_LINE_STR = CONTPROF_DEBUG_NOT_IN_SPLIT,
  CONTPROF_DEBUG_ADDR,
  CONTPROF_DEBUG_RANGES, // DWARF 4
  CONTPROF_DEBUG_ARANGES,
  CONTPROF_DEBUG_LINE,
  CONTPROF_DEBUG_SECTIONS,
};

// A file's debug information, or a part of it that stands by itself.
struct contprof_dwarf_file {
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS]; // by contprof_debug_section
  Elf *elf;                                                // what libdw sees; owned
  Dwarf *dwarf;                      // NULL if there is no debug information; owned
  struct contprof_dwarf_unit *units; // unit_count of them, by offset; owned
  size_t unit_count;
  uint64_t ranges_left; // private: how many more ranges may be read, so that lists that many
                        // entries share, as none do, can't take any time
};

// A unit's header and what its own DIE says about where to look.
struct contprof_dwarf_unit {
  struct contprof_dwarf_file *file;
  Dwarf_Die root;  // its own DIE
  uint64_t offset; // of its header
  uint64_t end;    // offset behind it
  uint16_t version;
  uint8_t type;         // DW_UT_
  uint8_t address_size; // bytes: 4 or 8
  uint8_t offset_size;  // bytes: 4 or 8
  bool has_dwo_id;
  uint64_t dwo_id;
  bool has_base_address;
  uint64_t base_address; // what range lists count from
  bool has_lines;
  uint64_t line_offset;            // in the file's line section
  struct contprof_bytes addresses; // .debug_addr from the unit's base on, of a split unit its
                                   // skeleton's; none without a base
  struct contprof_bytes ranges;    // .debug_ranges or .debug_rnglists, of a split unit of DWARF 4
                                   // its skeleton's
  uint64_t ranges_base;            // in `ranges`
  struct contprof_dwarf_unit *dwo; // the unit in the .dwo or .dwp that this one stands for, or NULL
};

// --- files and units ----------------------------------------------------------------------------

// The sections of `elf`, as they live with it; those of a .dwo or .dwp (`is_split`) have names that
// end with ".dwo". None of them if there is no .debug_info.
void contprof_dwarf_sections(struct contprof_elf_file *elf, bool is_split,
                             struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS]);

// Lists the units of these sections, which must outlive `file` and be followed by
// CONTPROF_ELF_PADDING readable bytes each. What cannot be read has no units.
void contprof_dwarf_open(const struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS],
                         struct contprof_dwarf_file *file);
void contprof_dwarf_close(struct contprof_dwarf_file *file);

static inline bool contprof_unit_is_type(const struct contprof_dwarf_unit *unit) {
  return unit->type == DW_UT_type || unit->type == DW_UT_split_type;
}

// The unit that holds the offset, or NULL.
struct contprof_dwarf_unit *contprof_dwarf_unit_at(const struct contprof_dwarf_file *file,
                                                   uint64_t offset);

// Fills the bases from the unit's own DIE, of a unit that is not split.
void contprof_unit_prepare(struct contprof_dwarf_unit *unit);

// Of that the lists of ranges alone.
void contprof_unit_set_ranges(struct contprof_dwarf_unit *unit);

// --- entries (dwarf_die.c) ----------------------------------------------------------------------

// A walk over all entries of a unit, parents first, in the order of the file.
struct contprof_die_walk {
  const struct contprof_dwarf_unit *unit;
  Dwarf_Die die;  // the current one
  uint32_t depth; // 0: the unit's own
};

// Begins a walk; contprof_die_next goes to the first entry. False at the end, or where the rest
// can't be read.
struct contprof_die_walk contprof_die_walk(const struct contprof_dwarf_unit *unit);
bool contprof_die_next(struct contprof_die_walk *walk);

uint64_t contprof_die_offset(const struct contprof_dwarf_unit *unit, const Dwarf_Die *die);

// The entry at that offset, which was an entry's.
Dwarf_Die contprof_die_at(const struct contprof_dwarf_unit *unit, uint64_t offset);

// The linkage name, or the plain one, of an entry or of what it stands for (DW_AT_abstract_origin,
// DW_AT_specification); NULL if it has none. DWARFDie::getName(LinkageName).
const char *contprof_die_name(Dwarf_Die *die);

const char *contprof_die_string(Dwarf_Die *die, unsigned attribute); // that it has; or NULL

// A constant that the entry has itself, or that is found as the name is; 0 if there is none.
uint64_t contprof_die_number(Dwarf_Die *die, unsigned attribute);
uint64_t contprof_die_number_through(Dwarf_Die *die, unsigned attribute);

// The address that the attribute means; false if it means none.
bool contprof_attribute_address(const struct contprof_dwarf_unit *unit, Dwarf_Attribute *attribute,
                                uint64_t *address);

// The unit's address of that index, or false.
bool contprof_unit_address(const struct contprof_dwarf_unit *unit, uint64_t index,
                           uint64_t *address);

// --- ranges (dwarf_ranges.c) --------------------------------------------------------------------

struct contprof_address_range {
  uint64_t start;
  uint64_t end; // not in the range; may be below start in odd files
};

struct contprof_address_ranges {
  struct contprof_address_range *ranges; // owned
  size_t count;
  size_t room; // private
};

// Replaces `ranges` by those of an entry of the unit (DWARFDie::getAddressRanges); false, with
// none, if they can't be read.
bool contprof_die_ranges(const struct contprof_dwarf_unit *unit, Dwarf_Die *die,
                         struct contprof_address_ranges *ranges);

#endif
