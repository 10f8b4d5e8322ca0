#include "dwarf_split.h"

#include "../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A .dwo or .dwp file.
struct split_file {
  struct split_file *next;  // of all
  struct split_file *other; // whose path falls into the same one of the lists below
  struct contprof_elf_file elf;
  struct contprof_dwarf_file dwarf;
};

// A unit of a package; one in a .dwo belongs to its file's list.
struct packed_unit {
  struct packed_unit *next;
  struct contprof_dwarf_unit unit;
};

enum { LISTS = 4096 }; // a large program has some ten thousand .dwo files

struct contprof_dwarf_split {
  struct split_file *files; // owned
  struct split_file *by_path[LISTS];
  struct split_file *package; // one of them, or NULL
  struct packed_unit *units;  // owned
};

static struct split_file *open_split(struct contprof_dwarf_split *split, const char *path) {
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  struct split_file *file = contprof_need(calloc(1, sizeof *file));
  if (!contprof_elf_open(path, &file->elf, &ignored)) {
    free(file);
    return NULL;
  }
  contprof_dwarf_open(&file->elf, true, &file->dwarf);
  contprof_elf_finish(&file->elf); // there may be more of them than descriptors
  file->next = split->files;
  split->files = file;
  return file;
}

struct contprof_dwarf_split *contprof_dwarf_split_new(const char *package) {
  struct contprof_dwarf_split *split = contprof_need(calloc(1, sizeof *split));
  split->package = open_split(split, package);
  return split;
}

void contprof_dwarf_split_free(struct contprof_dwarf_split *split) {
  while (split->files) {
    struct split_file *file = split->files;
    split->files = file->next;
    contprof_dwarf_close(&file->dwarf);
    contprof_elf_close(&file->elf);
    free(file);
  }
  while (split->units) {
    struct packed_unit *unit = split->units;
    split->units = unit->next;
    contprof_unit_drop_abbrevs(&unit->unit);
    free(unit);
  }
  free(split);
}

// --- the index of a package ---------------------------------------------------------------------

// DWARF 5, 7.3.5.3; https://gcc.gnu.org/wiki/DebugFissionDWP for version 2.
enum {
  INDEX_HEADER = 16,
  SECTION_INFO = 1,
  SECTION_ABBREV = 3,
  SECTION_STR_OFFSETS = 6,
  SECTION_RNGLISTS = 8, // version 5 alone
  SECTION_KINDS = 9,
};

struct index {
  struct contprof_bytes bytes;
  uint32_t version;
  uint64_t columns;
  uint64_t units;
  uint64_t slots;
};

// Where a unit's part of each section is.
struct contributions {
  bool is_there[SECTION_KINDS];
  uint64_t offsets[SECTION_KINDS];
  uint64_t sizes[SECTION_KINDS];
};

// The number of 4 or 8 bytes at `offset`; what is outside is 0. The index is checked as a whole.
static uint64_t index_number(const struct index *index, uint64_t offset, unsigned size) {
  if (offset > index->bytes.size || index->bytes.size - offset < size)
    return 0;
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  struct contprof_cursor cursor =
      contprof_cursor_over(index->bytes.bytes + offset, size, offset, "", "cu_index", &ignored);
  return contprof_take_unsigned(&cursor, size);
}

static bool read_index(struct contprof_bytes bytes, struct index *index) {
  *index = (struct index){.bytes = bytes};
  index->version = (uint32_t)index_number(index, 0, 4);
  if (index->version != 2)
    index->version &= 0xffff; // version 5 is of two bytes, with padding
  index->columns = index_number(index, 4, 4);
  index->units = index_number(index, 8, 4);
  index->slots = index_number(index, 12, 4);
  if ((index->version != 2 && index->version != 5) || bytes.size < INDEX_HEADER)
    return false;
  uint64_t left = bytes.size - INDEX_HEADER;
  // No product here can overflow: all factors are below 2^32, and columns are checked first.
  if (index->columns > left / 4 || index->slots > left / 12)
    return false;
  return index->columns == 0 ||
         (2 * index->units + 1) <= (left - index->slots * 12) / 4 / index->columns;
}

