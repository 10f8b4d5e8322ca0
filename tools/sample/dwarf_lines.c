// The line number program's machine. DWARF 5, 6.2; DWARFDebugLine.cpp for what it leaves open.
#include "dwarf_lines.h"

#include "../base/cursor.h"
#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STANDARD_OPCODES = 256 };

// The header's fields that the program depends on.
struct header {
  uint16_t version;
  uint8_t offset_size;
  uint8_t instruction_length; // what advances count in
  uint8_t operations;         // of an instruction, at least 1
  int8_t line_base;
  uint8_t line_range;
  uint8_t opcode_base;
  uint8_t operands[MOST_STANDARD_OPCODES]; // of standard opcodes
  uint64_t program;                        // where it begins, from the table's start
};

struct machine {
  struct contprof_cursor *cursor;
  const struct header *header;
  struct contprof_line_table *table;
  struct contprof_line_row row;
  uint64_t operation; // index of it in the instruction
  bool in_sequence;
  uint64_t low;     // of the sequence
  size_t first_row; // of the sequence
  bool is_gone;     // the linker left this code out
};

// --- rows ---------------------------------------------------------------------------------------

static void reset(struct machine *machine) {
  machine->row = (struct contprof_line_row){.line = 1, .file = 1};
  machine->operation = 0;
  machine->in_sequence = false;
}

static void add_sequence(struct contprof_line_table *table,
                         const struct contprof_line_sequence *sequence) {
  if (sequence->low >= sequence->high)
    return;
  if (table->sequence_count == table->sequence_room) {
    table->sequence_room = table->sequence_room * 2 + 32;
    table->sequences =
        contprof_need_array(table->sequences, table->sequence_room, sizeof *table->sequences);
  }
  table->sequences[table->sequence_count++] = *sequence;
}

// The row says nothing that the one before it in the sequence does not. Those differ in column or
// in whether they begin a statement, and are most.
static bool is_more_of_the_same(const struct machine *machine) {
  const struct contprof_line_table *table = machine->table;
  if (table->row_count == machine->first_row)
    return false;
  const struct contprof_line_row *last = &table->rows[table->row_count - 1];
  return last->line == machine->row.line && last->discriminator == machine->row.discriminator &&
         last->file == machine->row.file && last->address <= machine->row.address;
}

static void add_row(struct machine *machine, bool ends_sequence) {
  struct contprof_line_table *table = machine->table;
  if (machine->is_gone)
    return;
  if (!machine->in_sequence) {
    machine->in_sequence = true;
    machine->low = machine->row.address;
    machine->first_row = table->row_count;
  }
  if (!ends_sequence && is_more_of_the_same(machine)) {
    machine->row.discriminator = 0;
    return;
  }
  if (table->row_count == table->row_room) {
    table->row_room = table->row_room * 2 + 256;
    table->rows = contprof_need_array(table->rows, table->row_room, sizeof *table->rows);
  }
  table->rows[table->row_count++] = machine->row;
  machine->row.discriminator = 0;
  if (ends_sequence) {
    struct contprof_line_sequence sequence = {machine->low, machine->row.address,
                                              machine->first_row,
                                              table->row_count - machine->first_row};
    add_sequence(table, &sequence);
    machine->in_sequence = false;
  }
}

// --- opcodes ------------------------------------------------------------------------------------

static void advance(struct machine *machine, uint64_t operations) {
  uint64_t sum = machine->operation + operations;
  machine->row.address += sum / machine->header->operations * machine->header->instruction_length;
  machine->operation = sum % machine->header->operations;
}

// The part of a special opcode that moves the address; returns the part that moves the line.
static int advance_special(struct machine *machine, uint8_t opcode) {
  uint8_t adjusted = (uint8_t)(opcode - machine->header->opcode_base);
  uint8_t range = machine->header->line_range;
  advance(machine, range ? adjusted / range : 0);
  return range ? machine->header->line_base + adjusted % range : 0;
}

