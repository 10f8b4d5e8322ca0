// DWARF 2 to 5 as far as functions, inlined calls and their places need it: units, debugging
// information entries (DIEs), attributes. It reads the sections' bytes itself, through the bounded
// cursor, since libdw 0.188 reads no package files (.dwp), skips entries slowly, and would give
// other answers than LLVM in odd cases; each rule is LLVM's (llvm/lib/DebugInfo/DWARF). Damaged
// information is left out, from where it can't be read, without an error. Offsets are bytes from
// the start of .debug_info (or .debug_info.dwo). Strings point into the sections. Not thread-safe.
#ifndef CONTPROF_SAMPLE_DWARF_UNIT_H
#define CONTPROF_SAMPLE_DWARF_UNIT_H

#include "../base/cursor.h"
#include "elf_file.h"

#include <dwarf.h>

// One file's sections; those of a .dwo or .dwp file are the ones that end with ".dwo", but for the
// indices. All live as long as the ELF file.
struct contprof_dwarf_file {
  struct contprof_elf_file *elf; // not owned
  bool is_split;                 // a .dwo or .dwp
  struct contprof_bytes info;
  struct contprof_bytes abbrev;
  struct contprof_bytes str;
  struct contprof_bytes line_str;
  struct contprof_bytes str_offsets;
  struct contprof_bytes addr;
  struct contprof_bytes ranges;   // DWARF 4
  struct contprof_bytes rnglists; // DWARF 5
  struct contprof_bytes aranges;
  struct contprof_bytes line;
  struct contprof_bytes cu_index;    // of a .dwp
  struct contprof_dwarf_unit *units; // unit_count of them, by offset; owned
  size_t unit_count;
  uint64_t ranges_left; // private: how many more ranges may be read, so that lists that many
                        // entries share, as none do, can't take any time
};

struct contprof_abbrev_attribute {
  uint32_t name;    // DW_AT_
  uint32_t form;    // DW_FORM_
  int64_t constant; // of DW_FORM_implicit_const
  int32_t at;       // bytes from the DIE's first attribute; -1: depends on the DIE
};

struct contprof_abbrev {
  uint64_t code;
  uint32_t tag; // DW_TAG_
  bool has_children;
  uint32_t first;  // its attributes in the table's
  uint32_t count;  // of its attributes
  int32_t size;    // bytes of all its attributes; -1: depends on the DIE
  bool has_ranges; // has DW_AT_low_pc or DW_AT_ranges
};

struct contprof_abbrev_table {
  struct contprof_abbrev *abbrevs; // count of them, by code; owned
  size_t count;
  struct contprof_abbrev_attribute *attributes; // owned
};

// A unit's header and what its own DIE says about where to look.
struct contprof_dwarf_unit {
  struct contprof_dwarf_file *file;
  uint64_t offset;        // of its header
  uint64_t first_die;     // offset of the unit's own DIE
  uint64_t end;           // offset behind it
  uint64_t abbrev_offset; // in .debug_abbrev
  uint16_t version;
  uint8_t type;         // DW_UT_
  uint8_t address_size; // bytes
  uint8_t offset_size;  // bytes: 4 or 8
  bool has_dwo_id;
  uint64_t dwo_id;
  bool has_address_base;
  uint64_t address_base; // in `addresses`
  bool has_str_offsets;
  uint64_t str_offsets_base; // in the file's str_offsets
  uint64_t ranges_base;      // in `ranges`
  bool has_base_address;
  uint64_t base_address; // what range lists count from
  bool has_lines;
  uint64_t line_offset;            // in the file's line section
  struct contprof_bytes addresses; // .debug_addr, of a split unit its skeleton's
  struct contprof_bytes ranges;    // .debug_ranges or .debug_rnglists
  struct contprof_dwarf_unit *dwo; // the unit in the .dwo or .dwp that this one stands for, or NULL
  struct contprof_abbrev_table *abbrevs; // private: NULL until needed; owned
};

// An entry. Valid as long as its unit keeps its abbreviations.
struct contprof_die {
  struct contprof_dwarf_unit *unit;
  uint64_t offset;
  uint64_t attributes;                  // offset of the first one
  const struct contprof_abbrev *abbrev; // NULL: the null entry that ends a row of siblings
};

struct contprof_dwarf_value {
  uint32_t form;
  uint64_t number; // of blocks: nothing
  uint64_t at;     // offset of the value, for DW_FORM_string
};

// --- files and units ----------------------------------------------------------------------------

// Takes the sections of `elf`, which must outlive `file`, and lists its units. A file without DWARF
// has no units.
void contprof_dwarf_open(struct contprof_elf_file *elf, bool is_split,
                         struct contprof_dwarf_file *file);