// The row (from 1) of the unit with that signature; 0 if there is none.
static uint64_t find_row(const struct index *index, uint64_t signature) {
  if (!index->slots || index->slots & (index->slots - 1))
    return 0;
  uint64_t mask = index->slots - 1;
  uint64_t slot = signature & mask;
  uint64_t step = ((signature >> 32) & mask) | 1;
  for (uint64_t tries = 0; tries < index->slots; tries++) {
    uint64_t row = index_number(index, INDEX_HEADER + index->slots * 8 + slot * 4, 4);
    if (row == 0)
      return 0;
    if (index_number(index, INDEX_HEADER + slot * 8, 8) == signature)
      return row <= index->units ? row : 0;
    slot = (slot + step) & mask;
  }
  return 0;
}

static struct contributions contributions_of(const struct index *index, uint64_t row) {
  struct contributions parts = {0};
  uint64_t kinds = INDEX_HEADER + index->slots * 12;
  uint64_t offsets = kinds + index->columns * 4;
  uint64_t sizes = offsets + index->units * index->columns * 4;
  for (uint64_t column = 0; column < index->columns; column++) {
    uint64_t kind = index_number(index, kinds + column * 4, 4);
    if (kind >= SECTION_KINDS)
      continue;
    uint64_t cell = ((row - 1) * index->columns + column) * 4;
    parts.is_there[kind] = true;
    parts.offsets[kind] = index_number(index, offsets + cell, 4);
    parts.sizes[kind] = index_number(index, sizes + cell, 4);
  }
  return parts;
}

// --- units --------------------------------------------------------------------------------------

// What a unit takes from its skeleton, and what it has of its own.
static void connect(struct contprof_dwarf_unit *unit, const struct contprof_dwarf_unit *skeleton,
                    const struct contributions *parts) {
  uint64_t header = unit->offset_size == 4 ? 8 : 16; // of string offsets; a list table's is 4 more
  unit->addresses = skeleton->addresses;
  unit->has_address_base = skeleton->has_address_base;
  unit->address_base = skeleton->address_base;
  unit->has_base_address = skeleton->has_base_address;
  unit->base_address = skeleton->base_address;
  if (unit->version >= 5) {
    unit->ranges = unit->file->rnglists;
    unit->ranges_base = parts->offsets[SECTION_RNGLISTS] + header + 4;
    contprof_unit_set_str_offsets(unit, parts->offsets[SECTION_STR_OFFSETS] + header);
  } else {
    unit->ranges = skeleton->file->ranges;
    unit->file->ranges_left += unit->ranges.size;
    unit->ranges_base = 0;
    struct contprof_die die;
    struct contprof_dwarf_value value;
    if (contprof_die_at((struct contprof_dwarf_unit *)skeleton, skeleton->first_die, &die) &&
        contprof_die_find(&die, DW_AT_GNU_ranges_base, &value))
      unit->ranges_base = value.number;
    unit->has_str_offsets = unit->file->str_offsets.size > 0;
    unit->str_offsets_base = parts->offsets[SECTION_STR_OFFSETS];
  }
}

static struct contprof_dwarf_unit *unit_by_index(struct contprof_dwarf_split *split,
                                                 struct contprof_dwarf_file *file,
                                                 const struct contprof_dwarf_unit *skeleton) {
  struct index index;
  uint64_t row = read_index(file->cu_index, &index) ? find_row(&index, skeleton->dwo_id) : 0;
  if (!row)
    return NULL;
  struct contributions parts = contributions_of(&index, row);
  struct contprof_dwarf_unit unit;
  if (!parts.is_there[SECTION_INFO] || !parts.is_there[SECTION_ABBREV] ||
      !contprof_dwarf_unit_header(file, parts.offsets[SECTION_INFO], &unit) || unit.abbrev_offset ||
      parts.sizes[SECTION_INFO] != unit.end - unit.offset)
    return NULL;
  unit.abbrev_offset = parts.offsets[SECTION_ABBREV];
  struct packed_unit *packed = contprof_need(malloc(sizeof *packed));
  *packed = (struct packed_unit){split->units, unit};
  split->units = packed;
  connect(&packed->unit, skeleton, &parts);
  return &packed->unit;
}

