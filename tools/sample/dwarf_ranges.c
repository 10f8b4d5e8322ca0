// Address ranges of entries: low and high PC, .debug_ranges (DWARF 4, 2.17.3) and .debug_rnglists
// (DWARF 5, 2.17.3 and 7.25). DWARFDie::getAddressRanges, DWARFDebugRangeList.cpp,
// DWARFDebugRnglists.cpp. Linkers set ranges of code that they left out to "tombstones".
#include "dwarf_unit.h"

#include "../base/cursor.h"
#include "../base/memory.h"

static void add(struct contprof_address_ranges *ranges, uint64_t start, uint64_t end) {
  if (ranges->count == ranges->room) {
    ranges->room = ranges->room * 2 + 8;
    ranges->ranges = contprof_need_array(ranges->ranges, ranges->room, sizeof *ranges->ranges);
  }
  ranges->ranges[ranges->count++] = (struct contprof_address_range){start, end};
}

static uint64_t tombstone(const struct contprof_dwarf_unit *unit) {
  return unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
}

// What a list's offsets count from, as it goes on.
struct base {
  bool is_set;
  uint64_t address;
};

static struct contprof_cursor lists(const struct contprof_dwarf_unit *unit, uint64_t offset,
                                    struct contprof_error *error) {
  contprof_error_clear(error);
  return contprof_cursor_over(unit->ranges.bytes + offset, unit->ranges.size - offset, offset, "",
                              "range lists", error);
}

static bool may_read_more(const struct contprof_dwarf_unit *unit) {
  if (!unit->file->ranges_left)
    return false;
  unit->file->ranges_left--;
  return true;
}

// --- DWARF 4 ------------------------------------------------------------------------------------

// One entry of a .debug_ranges list.
static void add_pair(const struct contprof_dwarf_unit *unit, uint64_t start, uint64_t end,
                     struct base *base, struct contprof_address_ranges *ranges) {
  if (start == tombstone(unit)) {
    *base = (struct base){true, end};
    return;
  }
  // The highest address selects a base, so the one below it is the tombstone.
  uint64_t gone = tombstone(unit) - 1;
  if (start == gone || (base->is_set && base->address == gone))
    return;
  uint64_t from = base->is_set ? base->address : 0;
  add(ranges, from + start, from + end);
}

static bool read_pairs(const struct contprof_dwarf_unit *unit, uint64_t offset,
                       struct contprof_address_ranges *ranges) {
  if (offset >= unit->ranges.size)
    return false;
  struct contprof_error error;
  struct contprof_cursor cursor = lists(unit, offset, &error);
  struct base base = {unit->has_base_address, unit->base_address};
  for (;;) {
    uint64_t start = contprof_take_unsigned(&cursor, unit->address_size);
    uint64_t end = contprof_take_unsigned(&cursor, unit->address_size);
    if (!contprof_cursor_ok(&cursor) || !may_read_more(unit))
      return false;
    if (!start && !end)
      return true;
    add_pair(unit, start, end, &base, ranges);
  }
}

// --- DWARF 5 ------------------------------------------------------------------------------------

static uint64_t pooled(const struct contprof_dwarf_unit *unit, uint64_t index, uint64_t otherwise) {
  uint64_t address;
  return contprof_unit_address(unit, (uint32_t)index, &address) ? address : otherwise;
}

static void add_offset_pair(const struct contprof_dwarf_unit *unit, uint64_t start, uint64_t end,
                            const struct base *base, struct contprof_address_ranges *ranges) {
  uint64_t gone = tombstone(unit);
  if (start == gone || (base->is_set && base->address == gone))
    return;
  uint64_t from = base->is_set ? base->address : 0;
  if (from + start != gone)
    add(ranges, from + start, from + end);
}

static void add_range(const struct contprof_dwarf_unit *unit, uint64_t start, uint64_t end,
                      struct contprof_address_ranges *ranges) {
  if (start != tombstone(unit))
    add(ranges, start, end);
}

