// Tables of abbreviations (DWARF 5, 7.5.3), with what of an entry's layout they settle.
#include "dwarf_abbrev.h"

#include "../base/memory.h"

#include <stdlib.h>

struct rooms {
  size_t abbrevs;
  size_t attributes;
  size_t attribute_count;
};

static struct contprof_abbrev_attribute *new_attribute(struct contprof_abbrev_table *table,
                                                       struct rooms *rooms) {
  if (rooms->attribute_count == rooms->attributes) {
    rooms->attributes = rooms->attributes * 2 + 64;
    table->attributes =
        contprof_need_array(table->attributes, rooms->attributes, sizeof *table->attributes);
  }
  return &table->attributes[rooms->attribute_count++];
}

// One pair of name and form; false at the list's end.
static bool take_attribute(struct contprof_cursor *cursor,
                           struct contprof_abbrev_attribute *attribute) {
  *attribute = (struct contprof_abbrev_attribute){
      .name = (uint32_t)contprof_take_uleb128(cursor),
      .form = (uint32_t)contprof_take_uleb128(cursor),
  };
  if (attribute->form == DW_FORM_implicit_const)
    attribute->constant = contprof_take_sleb128(cursor);
  return contprof_cursor_ok(cursor) && (attribute->name || attribute->form);
}

static void take_attributes(struct contprof_cursor *cursor, const struct contprof_form_sizes *sizes,
                            struct contprof_abbrev *abbrev, struct contprof_abbrev_table *table,
                            struct rooms *rooms) {
  struct contprof_abbrev_attribute attribute;
  while (take_attribute(cursor, &attribute)) {
    int size = contprof_form_size(attribute.form, sizes);
    attribute.at = abbrev->size;
    *new_attribute(table, rooms) = attribute;
    abbrev->count++;
    abbrev->has_ranges |= attribute.name == DW_AT_low_pc || attribute.name == DW_AT_ranges;
    if (abbrev->size >= 0)
      abbrev->size = size < 0 ? -1 : abbrev->size + size;
  }
}

// One abbreviation; false at the table's end, or where it is damaged.
static bool take_abbrev(struct contprof_cursor *cursor, const struct contprof_form_sizes *sizes,
                        struct contprof_abbrev_table *table, struct rooms *rooms) {
  struct contprof_abbrev abbrev = {.code = contprof_take_uleb128(cursor)};
  if (!abbrev.code)
    return false;
  abbrev.tag = (uint32_t)contprof_take_uleb128(cursor);
  abbrev.has_children = contprof_take_u8(cursor) != 0;
  abbrev.first = (uint32_t)rooms->attribute_count;
  take_attributes(cursor, sizes, &abbrev, table, rooms);
  if (!contprof_cursor_ok(cursor))
    return false;
  if (table->count == rooms->abbrevs) {
    rooms->abbrevs = rooms->abbrevs * 2 + 32;
    table->abbrevs = contprof_need_array(table->abbrevs, rooms->abbrevs, sizeof *table->abbrevs);
  }
  table->abbrevs[table->count++] = abbrev;
  return true;
}

static int by_code(const void *a, const void *b) {
  uint64_t first = ((const struct contprof_abbrev *)a)->code;
  uint64_t second = ((const struct contprof_abbrev *)b)->code;
  return (first > second) - (first < second);
}

static bool in_order(const struct contprof_abbrev_table *table) {
  for (size_t i = 1; i < table->count; i++)
    if (table->abbrevs[i - 1].code >= table->abbrevs[i].code)
      return false;
  return true;
}

struct contprof_abbrev_table *contprof_abbrevs_load(const struct contprof_dwarf_unit *unit) {
  struct contprof_abbrev_table *table = contprof_need(calloc(1, sizeof *table));
  struct contprof_bytes all = unit->file->abbrev;
  struct contprof_error error;
  contprof_error_clear(&error);
  if (unit->abbrev_offset >= all.size)
    return table;
  struct contprof_cursor cursor =
      contprof_cursor_over(all.bytes + unit->abbrev_offset, all.size - unit->abbrev_offset,
                           unit->abbrev_offset, unit->file->elf->path, ".debug_abbrev", &error);
  struct contprof_form_sizes sizes = contprof_unit_sizes(unit);
  struct rooms rooms = {0};
  while (take_abbrev(&cursor, &sizes, table, &rooms))
    ;
  if (error.code != CONTPROF_OK)
    table->count = 0; // no entry of a unit with a damaged table can be trusted
  if (!in_order(table))
    qsort(table->abbrevs, table->count, sizeof *table->abbrevs, by_code);
  return table;
}

const struct contprof_abbrev *contprof_abbrev_of(const struct contprof_abbrev_table *table,
                                                 uint64_t code) {
  if (!table->count || code < table->abbrevs[0].code)
    return NULL;
  // Compilers number them from 1 on without gaps.
  uint64_t likely = code - table->abbrevs[0].code;
  if (likely < table->count && table->abbrevs[likely].code == code)
    return &table->abbrevs[likely];
  struct contprof_abbrev wanted = {.code = code};
  return bsearch(&wanted, table->abbrevs, table->count, sizeof wanted, by_code);
}

void contprof_unit_drop_abbrevs(struct contprof_dwarf_unit *unit) {
  if (!unit->abbrevs)
    return;
  free(unit->abbrevs->abbrevs);
  free(unit->abbrevs->attributes);
  free(unit->abbrevs);
  unit->abbrevs = NULL;
}
