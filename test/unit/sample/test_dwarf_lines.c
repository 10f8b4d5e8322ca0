// Line tables made by hand: what compilers hardly write, and what is damaged. Those of compilers
// are compared with LLVM's reading in test/e2e/459.
#include "tools/base/byte_writer.h"
#include "tools/base/mt19937.h"
#include "tools/sample/dwarf_lines.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13 };

// The header of DWARF 4 with one file, but for the lengths, which finish() sets.
static void begin(struct contprof_byte_writer *table) {
  static const uint8_t OPERANDS[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  contprof_put_u32(table, 0);
  contprof_put_u16(table, 4);
  contprof_put_u32(table, 0);
  contprof_put_bytes(table, "\x01\x01\x01", 3); // instruction length, operations, is_stmt
  contprof_put_u8(table, (uint8_t)LINE_BASE);
  contprof_put_u8(table, LINE_RANGE);
  contprof_put_u8(table, OPCODE_BASE);
  contprof_put_bytes(table, OPERANDS, sizeof OPERANDS);
  contprof_put_bytes(table, "\0a.c\0\0\0\0\0", 9); // no directory; a.c
  uint32_t header = (uint32_t)table->size - 10;
  memcpy(table->bytes + 6, &header, 4);
}

static void set_address(struct contprof_byte_writer *table, uint64_t address) {
  contprof_put_bytes(table, "\0\x09\x02", 3);
  contprof_put_u64(table, address);
}

// Moves on and makes a row.
static void row(struct contprof_byte_writer *table, unsigned bytes, int lines) {
  contprof_put_u8(table, (uint8_t)(lines - LINE_BASE + LINE_RANGE * (int)bytes + OPCODE_BASE));
}

static void discriminator(struct contprof_byte_writer *table, uint8_t number) {
  contprof_put_bytes(table, "\0\x02\x04", 3);
  contprof_put_u8(table, number);
}

static void end_sequence(struct contprof_byte_writer *table, uint8_t bytes) {
  contprof_put_u8(table, DW_LNS_advance_pc);
  contprof_put_u8(table, bytes);
  contprof_put_bytes(table, "\0\x01\x01", 3);
}

static struct contprof_line_table read_table(struct contprof_byte_writer *table) {
  struct contprof_dwarf_file file = {
      .sections = {[CONTPROF_DEBUG_LINE] = {table->bytes, table->size}}};
  struct contprof_dwarf_unit unit = {.file = &file, .has_lines = true, .address_size = 8};
  struct contprof_line_table lines;
  contprof_lines_read(&unit, &lines);
  return lines;
}

static struct contprof_line_table finish(struct contprof_byte_writer *table) {
  uint32_t length = (uint32_t)table->size - 4;
  memcpy(table->bytes, &length, 4);
  return read_table(table);
}

static void expect_place(const struct contprof_line_table *lines, uint64_t address, uint64_t start,
                         uint64_t end, uint32_t line) {
  struct contprof_line_place place = contprof_lines_at(lines, address);
  cr_expect(place.start == start && place.end == end && (place.row ? place.row->line : 0) == line,
            "%lx: [%lx, %lx) line %u", address, place.start, place.end,
            place.row ? place.row->line : 0);
}

Test(dwarf_lines, the_last_row_at_an_address_holds) {
  struct contprof_byte_writer table = {0};
  begin(&table);
  set_address(&table, 0x1000);
  row(&table, 0, 1); // 1000: line 2
  row(&table, 0, 1); // 1000: line 3
  row(&table, 4, 0); // 1004: line 3 again
  discriminator(&table, 7);
  row(&table, 2, 1); // 1006: line 4, discriminator 7
  row(&table, 2, 0); // 1008: line 4 alone
  end_sequence(&table, 8);
  struct contprof_line_table lines = finish(&table);
  expect_place(&lines, 0x1000, 0x1000, 0x1006, 3);
  expect_place(&lines, 0x1005, 0x1000, 0x1006, 3);
  expect_place(&lines, 0x1006, 0x1006, 0x1008, 4);
  cr_expect_eq(contprof_lines_at(&lines, 0x1007).row->discriminator, 7);
  expect_place(&lines, 0x1008, 0x1008, 0x1010, 4);
  cr_expect_eq(contprof_lines_at(&lines, 0x100f).row->discriminator, 0);
  expect_place(&lines, 0x1010, 0x1010, UINT64_MAX, 0);
  expect_place(&lines, 0xfff, 0, 0x1000, 0);
  cr_expect(contprof_lines_has_file(&lines, contprof_lines_at(&lines, 0x1000).row));
  contprof_lines_free(&lines);
  contprof_byte_writer_free(&table);
}

Test(dwarf_lines, of_overlapping_sequences_the_first_to_end_holds) {
  struct contprof_byte_writer table = {0};
  begin(&table);
  set_address(&table, 0x1000);
  row(&table, 0, 1);
  end_sequence(&table, 0x20);
  set_address(&table, 0x1010);
  row(&table, 0, 2);
  end_sequence(&table, 0x40);
  set_address(&table, UINT64_MAX); // left out by the linker
  row(&table, 0, 3);
  end_sequence(&table, 1);
  struct contprof_line_table lines = finish(&table);
  cr_expect_eq(lines.sequence_count, 2);
  expect_place(&lines, 0x101f, 0x1000, 0x1020, 2);
  expect_place(&lines, 0x1020, 0x1020, 0x1050, 3);
  contprof_lines_free(&lines);
  contprof_byte_writer_free(&table);
}

Test(dwarf_lines, a_file_that_is_not_named_gives_no_line) {
  struct contprof_byte_writer table = {0};
  begin(&table);
  set_address(&table, 0x1000);
  contprof_put_u8(&table, DW_LNS_set_file);
  contprof_put_u8(&table, 2);
  row(&table, 0, 1);
  end_sequence(&table, 4);
  struct contprof_line_table lines = finish(&table);
  cr_expect_not(contprof_lines_has_file(&lines, contprof_lines_at(&lines, 0x1000).row));
  contprof_lines_free(&lines);
  contprof_byte_writer_free(&table);
}

// Every byte at random, and every length: no answer is asked for but that it ends.
Test(dwarf_lines, survives_any_bytes) {
  struct contprof_mt19937 random = {0};
  for (int round = 0; round < 3000; round++) {
    struct contprof_byte_writer table = {0};
    begin(&table);
    set_address(&table, 0x1000);
    for (int i = 0; i < 200; i++)
      contprof_put_u8(&table, (uint8_t)contprof_mt19937_below(&random, 256));
    for (int i = 0; i < 3; i++)
      table.bytes[contprof_mt19937_below(&random, 60)] =
          (uint8_t)contprof_mt19937_below(&random, 256);
    table.size = round % 2 ? table.size : contprof_mt19937_below(&random, 250);
    struct contprof_line_table lines =
        round % 3 || table.size < 4 ? read_table(&table) : finish(&table);
    for (uint64_t at = 0xf00; at < 0x1200; at++) {
      struct contprof_line_place place = contprof_lines_at(&lines, at);
      cr_assert(place.start <= at && at < place.end);
    }
    contprof_lines_free(&lines);
    contprof_byte_writer_free(&table);
  }
}
