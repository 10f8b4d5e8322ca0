// Which subroutine an address belongs to, of made-up entries whose ranges overlap in any way,
// against the rule carried out with a plain list. Those of compilers are compared with LLVM's in
// test/e2e/459.
#include "tools/base/byte_writer.h"
#include "tools/base/mt19937.h"
#include "tools/sample/subroutine_map.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ENTRIES = 40, ADDRESSES = 150, ROUNDS = 1500, HEADER = 11 };

// 1: a unit; 2: a subprogram, 3: an inlined call, 4: a block; these have children, two of them
// low_pc (DW_FORM_addr) and high_pc (DW_FORM_data4).
static const char ABBREVS[] = "\x01\x11\x01\0\0"
                              "\x02\x2e\x01\x11\x01\x12\x06\0\0"
                              "\x03\x1d\x01\x11\x01\x12\x06\0\0"
                              "\x04\x0b\x01\0\0";

struct entry {
  uint64_t start;
  uint64_t size;
  uint64_t offset;
  int parent; // -1: none
  uint8_t abbrev;
};

struct made {
  struct entry entries[ENTRIES];
  struct contprof_byte_writer info;
};

// What the bytes of .debug_info say, by `abbrevs`; both get room behind their ends.
static void open_made(struct contprof_byte_writer *info, const char *abbrevs, size_t size,
                      struct contprof_dwarf_file *file) {
  static const uint8_t ROOM[CONTPROF_ELF_PADDING];
  static uint8_t table[256];
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS] = {0};
  memcpy(table, abbrevs, size);
  size_t length = info->size;
  contprof_put_bytes(info, ROOM, sizeof ROOM);
  sections[CONTPROF_DEBUG_INFO] = (struct contprof_bytes){info->bytes, length};
  sections[CONTPROF_DEBUG_ABBREV] = (struct contprof_bytes){table, size};
  contprof_dwarf_open(sections, file);
  cr_assert_eq(file->unit_count, 1);
}

static void put_entry(struct made *made, struct entry *entry) {
  entry->offset = made->info.size;
  contprof_put_u8(&made->info, entry->abbrev);
  if (entry->abbrev == 4)
    return;
  contprof_put_u64(&made->info, entry->start);
  contprof_put_u32(&made->info, (uint32_t)entry->size);
}

// A tree of entries; each ends where chance says.
static void make(struct made *made, struct contprof_mt19937 *random) {
  contprof_put_u32(&made->info, 0);
  contprof_put_u16(&made->info, 4);
  contprof_put_u32(&made->info, 0);
  contprof_put_u8(&made->info, 8);
  contprof_put_u8(&made->info, 1);
  int open = -1;
  for (int i = 0; i < ENTRIES; i++) {
    while (open >= 0 && contprof_mt19937_below(random, 2)) {
      contprof_put_u8(&made->info, 0);
      open = made->entries[open].parent;
    }
    made->entries[i] = (struct entry){
        .start = 1 + contprof_mt19937_below(random, ADDRESSES - 50),
        .size = contprof_mt19937_below(random, 40),
        .parent = open,
        .abbrev = (uint8_t)(2 + contprof_mt19937_below(random, 3)),
    };
    put_entry(made, &made->entries[i]);
    open = i;
  }
  for (; open >= 0; open = made->entries[open].parent)
    contprof_put_u8(&made->info, 0);
  contprof_put_u8(&made->info, 0);
  uint32_t length = (uint32_t)made->info.size - 4;
  memcpy(made->info.bytes, &length, 4);
}

// A map from start to end and entry, without order.
struct plain {
  uint64_t starts[ENTRIES * 2];
  uint64_t ends[ENTRIES * 2];
  int entries[ENTRIES * 2];
  int count;
};

static int last_from(const struct plain *plain, uint64_t start) {
  int found = -1;
  for (int i = 0; i < plain->count; i++)
    if (plain->starts[i] <= start && (found < 0 || plain->starts[i] > plain->starts[found]))
      found = i;
  return found;
}

static void put(struct plain *plain, uint64_t start, uint64_t end, int entry) {
  int at = last_from(plain, start);
  if (at < 0 || plain->starts[at] != start)
    at = plain->count++;
  plain->starts[at] = start;
  plain->ends[at] = end;
  plain->entries[at] = entry;
}