static void set_address(struct machine *machine, struct contprof_cursor *operand, uint64_t size) {
  if (size != 1 && size != 2 && size != 4 && size != 8)
    return;
  machine->row.address = contprof_take_unsigned(operand, (unsigned)size);
  machine->operation = 0;
  machine->is_gone = machine->row.address == UINT64_MAX >> (64 - size * 8);
}

static void run_extended(struct machine *machine) {
  struct contprof_cursor *cursor = machine->cursor;
  uint64_t length = contprof_take_uleb128(cursor);
  if (!length || length > contprof_cursor_left(cursor)) {
    contprof_skip(cursor, length);
    return;
  }
  struct contprof_cursor rest = contprof_take_sub(cursor, length, "line program");
  switch (contprof_take_u8(&rest)) {
  case DW_LNE_end_sequence:
    add_row(machine, true);
    reset(machine);
    break;
  case DW_LNE_set_address:
    set_address(machine, &rest, length - 1);
    break;
  case DW_LNE_define_file:
    machine->table->file_count++;
    break;
  case DW_LNE_set_discriminator:
    machine->row.discriminator = (uint32_t)contprof_take_uleb128(&rest);
    break;
  default:
    break;
  }
}

static void run_standard(struct machine *machine, uint8_t opcode) {
  struct contprof_cursor *cursor = machine->cursor;
  switch (opcode) {
  case DW_LNS_copy:
    add_row(machine, false);
    break;
  case DW_LNS_advance_pc:
    advance(machine, contprof_take_uleb128(cursor));
    break;
  case DW_LNS_advance_line:
    machine->row.line += (uint32_t)contprof_take_sleb128(cursor);
    break;
  case DW_LNS_set_file:
    machine->row.file = (uint16_t)contprof_take_uleb128(cursor);
    break;
  case DW_LNS_const_add_pc:
    advance_special(machine, 255);
    break;
  case DW_LNS_fixed_advance_pc:
    machine->row.address += contprof_take_u16(cursor);
    machine->operation = 0;
    break;
  case DW_LNS_negate_stmt:
  case DW_LNS_set_basic_block:
  case DW_LNS_set_prologue_end:
  case DW_LNS_set_epilogue_begin:
    break;
  case DW_LNS_set_column:
  case DW_LNS_set_isa:
    contprof_take_uleb128(cursor);
    break;
  default:
    for (unsigned i = 0; i < machine->header->operands[opcode]; i++)
      contprof_take_uleb128(cursor);
  }
}

static void run(struct contprof_cursor *cursor, const struct header *header,
                struct contprof_line_table *table) {
  struct machine machine = {.cursor = cursor, .header = header, .table = table};
  reset(&machine);
  while (contprof_cursor_ok(cursor) && contprof_cursor_left(cursor) > 0) {
    uint8_t opcode = contprof_take_u8(cursor);
    if (opcode == 0) {
      run_extended(&machine);
    } else if (opcode < header->opcode_base) {
      run_standard(&machine, opcode);
    } else {
      machine.row.line += (uint32_t)advance_special(&machine, opcode);
      add_row(&machine, false);
    }
  }
}

// --- headers ------------------------------------------------------------------------------------

static void skip_string(struct contprof_cursor *cursor, bool *is_empty) {
  *is_empty = true;
  while (contprof_take_u8(cursor))
    *is_empty = false;
}

static void count_files_v2(struct contprof_cursor *cursor, struct contprof_line_table *table) {
  bool at_end = false;
  while (!at_end)
    skip_string(cursor, &at_end);
  for (;;) {
    skip_string(cursor, &at_end);
    for (int i = 0; !at_end && i < 3; i++) // directory, time, size
      contprof_take_uleb128(cursor);
    if (at_end || !contprof_cursor_ok(cursor))
      return;
    table->file_count++;
  }
}

