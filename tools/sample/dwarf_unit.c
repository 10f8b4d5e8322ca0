// Units: their headers and what their own entry says. DWARF 5, 7.5.1; DWARFUnit.cpp.
#include "dwarf_abbrev.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// A range takes two bytes at least, and is read up to three times: for functions, units, inlined
// calls.
enum { RANGES_PER_BYTE = 8 };

// --- headers ------------------------------------------------------------------------------------

static void take_version_5(struct contprof_cursor *cursor, struct contprof_dwarf_unit *unit) {
  unit->type = contprof_take_u8(cursor);
  unit->address_size = contprof_take_u8(cursor);
  unit->abbrev_offset = contprof_take_unsigned(cursor, unit->offset_size);
}

static void take_version_2(struct contprof_cursor *cursor, struct contprof_dwarf_unit *unit) {
  unit->type = DW_UT_compile;
  unit->abbrev_offset = contprof_take_unsigned(cursor, unit->offset_size);
  unit->address_size = contprof_take_u8(cursor);
}

// What follows in units of some types.
static void take_identity(struct contprof_cursor *cursor, struct contprof_dwarf_unit *unit) {
  if (contprof_unit_is_type(unit)) {
    contprof_skip(cursor, 8 + (uint64_t)unit->offset_size); // type signature and offset
  } else if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile) {
    unit->has_dwo_id = true;
    unit->dwo_id = contprof_take_u64(cursor);
  }
}

bool contprof_dwarf_unit_header(struct contprof_dwarf_file *file, uint64_t offset,
                                struct contprof_dwarf_unit *unit) {
  *unit = (struct contprof_dwarf_unit){.file = file, .offset = offset};
  if (offset >= file->info.size)
    return false;
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor =
      contprof_cursor_over(file->info.bytes + offset, file->info.size - offset, offset,
                           file->elf->path, ".debug_info", &error);
  uint64_t length = contprof_take_initial_length(&cursor, &unit->offset_size);
  uint64_t length_size = cursor.offset;
  unit->version = contprof_take_u16(&cursor);
  if (unit->version >= 5)
    take_version_5(&cursor, unit);
  else
    take_version_2(&cursor, unit);
  take_identity(&cursor, unit);
  if (error.code != CONTPROF_OK || length > cursor.size - length_size)
    return false;
  unit->first_die = offset + cursor.offset;
  unit->end = offset + length_size + length;
  return unit->version >= 2 && unit->version <= 5 && unit->first_die <= unit->end &&
         (unit->address_size == 8 || unit->address_size == 4);
}

// --- the unit's own entry -----------------------------------------------------------------------

static bool offset_of(const struct contprof_die *die, uint32_t name, uint64_t *offset) {
  struct contprof_dwarf_value value;
  return contprof_die_find(die, name, &value) &&
         contprof_value_section_offset(die->unit, &value, offset);
}

// DWARFUnit.cpp: parseDWARF32StringOffsetsTableHeader and the 64-bit one. The header stands before
// `base`.
void contprof_unit_set_str_offsets(struct contprof_dwarf_unit *unit, uint64_t base) {
  struct contprof_bytes table = unit->file->str_offsets;
  uint64_t header = unit->offset_size == 4 ? 8 : 16;
  if (base < header || base > table.size)
    return;
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor =
      contprof_cursor_over(table.bytes + base - header, header, base - header,
                           unit->file->elf->path, ".debug_str_offsets", &error);
  uint8_t offset_size;
  uint64_t length = contprof_take_initial_length(&cursor, &offset_size);
  if (error.code != CONTPROF_OK || offset_size != unit->offset_size || length < 4 ||
      length - 4 > table.size - base)
    return;
  unit->has_str_offsets = true;
  unit->str_offsets_base = base;
}

static void set_addresses(struct contprof_dwarf_unit *unit, const struct contprof_die *die) {
  unit->addresses = unit->file->addr;
  unit->has_address_base = offset_of(die, DW_AT_addr_base, &unit->address_base) ||
                           offset_of(die, DW_AT_GNU_addr_base, &unit->address_base);
}