// Takes one entry of the kind (DW_RLE_). False at the list's end; an unknown kind is an error.
static bool take_entry(const struct contprof_dwarf_unit *unit, struct contprof_cursor *cursor,
                       uint8_t kind, struct base *base, struct contprof_address_ranges *ranges) {
  uint64_t start;
  switch (kind) {
  case DW_RLE_end_of_list:
    return false;
  case DW_RLE_base_addressx:
    start = contprof_take_uleb128(cursor);
    *base = (struct base){true, pooled(unit, start, start)};
    return true;
  case DW_RLE_startx_endx:
    start = pooled(unit, contprof_take_uleb128(cursor), 0);
    add_range(unit, start, pooled(unit, contprof_take_uleb128(cursor), 0), ranges);
    return true;
  case DW_RLE_startx_length:
    start = pooled(unit, contprof_take_uleb128(cursor), 0);
    add_range(unit, start, start + contprof_take_uleb128(cursor), ranges);
    return true;
  case DW_RLE_offset_pair:
    start = contprof_take_uleb128(cursor);
    add_offset_pair(unit, start, contprof_take_uleb128(cursor), base, ranges);
    return true;
  case DW_RLE_base_address:
    *base = (struct base){true, contprof_take_unsigned(cursor, unit->address_size)};
    return true;
  case DW_RLE_start_end:
    start = contprof_take_unsigned(cursor, unit->address_size);
    add_range(unit, start, contprof_take_unsigned(cursor, unit->address_size), ranges);
    return true;
  case DW_RLE_start_length:
    start = contprof_take_unsigned(cursor, unit->address_size);
    add_range(unit, start, start + contprof_take_uleb128(cursor), ranges);
    return true;
  default:
    return contprof_cursor_corrupt(cursor, "unknown kind of range, %u", kind);
  }
}

static bool read_list(const struct contprof_dwarf_unit *unit, uint64_t offset,
                      struct contprof_address_ranges *ranges) {
  if (offset >= unit->ranges.size)
    return false;
  struct contprof_error error;
  struct contprof_cursor cursor = lists(unit, offset, &error);
  struct base base = {unit->has_base_address, unit->base_address};
  while (take_entry(unit, &cursor, contprof_take_u8(&cursor), &base, ranges) &&
         contprof_cursor_ok(&cursor))
    if (!may_read_more(unit))
      return false;
  return contprof_cursor_ok(&cursor);
}

// The list that DW_FORM_rnglistx means: the table of offsets stands at the base.
static bool read_indexed_list(const struct contprof_dwarf_unit *unit, uint64_t index,
                              struct contprof_address_ranges *ranges) {
  uint64_t size = unit->offset_size;
  if (unit->ranges_base > unit->ranges.size ||
      index >= (unit->ranges.size - unit->ranges_base) / size)
    return false;
  struct contprof_error error;
  struct contprof_cursor cursor = lists(unit, unit->ranges_base + index * size, &error);
  uint64_t offset = contprof_take_unsigned(&cursor, (unsigned)size);
  return offset < unit->ranges.size && read_list(unit, unit->ranges_base + offset, ranges);
}

// --- entries ------------------------------------------------------------------------------------

// DWARFDie::getLowAndHighPC: DW_AT_high_pc is an address or a size.
static bool low_and_high(const struct contprof_dwarf_unit *unit, Dwarf_Die *die, uint64_t *low,
                         uint64_t *high) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr(die, DW_AT_low_pc, &attribute) ||
      !contprof_attribute_address(unit, &attribute, low) || *low == tombstone(unit) ||
      !dwarf_attr(die, DW_AT_high_pc, &attribute))
    return false;
  if (contprof_attribute_address(unit, &attribute, high))
    return true;
  if (dwarf_formudata(&attribute, high))
    return false;
  *high += *low;
  return true;
}

static bool read_ranges(const struct contprof_dwarf_unit *unit, Dwarf_Die *die,
                        struct contprof_address_ranges *ranges) {
  Dwarf_Attribute attribute;
  uint64_t offset;
  if (!dwarf_attr(die, DW_AT_ranges, &attribute))
    return true;
  if (dwarf_formudata(&attribute, &offset))
    return false;
  if (dwarf_whatform(&attribute) == DW_FORM_rnglistx)
    return read_indexed_list(unit, offset, ranges);
  if (unit->version >= 5)
    return read_list(unit, offset, ranges);
  return offset <= UINT64_MAX - unit->ranges_base &&
         read_pairs(unit, unit->ranges_base + offset, ranges);
}

bool contprof_die_ranges(const struct contprof_dwarf_unit *unit, Dwarf_Die *die,
                         struct contprof_address_ranges *ranges) {
  uint64_t low, high;
  ranges->count = 0;
  if (low_and_high(unit, die, &low, &high)) {
    add(ranges, low, high);
    return true;
  }
  if (read_ranges(unit, die, ranges))
    return true;
  ranges->count = 0;
  return false;
}