// Skips what describes a directory or a file (DWARF 5, 6.2.4.1). False if the form is unknown.
static bool skip_form(struct contprof_cursor *cursor, uint64_t form, uint8_t offset_size) {
  bool ignored;
  switch (form) {
  case DW_FORM_string:
    skip_string(cursor, &ignored);
    return true;
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_strp_sup:
    return contprof_skip(cursor, offset_size);
  case DW_FORM_data1:
  case DW_FORM_strx1:
    return contprof_skip(cursor, 1);
  case DW_FORM_data2:
  case DW_FORM_strx2:
    return contprof_skip(cursor, 2);
  case DW_FORM_strx3:
    return contprof_skip(cursor, 3);
  case DW_FORM_data4:
  case DW_FORM_strx4:
    return contprof_skip(cursor, 4);
  case DW_FORM_data8:
    return contprof_skip(cursor, 8);
  case DW_FORM_data16:
    return contprof_skip(cursor, 16);
  case DW_FORM_udata:
  case DW_FORM_strx:
    contprof_take_uleb128(cursor);
    return true;
  case DW_FORM_block:
    return contprof_skip(cursor, contprof_take_uleb128(cursor));
  default:
    return false;
  }
}

// A list of entries whose layout stands before it: of directories or files. Returns how many
// entries could be read.
static uint64_t skip_entries(struct contprof_cursor *cursor, uint8_t offset_size) {
  uint64_t forms[UINT8_MAX];
  uint8_t form_count = contprof_take_u8(cursor);
  for (unsigned i = 0; i < form_count; i++) {
    contprof_take_uleb128(cursor); // what it is
    forms[i] = contprof_take_uleb128(cursor);
  }
  uint64_t count = contprof_take_uleb128(cursor);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t before = cursor->offset;
    for (unsigned j = 0; j < form_count; j++)
      if (!skip_form(cursor, forms[j], offset_size) || !contprof_cursor_ok(cursor))
        return i;
    if (cursor->offset == before)
      break; // entries that take no byte: there could be any number
  }
  return count;
}

static void count_files_v5(struct contprof_cursor *cursor, const struct header *header,
                           struct contprof_line_table *table) {
  table->files_from_0 = true;
  skip_entries(cursor, header->offset_size);
  if (contprof_cursor_ok(cursor))
    table->file_count = skip_entries(cursor, header->offset_size);
}

static void take_operands(struct contprof_cursor *cursor, struct header *header) {
  for (unsigned i = 1; i < header->opcode_base; i++)
    header->operands[i] = contprof_take_u8(cursor);
}

// Takes the header but for the files; false if it can't be understood.
static bool take_header(struct contprof_cursor *cursor, struct header *header) {
  header->version = contprof_take_u16(cursor);
  if (header->version < 2 || header->version > 5)
    return false;
  if (header->version >= 5) {
    contprof_take_u8(cursor); // size of addresses
    contprof_take_u8(cursor); // size of segment selectors
  }
  uint64_t length = contprof_take_unsigned(cursor, header->offset_size);
  if (length > contprof_cursor_left(cursor))
    return false;
  header->program = cursor->offset + length;
  header->instruction_length = contprof_take_u8(cursor);
  header->operations = header->version >= 4 ? contprof_take_u8(cursor) : 1;
  header->operations = header->operations ? header->operations : 1;
  contprof_take_u8(cursor); // whether rows begin statements
  header->line_base = (int8_t)contprof_take_u8(cursor);
  header->line_range = contprof_take_u8(cursor);
  header->opcode_base = contprof_take_u8(cursor);
  take_operands(cursor, header);
  return contprof_cursor_ok(cursor);
}

// The length that the table begins with; sets *offset_size to 4 or 8.
static uint64_t take_length(struct contprof_cursor *cursor, uint8_t *offset_size) {
  *offset_size = 4;
  uint64_t length = contprof_take_u32(cursor);
  if (length < 0xfffffff0)
    return length;
  if (length != 0xffffffff) {
    contprof_cursor_corrupt(cursor, "reserved length");
    return 0;
  }
  *offset_size = 8;
  return contprof_take_u64(cursor);
}

