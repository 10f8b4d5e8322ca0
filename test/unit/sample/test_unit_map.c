// Which unit an address belongs to, of overlapping sets in .debug_aranges, against the rule applied
// to each address by itself.
#include "tools/base/byte_writer.h"
#include "tools/base/mt19937.h"
#include "tools/sample/unit_map.h"

#include <criterion/criterion.h>
#include <string.h>

enum { UNIT = 100, UNITS = 6, RANGES = 5, ADDRESSES = 120, ROUNDS = 2000 };

struct ranges {
  uint64_t starts[UNITS][RANGES];
  uint64_t sizes[UNITS][RANGES];
};

static void put_sets(struct contprof_byte_writer *sets, const struct ranges *ranges) {
  for (uint32_t unit = 0; unit < UNITS; unit++) {
    contprof_put_u32(sets, 12 + 16 * (RANGES + 1));
    contprof_put_u16(sets, 2);
    contprof_put_u32(sets, unit * UNIT);
    contprof_put_bytes(sets, "\x08\0\0\0\0", 6); // address and segment size; padding
    for (int i = 0; i < RANGES; i++) {
      contprof_put_u64(sets, ranges->starts[unit][i]);
      contprof_put_u64(sets, ranges->sizes[unit][i]);
    }
    contprof_put_u64(sets, 0);
    contprof_put_u64(sets, 0);
  }
}

// Units without anything, which are where the sets say.
static void put_units(struct contprof_byte_writer *info) {
  for (uint32_t unit = 0; unit < UNITS; unit++) {
    contprof_put_u32(info, UNIT - 4);
    contprof_put_u16(info, 4);
    contprof_put_u32(info, 0);
    contprof_put_u8(info, 8);
    contprof_put_u8(info, 1);
    while (info->size < (unit + 1) * UNIT)
      contprof_put_u8(info, 0);
  }
}

static void open_units(struct contprof_byte_writer *info, struct contprof_byte_writer *sets,
                       struct contprof_dwarf_file *file) {
  static const uint8_t ROOM[CONTPROF_ELF_PADDING];
  static const uint8_t ABBREVS[CONTPROF_ELF_PADDING + 8] = {1, 0x11}; // a compile unit
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS] = {0};
  put_units(info);
  uint64_t sizes[] = {info->size, sets->size};
  contprof_put_bytes(info, ROOM, sizeof ROOM);
  contprof_put_bytes(sets, ROOM, sizeof ROOM);
  sections[CONTPROF_DEBUG_INFO] = (struct contprof_bytes){info->bytes, sizes[0]};
  sections[CONTPROF_DEBUG_ARANGES] = (struct contprof_bytes){sets->bytes, sizes[1]};
  sections[CONTPROF_DEBUG_ABBREV] = (struct contprof_bytes){ABBREVS, 8};
  contprof_dwarf_open(sections, file);
  cr_assert_eq(file->unit_count, UNITS);
}

static bool covers(const struct ranges *ranges, int unit, uint64_t address) {
  for (int i = 0; i < RANGES; i++)
    if (address - ranges->starts[unit][i] < ranges->sizes[unit][i])
      return true;
  return false;
}

// The unit of the address before goes on where it can; else the first one takes it.
static int unit_of(const struct ranges *ranges, uint64_t address, int before) {
  if (before >= 0 && covers(ranges, before, address))
    return before;
  for (int unit = 0; unit < UNITS; unit++)
    if (covers(ranges, unit, address))
      return unit;
  return -1;
}

static int found_unit(const struct contprof_unit_map *map, uint64_t address) {
  for (size_t i = 0; i < map->span_count; i++)
    if (map->spans[i].start <= address && address < map->spans[i].end)
      return (int)(map->spans[i].of / UNIT);
  return -1;
}

Test(unit_map, as_the_rule_says_address_by_address) {
  struct contprof_mt19937 random = {0};
  for (int round = 0; round < ROUNDS; round++) {
    struct ranges ranges;
    for (int unit = 0; unit < UNITS; unit++)
      for (int i = 0; i < RANGES; i++) {
        ranges.starts[unit][i] = 1 + contprof_mt19937_below(&random, ADDRESSES - 20);
        ranges.sizes[unit][i] = contprof_mt19937_below(&random, 15);
      }
    struct contprof_byte_writer sets = {0}, info = {0};
    put_sets(&sets, &ranges);
    struct contprof_dwarf_file file;
    open_units(&info, &sets, &file);
    struct contprof_unit_map map;
    contprof_units_map(&file, &map);
    int unit = -1;
    for (uint64_t address = 0; address < ADDRESSES; address++) {
      unit = unit_of(&ranges, address, unit);
      cr_assert_eq(found_unit(&map, address), unit, "round %d, address %lu", round, address);
    }
    contprof_unit_map_free(&map);
    contprof_dwarf_close(&file);
    contprof_byte_writer_free(&sets);
    contprof_byte_writer_free(&info);
  }
}