void contprof_dwarf_close(struct contprof_dwarf_file *file);

static inline bool contprof_unit_is_type(const struct contprof_dwarf_unit *unit) {
  return unit->type == DW_UT_type || unit->type == DW_UT_split_type;
}

// The unit that holds the offset, or NULL.
struct contprof_dwarf_unit *contprof_dwarf_unit_at(const struct contprof_dwarf_file *file,
                                                   uint64_t offset);

// Reads the unit's header at `offset`; false if it is damaged.
bool contprof_dwarf_unit_header(struct contprof_dwarf_file *file, uint64_t offset,
                                struct contprof_dwarf_unit *unit);

// The unit's abbreviations are loaded when first needed; this gives them back.
void contprof_unit_drop_abbrevs(struct contprof_dwarf_unit *unit);

// Fills the bases from the unit's own DIE, of a unit that is not split.
void contprof_unit_prepare(struct contprof_dwarf_unit *unit);

// The base of string offsets, if the contribution at `base` (behind its header) is sound.
void contprof_unit_set_str_offsets(struct contprof_dwarf_unit *unit, uint64_t base);

// --- entries ------------------------------------------------------------------------------------

// The entry at `offset`, which must be in its unit; false if there is none that can be read.
bool contprof_die_at(struct contprof_dwarf_unit *unit, uint64_t offset, struct contprof_die *die);

// A walk over all entries of a unit, parents first.
struct contprof_die_walk {
  struct contprof_die die; // the current one, never a null entry
  uint32_t depth;          // 0: the unit's own
  uint64_t next;           // private: offset of what follows
  bool parent;             // private: the current one has children
};

// Begins a walk; contprof_die_next goes to the first entry. False at the end, or where the rest
// can't be read.
struct contprof_die_walk contprof_die_walk(struct contprof_dwarf_unit *unit);
bool contprof_die_next(struct contprof_die_walk *walk);

// The attribute of that name (DW_AT_), or false.
bool contprof_die_find(const struct contprof_die *die, uint32_t name,
                       struct contprof_dwarf_value *value);

// What a value means; false or NULL if it is of another class or leads nowhere.
const char *contprof_value_string(struct contprof_dwarf_unit *unit,
                                  const struct contprof_dwarf_value *value);
bool contprof_value_address(struct contprof_dwarf_unit *unit,
                            const struct contprof_dwarf_value *value, uint64_t *address);
bool contprof_value_unsigned(const struct contprof_dwarf_value *value, uint64_t *number);
bool contprof_value_section_offset(struct contprof_dwarf_unit *unit,
                                   const struct contprof_dwarf_value *value, uint64_t *offset);
bool contprof_value_reference(struct contprof_dwarf_unit *unit,
                              const struct contprof_dwarf_value *value, struct contprof_die *die);

// The linkage name, or the plain one, of an entry or of what it stands for (DW_AT_abstract_origin,
// DW_AT_specification); NULL if it has none. DWARFDie::getName(LinkageName).
const char *contprof_die_name(const struct contprof_die *die);

// The line of its declaration, found the same way; 0 if there is none. DWARFDie::getDeclLine.
uint64_t contprof_die_decl_line(const struct contprof_die *die);

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

// Replaces `ranges` by those of an entry (DWARFDie::getAddressRanges); false, with none, if they
// can't be read.
bool contprof_die_ranges(const struct contprof_die *die, struct contprof_address_ranges *ranges);

// --- forms (dwarf_form.c) -----------------------------------------------------------------------

// Sizes that forms depend on.
struct contprof_form_sizes {
  uint16_t version;
  uint8_t address_size;
  uint8_t offset_size;
};

// The bytes that a value of the form takes, or -1 if that depends on the value.
int contprof_form_size(uint32_t form, const struct contprof_form_sizes *sizes);

// Takes a value of that form. False, with the cursor's error set or the form unknown, on failure.
bool contprof_take_form(struct contprof_cursor *cursor, uint32_t form,
                        const struct contprof_form_sizes *sizes,
                        struct contprof_dwarf_value *value);

// A number of 1 to 8 bytes, little-endian.
uint64_t contprof_take_unsigned(struct contprof_cursor *cursor, unsigned size);
int64_t contprof_take_sleb128(struct contprof_cursor *cursor);

// The length that a unit, table or set begins with; sets *offset_size to 4 or 8.
uint64_t contprof_take_initial_length(struct contprof_cursor *cursor, uint8_t *offset_size);

// The string at `offset` of a string section, or NULL if it does not end there.
const char *contprof_string_in(struct contprof_bytes strings, uint64_t offset);

#endif