static void count_files(const struct contprof_cursor *table_cursor, const struct header *header,
                        struct contprof_line_table *table) {
  struct contprof_error ignored; // a damaged list of files does not spoil the lines
  contprof_error_clear(&ignored);
  struct contprof_cursor cursor = *table_cursor;
  if (header->program < cursor.offset)
    return;
  cursor.error = &ignored;
  cursor.size = header->program;
  if (header->version >= 5)
    count_files_v5(&cursor, header, table);
  else
    count_files_v2(&cursor, table);
}

static int by_high(const void *a, const void *b) {
  uint64_t first = ((const struct contprof_line_sequence *)a)->high;
  uint64_t second = ((const struct contprof_line_sequence *)b)->high;
  return (first > second) - (first < second);
}

void contprof_lines_read(const struct contprof_dwarf_unit *unit,
                         struct contprof_line_table *table) {
  *table = (struct contprof_line_table){0};
  struct contprof_bytes all = unit->file->sections[CONTPROF_DEBUG_LINE];
  if (!unit->has_lines || unit->line_offset >= all.size)
    return;
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor whole =
      contprof_cursor_over(all.bytes + unit->line_offset, all.size - unit->line_offset,
                           unit->line_offset, "", ".debug_line", &error);
  struct header header = {0};
  uint64_t length = take_length(&whole, &header.offset_size);
  if (length > contprof_cursor_left(&whole))
    length = contprof_cursor_left(&whole);
  struct contprof_cursor cursor = contprof_take_sub(&whole, length, ".debug_line");
  if (!contprof_cursor_ok(&cursor) || !take_header(&cursor, &header))
    return;
  count_files(&cursor, &header, table);
  if (contprof_seek(&cursor, header.program))
    run(&cursor, &header, table);
  if (table->sequence_count)
    qsort(table->sequences, table->sequence_count, sizeof *table->sequences, by_high);
}

void contprof_lines_free(struct contprof_line_table *table) {
  free(table->rows);
  free(table->sequences);
  memset(table, 0, sizeof *table);
}

// --- lookups ------------------------------------------------------------------------------------

// The last row of the sequence at or before the address: never the one that ends it. Rows ought to
// be in order; where they are not, this is as good an answer as LLVM's.
static struct contprof_line_place row_at(const struct contprof_line_table *table,
                                         const struct contprof_line_sequence *sequence,
                                         uint64_t address) {
  const struct contprof_line_row *rows = table->rows + sequence->first_row;
  size_t low = 1, high = sequence->row_count - 1;
  high = high > low ? high : low;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (rows[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  struct contprof_line_place place = {rows[low - 1].address, rows[low].address, &rows[low - 1]};
  if (place.start > address || place.end <= address)
    place = (struct contprof_line_place){address, address + 1, &rows[low - 1]};
  return place;
}

struct contprof_line_place contprof_lines_at(const struct contprof_line_table *table,
                                             uint64_t address) {
  size_t low = 0, high = table->sequence_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->sequences[middle].high <= address)
      low = middle + 1;
    else
      high = middle;
  }
  uint64_t before = low ? table->sequences[low - 1].high : 0;
  if (low == table->sequence_count)
    return (struct contprof_line_place){before, UINT64_MAX, NULL};
  const struct contprof_line_sequence *sequence = &table->sequences[low];
  if (sequence->low > address)
    return (struct contprof_line_place){before, sequence->low, NULL};
  struct contprof_line_place place = row_at(table, sequence, address);
  if (place.start < before)
    place.start = before; // below, the sequence before answers
  return place;
}

bool contprof_lines_has_file(const struct contprof_line_table *table,
                             const struct contprof_line_row *row) {
  return table->files_from_0 ? row->file < table->file_count
                             : row->file != 0 && row->file <= table->file_count;
}
