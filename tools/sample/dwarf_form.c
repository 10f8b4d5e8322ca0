// Values of attributes. DWARF 5, 7.5.6; forms of GNU's split DWARF 4; DW_FORM_LLVM_addrx_offset.
#include "dwarf_unit.h"

#include <string.h>

enum { FORM_LLVM_ADDRX_OFFSET = 0x2001 };

uint64_t contprof_take_unsigned(struct contprof_cursor *cursor, unsigned size) {
  const uint8_t *bytes = contprof_take_bytes(cursor, size);
  uint64_t value = 0;
  for (unsigned i = size; bytes && i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

int64_t contprof_take_sleb128(struct contprof_cursor *cursor) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = contprof_take_u8(cursor);
    if (!contprof_cursor_ok(cursor))
      return 0;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (shift < 64 && byte & 0x40)
    value |= UINT64_MAX << shift;
  return (int64_t)value;
}

uint64_t contprof_take_initial_length(struct contprof_cursor *cursor, uint8_t *offset_size) {
  *offset_size = 4;
  uint64_t length = contprof_take_u32(cursor);
  if (length < 0xfffffff0)
    return length;
  if (length != 0xffffffff) {
    contprof_cursor_corrupt(cursor, "reserved unit length");
    return 0;
  }
  *offset_size = 8;
  return contprof_take_u64(cursor);
}

const char *contprof_string_in(struct contprof_bytes strings, uint64_t offset) {
  if (offset >= strings.size)
    return NULL;
  const char *text = (const char *)strings.bytes + offset;
  return memchr(text, 0, strings.size - offset) ? text : NULL;
}

int contprof_form_size(uint32_t form, const struct contprof_form_sizes *sizes) {
  switch (form) {
  case DW_FORM_flag_present:
  case DW_FORM_implicit_const:
    return 0;
  case DW_FORM_data1:
  case DW_FORM_ref1:
  case DW_FORM_flag:
  case DW_FORM_strx1:
  case DW_FORM_addrx1:
    return 1;
  case DW_FORM_data2:
  case DW_FORM_ref2:
  case DW_FORM_strx2:
  case DW_FORM_addrx2:
    return 2;
  case DW_FORM_strx3:
  case DW_FORM_addrx3:
    return 3;
  case DW_FORM_data4:
  case DW_FORM_ref4:
  case DW_FORM_ref_sup4:
  case DW_FORM_strx4:
  case DW_FORM_addrx4:
    return 4;
  case DW_FORM_data8:
  case DW_FORM_ref8:
  case DW_FORM_ref_sup8:
  case DW_FORM_ref_sig8:
    return 8;
  case DW_FORM_data16:
    return 16;
  case DW_FORM_addr:
    return sizes->address_size;
  case DW_FORM_ref_addr: // DWARF 2 had it of an address's size
    return sizes->version <= 2 ? sizes->address_size : sizes->offset_size;
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_strp_sup:
  case DW_FORM_sec_offset:
  case DW_FORM_GNU_ref_alt:
  case DW_FORM_GNU_strp_alt:
    return sizes->offset_size;
  default:
    return -1;
  }
}

static bool skip_block(struct contprof_cursor *cursor, uint32_t form) {
  uint64_t size = form == DW_FORM_block1   ? contprof_take_u8(cursor)
                  : form == DW_FORM_block2 ? contprof_take_u16(cursor)
                  : form == DW_FORM_block4 ? contprof_take_u32(cursor)
                                           : contprof_take_uleb128(cursor);
  return contprof_skip(cursor, size);
}

static bool skip_string(struct contprof_cursor *cursor) {
  const uint8_t *text = cursor->bytes + cursor->offset;
  uint64_t left = contprof_cursor_left(cursor);
  const uint8_t *end = left ? memchr(text, 0, left) : NULL;
  return contprof_skip(cursor, end ? (uint64_t)(end - text) + 1 : left + 1);
}

// Those of no fixed size.
static bool take_variable(struct contprof_cursor *cursor, struct contprof_dwarf_value *value) {
  switch (value->form) {
  case DW_FORM_exprloc:
  case DW_FORM_block:
  case DW_FORM_block1:
  case DW_FORM_block2:
  case DW_FORM_block4:
    return skip_block(cursor, value->form);
  case DW_FORM_string:
    return skip_string(cursor);
  case DW_FORM_sdata:
    value->number = (uint64_t)contprof_take_sleb128(cursor);
    break;
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_GNU_addr_index:
  case DW_FORM_GNU_str_index:
    value->number = contprof_take_uleb128(cursor);
    break;
  case FORM_LLVM_ADDRX_OFFSET:
    value->number = contprof_take_uleb128(cursor) << 32;
    value->number |= contprof_take_u32(cursor);
    break;
  default:
    return false;
  }
  return contprof_cursor_ok(cursor);
}

bool contprof_take_form(struct contprof_cursor *cursor, uint32_t form,
                        const struct contprof_form_sizes *sizes,
                        struct contprof_dwarf_value *value) {
  while (form == DW_FORM_indirect && contprof_cursor_ok(cursor))
    form = (uint32_t)contprof_take_uleb128(cursor);
  *value = (struct contprof_dwarf_value){.form = form, .at = cursor->base + cursor->offset};
  int size = contprof_form_size(form, sizes);
  if (size < 0)
    return take_variable(cursor, value);
  if (size > 8)
    return contprof_skip(cursor, (uint64_t)size);
  value->number = form == DW_FORM_flag_present ? 1 : contprof_take_unsigned(cursor, (unsigned)size);
  return contprof_cursor_ok(cursor);
}

// --- meanings -----------------------------------------------------------------------------------

// The offset that a unit's string offsets table has at `index`.
static const char *indexed_string(struct contprof_dwarf_unit *unit, uint64_t index) {
  struct contprof_bytes table = unit->file->str_offsets;
  uint64_t size = unit->offset_size;
  if (!unit->has_str_offsets || unit->str_offsets_base > table.size ||
      index >= (table.size - unit->str_offsets_base) / size)
    return NULL;
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  struct contprof_cursor cursor =
      contprof_cursor_over(table.bytes + unit->str_offsets_base + index * size, size, 0,
                           unit->file->elf->path, "str_offsets", &ignored);
  return contprof_string_in(unit->file->str, contprof_take_unsigned(&cursor, (unsigned)size));
}

const char *contprof_value_string(struct contprof_dwarf_unit *unit,
                                  const struct contprof_dwarf_value *value) {
  switch (value->form) {
  case DW_FORM_string:
    return contprof_string_in(unit->file->info, value->at);
  case DW_FORM_strp:
    return contprof_string_in(unit->file->str, value->number);
  case DW_FORM_line_strp:
    return contprof_string_in(unit->file->line_str, value->number);
  case DW_FORM_strx:
  case DW_FORM_strx1:
  case DW_FORM_strx2:
  case DW_FORM_strx3:
  case DW_FORM_strx4:
  case DW_FORM_GNU_str_index:
    return indexed_string(unit, value->number);
  default:
    return NULL;
  }
}

// DWARFUnit::getAddrOffsetSectionItem.
static bool indexed_address(struct contprof_dwarf_unit *unit, uint64_t index, uint64_t *address) {
  struct contprof_bytes table = unit->addresses;
  uint64_t size = unit->address_size;
  if (!unit->has_address_base || unit->address_base > table.size ||
      index >= (table.size - unit->address_base) / size)
    return false;
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  struct contprof_cursor cursor =
      contprof_cursor_over(table.bytes + unit->address_base + index * size, size, 0,
                           unit->file->elf->path, "addr", &ignored);
  *address = contprof_take_unsigned(&cursor, (unsigned)size);
  return true;
}

bool contprof_value_address(struct contprof_dwarf_unit *unit,
                            const struct contprof_dwarf_value *value, uint64_t *address) {
  *address = value->number;
  switch (value->form) {
  case DW_FORM_addr:
    return true;
  case DW_FORM_addrx:
  case DW_FORM_addrx1:
  case DW_FORM_addrx2:
  case DW_FORM_addrx3:
  case DW_FORM_addrx4:
  case DW_FORM_GNU_addr_index:
    return indexed_address(unit, value->number, address);
  case FORM_LLVM_ADDRX_OFFSET:
    if (!indexed_address(unit, value->number >> 32, address))
      return false;
    *address += value->number & 0xffffffff;
    return true;
  default:
    return false;
  }
}

bool contprof_value_unsigned(const struct contprof_dwarf_value *value, uint64_t *number) {
  *number = value->number;
  switch (value->form) {
  case DW_FORM_data1:
  case DW_FORM_data2:
  case DW_FORM_data4:
  case DW_FORM_data8:
  case DW_FORM_udata:
  case DW_FORM_implicit_const:
  case DW_FORM_flag:
  case DW_FORM_flag_present:
    return true;
  default:
    return false;
  }
}

bool contprof_value_section_offset(struct contprof_dwarf_unit *unit,
                                   const struct contprof_dwarf_value *value, uint64_t *offset) {
  *offset = value->number;
  switch (value->form) {
  case DW_FORM_sec_offset:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
    return true;
  case DW_FORM_data4:
  case DW_FORM_data8:
    return unit->version <= 3; // DWARF 4 brought DW_FORM_sec_offset
  default:
    return false;
  }
}

bool contprof_value_reference(struct contprof_dwarf_unit *unit,
                              const struct contprof_dwarf_value *value, struct contprof_die *die) {
  switch (value->form) {
  case DW_FORM_ref1:
  case DW_FORM_ref2:
  case DW_FORM_ref4:
  case DW_FORM_ref8:
  case DW_FORM_ref_udata:
    return value->number < unit->end - unit->offset &&
           contprof_die_at(unit, unit->offset + value->number, die);
  case DW_FORM_ref_addr:
    unit = contprof_dwarf_unit_at(unit->file, value->number);
    return unit && contprof_die_at(unit, value->number, die);
  default:
    return false;
  }
}
