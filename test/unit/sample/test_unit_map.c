// Which unit an address belongs to, of overlapping sets in .debug_aranges, against the rule applied
// to each address by itself.
#include "tools/base/byte_writer.h"
#include "tools/base/mt19937.h"
#include "tools/sample/unit_map.h"

#include <criterion/criterion.h>
#include <string.h>

enum { UNITS = 6, RANGES = 5, ADDRESSES = 120, ROUNDS = 2000 };

static struct contprof_elf_file elf = {.path = "made.elf"};

struct ranges {
  uint64_t starts[UNITS][RANGES];
  uint64_t sizes[UNITS][RANGES];
};

static void put_sets(struct contprof_byte_writer *sets, const struct ranges *ranges) {
  for (uint32_t unit = 0; unit < UNITS; unit++) {
    contprof_put_u32(sets, 12 + 16 * (RANGES + 1));
    contprof_put_u16(sets, 2);
    contprof_put_u32(sets, unit * 100);
    contprof_put_bytes(sets, "\x08\0\0\0\0", 6); // address and segment size; padding
    for (int i = 0; i < RANGES; i++) {
      contprof_put_u64(sets, ranges->starts[unit][i]);
      contprof_put_u64(sets, ranges->sizes[unit][i]);
    }
    contprof_put_u64(sets, 0);
    contprof_put_u64(sets, 0);
  }
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
      return (int)(map->spans[i].of / 100);
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
    struct contprof_byte_writer sets = {0};
    put_sets(&sets, &ranges);
    struct contprof_dwarf_file file = {.elf = &elf, .aranges = {sets.bytes, sets.size}};
    struct contprof_unit_map map;
    contprof_units_map(&file, &map);
    int unit = -1;
    for (uint64_t address = 0; address < ADDRESSES; address++) {
      unit = unit_of(&ranges, address, unit);
      cr_assert_eq(found_unit(&map, address), unit, "round %d, address %lu", round, address);
    }
    contprof_unit_map_free(&map);
    contprof_byte_writer_free(&sets);
  }
}