static void set_base_address(struct contprof_dwarf_unit *unit, const struct contprof_die *die) {
  struct contprof_dwarf_value value;
  unit->has_base_address = (contprof_die_find(die, DW_AT_low_pc, &value) ||
                            contprof_die_find(die, DW_AT_entry_pc, &value)) &&
                           contprof_value_address(unit, &value, &unit->base_address);
}

static void set_ranges(struct contprof_dwarf_unit *unit, const struct contprof_die *die) {
  unit->ranges = unit->version >= 5 ? unit->file->rnglists : unit->file->ranges;
  // A header stands before the first list's offsets (DWARF 5, 7.28).
  unit->ranges_base = unit->offset_size == 4 ? 12 : 20;
  if (!offset_of(die, DW_AT_rnglists_base, &unit->ranges_base) && unit->version < 5)
    unit->ranges_base = 0;
}

void contprof_unit_prepare(struct contprof_dwarf_unit *unit) {
  struct contprof_die die;
  struct contprof_dwarf_value value;
  if (!contprof_die_at(unit, unit->first_die, &die) || !die.abbrev)
    return;
  if (contprof_die_find(&die, DW_AT_GNU_dwo_id, &value) &&
      contprof_value_unsigned(&value, &unit->dwo_id))
    unit->has_dwo_id = true;
  uint64_t base;
  if (unit->version >= 5 && offset_of(&die, DW_AT_str_offsets_base, &base))
    contprof_unit_set_str_offsets(unit, base);
  set_addresses(unit, &die);
  set_base_address(unit, &die);
  set_ranges(unit, &die);
  unit->has_lines = offset_of(&die, DW_AT_stmt_list, &unit->line_offset);
}

// --- files --------------------------------------------------------------------------------------

static struct contprof_bytes section(struct contprof_dwarf_file *file, const char *name) {
  char full[32];
  strcpy(full, name);
  if (file->is_split)
    strcat(full, ".dwo");
  return contprof_elf_debug_bytes(file->elf, full);
}

static void take_sections(struct contprof_dwarf_file *file) {
  file->info = section(file, "info");
  if (!file->info.size)
    return;
  file->abbrev = section(file, "abbrev");
  file->str = section(file, "str");
  file->str_offsets = section(file, "str_offsets");
  file->rnglists = section(file, "rnglists");
  file->line_str = contprof_elf_debug_bytes(file->elf, "line_str");
  if (file->is_split) {
    file->cu_index = contprof_elf_debug_bytes(file->elf, "cu_index");
    return;
  }
  file->addr = section(file, "addr");
  file->ranges = section(file, "ranges");
  file->aranges = section(file, "aranges");
  file->line = section(file, "line");
}

void contprof_dwarf_open(struct contprof_elf_file *elf, bool is_split,
                         struct contprof_dwarf_file *file) {
  *file = (struct contprof_dwarf_file){.elf = elf, .is_split = is_split};
  take_sections(file);
  file->ranges_left = RANGES_PER_BYTE * (file->info.size + file->ranges.size + file->rnglists.size);
  size_t room = 0;
  struct contprof_dwarf_unit unit;
  // The units of a package are found by its index.
  for (uint64_t offset = 0; !file->cu_index.size && contprof_dwarf_unit_header(file, offset, &unit);
       offset = unit.end) {
    if (file->unit_count == room) {
      room = room * 2 + 64;
      file->units = contprof_need_array(file->units, room, sizeof *file->units);
    }
    file->units[file->unit_count++] = unit;
  }
  for (size_t i = 0; !is_split && i < file->unit_count; i++)
    contprof_unit_prepare(&file->units[i]);
}

void contprof_dwarf_close(struct contprof_dwarf_file *file) {
  for (size_t i = 0; i < file->unit_count; i++)
    contprof_unit_drop_abbrevs(&file->units[i]);
  free(file->units);
  memset(file, 0, sizeof *file);
}

struct contprof_dwarf_unit *contprof_dwarf_unit_at(const struct contprof_dwarf_file *file,
                                                   uint64_t offset) {
  size_t low = 0, high = file->unit_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (file->units[middle].end <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < file->unit_count && file->units[low].offset <= offset ? &file->units[low] : NULL;
}