static void lay(struct plain *plain, uint64_t start, uint64_t end, int entry) {
  int under = last_from(plain, start);
  if (under >= 0 && start < plain->ends[under]) {
    if (end < plain->ends[under])
      put(plain, end, plain->ends[under], plain->entries[under]);
    if (start > plain->starts[under])
      plain->ends[under] = start;
  }
  put(plain, start, end, entry);
}

// The offset of the entry at the address; 0 if there is none.
static uint64_t wanted_at(const struct made *made, const struct plain *plain, uint64_t address) {
  int found = last_from(plain, address);
  return found >= 0 && address < plain->ends[found] ? made->entries[plain->entries[found]].offset
                                                    : 0;
}

// The entry around `entry` that is a subroutine, where the one inside is inlined; 0: none.
static uint64_t wanted_caller(const struct made *made, const struct entry *entry) {
  int outer = entry->parent;
  while (outer >= 0 && made->entries[outer].abbrev == 4)
    outer = made->entries[outer].parent;
  return entry->abbrev == 3 && outer >= 0 ? made->entries[outer].offset : 0;
}

static void expect_as_laid(const struct made *made, const struct plain *plain,
                           struct contprof_subroutine_map *map) {
  for (uint64_t address = 0; address < ADDRESSES; address++) {
    uint64_t start, end;
    struct contprof_subroutine *got = contprof_subroutine_at(map, address, &start, &end);
    cr_assert(start <= address && address < end);
    cr_assert_eq(got ? got->die : 0, wanted_at(made, plain, address));
    for (int i = 0; got && i < ENTRIES; i++) {
      if (made->entries[i].offset != got->die)
        continue;
      struct contprof_subroutine *caller = contprof_subroutine_caller(map, got);
      cr_assert_eq(caller ? caller->die : 0, wanted_caller(made, &made->entries[i]));
    }
  }
}

Test(subroutine_map, as_the_rule_says) {
  struct contprof_mt19937 random = {0};
  for (int round = 0; round < ROUNDS; round++) {
    struct made made = {0};
    struct plain plain = {0};
    make(&made, &random);
    for (int i = 0; i < ENTRIES; i++)
      if (made.entries[i].abbrev != 4 && made.entries[i].size)
        lay(&plain, made.entries[i].start, made.entries[i].start + made.entries[i].size, i);
    struct contprof_dwarf_file file;
    open_made(&made.info, ABBREVS, sizeof ABBREVS, &file);
    cr_assert_eq(contprof_die_offset(&file.units[0], &file.units[0].root), HEADER);
    struct contprof_subroutine_map map;
    contprof_subroutines_map(&file.units[0], &map);
    expect_as_laid(&made, &plain, &map);
    contprof_subroutine_map_free(&map);
    contprof_dwarf_close(&file);
    contprof_byte_writer_free(&made.info);
  }
}

// As deep as a file of some megabytes may be.
Test(subroutine_map, survives_any_depth) {
  static const char NESTED[] = "\x01\x11\x01\0\0\x02\x2e\x01\0\0\x03\x1d\x01\x11\x01\x12\x06\0\0";
  enum { DEPTH = 3000000 };
  struct made made = {0};
  contprof_put_u32(&made.info, 7 + 1 + DEPTH + 13);
  contprof_put_u16(&made.info, 4);
  contprof_put_u32(&made.info, 0);
  contprof_put_u8(&made.info, 8);
  contprof_put_u8(&made.info, 1);
  for (int i = 0; i < DEPTH; i++)
    contprof_put_u8(&made.info, 2);
  put_entry(&made, &(struct entry){.start = 16, .size = 16, .abbrev = 3});
  struct contprof_dwarf_file file;
  open_made(&made.info, NESTED, sizeof NESTED, &file);
  struct contprof_subroutine_map map;
  contprof_subroutines_map(&file.units[0], &map);
  uint64_t start, end;
  struct contprof_subroutine *inner = contprof_subroutine_at(&map, 20, &start, &end);
  cr_assert(inner && inner->is_inlined && start == 16 && end == 32);
  struct contprof_subroutine *outer = contprof_subroutine_caller(&map, inner);
  cr_assert(outer && !outer->is_inlined && outer->die == HEADER + DEPTH);
  contprof_subroutine_map_free(&map);
  contprof_dwarf_close(&file);
  contprof_byte_writer_free(&made.info);
}