// Of DWARF 4, where it is not in the header, the unit's own DIE has it.
static bool has_id(struct contprof_dwarf_unit *unit, uint64_t id) {
  struct contprof_die die;
  struct contprof_dwarf_value value;
  if (!unit->has_dwo_id && contprof_die_at(unit, unit->first_die, &die) &&
      contprof_die_find(&die, DW_AT_GNU_dwo_id, &value))
    unit->has_dwo_id = contprof_value_unsigned(&value, &unit->dwo_id);
  return unit->has_dwo_id && unit->dwo_id == id && !contprof_unit_is_type(unit);
}

static struct contprof_dwarf_unit *unit_in(struct split_file *file,
                                           const struct contprof_dwarf_unit *skeleton) {
  struct contributions none = {0};
  for (size_t i = 0; i < file->dwarf.unit_count; i++) {
    struct contprof_dwarf_unit *unit = &file->dwarf.units[i];
    if (!has_id(unit, skeleton->dwo_id))
      continue;
    connect(unit, skeleton, &none);
    return unit;
  }
  return NULL;
}

// The path of the .dwo, to be freed; NULL if the unit names none.
static char *dwo_path(struct contprof_dwarf_unit *skeleton) {
  struct contprof_die die;
  struct contprof_dwarf_value value;
  if (!contprof_die_at(skeleton, skeleton->first_die, &die) ||
      !contprof_die_find(&die, skeleton->version >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name,
                         &value))
    return NULL;
  const char *name = contprof_value_string(skeleton, &value);
  const char *directory = NULL;
  if (name && name[0] != '/' && contprof_die_find(&die, DW_AT_comp_dir, &value))
    directory = contprof_value_string(skeleton, &value);
  char *path = NULL;
  if (name && asprintf(&path, "%s%s%s", directory ? directory : "",
                       directory && directory[0] ? "/" : "", name) < 0)
    contprof_need(NULL);
  return path;
}

static size_t list_of(const char *path) {
  uint32_t hash = 0x811c9dc5; // FNV-1a
  for (; *path; path++)
    hash = (hash ^ (uint8_t)*path) * 0x01000193;
  return hash % LISTS;
}

// The file of that path, opened once; NULL if it can't be.
static struct split_file *named_file(struct contprof_dwarf_split *split, const char *path) {
  struct split_file **list = &split->by_path[list_of(path)];
  for (struct split_file *file = *list; file; file = file->other)
    if (!strcmp(file->elf.path, path))
      return file;
  struct split_file *file = open_split(split, path);
  if (!file)
    return NULL;
  file->other = *list;
  *list = file;
  return file;
}

static struct contprof_dwarf_unit *find_unit(struct contprof_dwarf_split *split,
                                             struct contprof_dwarf_unit *skeleton) {
  char *path = dwo_path(skeleton);
  if (!path)
    return NULL;
  struct contprof_dwarf_unit *unit = NULL;
  struct split_file *file = split->package ? split->package : named_file(split, path);
  if (file)
    unit = file->dwarf.cu_index.size ? unit_by_index(split, &file->dwarf, skeleton)
                                     : unit_in(file, skeleton);
  free(path);
  return unit;
}

size_t contprof_dwarf_split_attach(struct contprof_dwarf_split *split,
                                   struct contprof_dwarf_file *file) {
  size_t missing = 0;
  for (size_t i = 0; i < file->unit_count; i++) {
    struct contprof_dwarf_unit *unit = &file->units[i];
    if (!unit->has_dwo_id || contprof_unit_is_type(unit))
      continue;
    unit->dwo = find_unit(split, unit);
    missing += !unit->dwo;
  }
  return missing;
}
