#include "dwarf_split.h"

#include "../base/cursor.h"
#include "../base/memory.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A .dwo or .dwp file.
struct split_file {
  struct split_file *next;
  struct contprof_elf_file elf;
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS];
  struct contprof_bytes cu_index;   // of a package
  struct contprof_dwarf_file dwarf; // of a .dwo
};

// A unit of a package, with the parts of the sections that are its own.
struct packed_unit {
  struct packed_unit *next;
  struct contprof_dwarf_file dwarf;
};

struct contprof_dwarf_split {
  struct split_file *files;     // owned
  void *by_path;                // those that units name, in a tree: there may be thousands
  struct split_file *package;   // one of them, or NULL
  struct packed_unit *units;    // owned
  struct contprof_bytes ranges; // of the file with the skeletons, as split units of DWARF 4 use it
};

static struct split_file *open_split(struct contprof_dwarf_split *split, const char *path) {
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  struct split_file *file = contprof_need(calloc(1, sizeof *file));
  if (!contprof_elf_open(path, &file->elf, &ignored)) {
    free(file);
    return NULL;
  }
  contprof_dwarf_sections(&file->elf, true, file->sections);
  file->sections[CONTPROF_DEBUG_RANGES] = split->ranges;
  file->cu_index = contprof_elf_debug_bytes(&file->elf, "cu_index");
  if (!file->cu_index.size)
    contprof_dwarf_open(file->sections, &file->dwarf);
  contprof_elf_finish(&file->elf); // there may be more of them than descriptors
  file->next = split->files;
  split->files = file;
  return file;
}

struct contprof_dwarf_split *contprof_dwarf_split_new(const char *package,
                                                      const struct contprof_dwarf_file *skeletons) {
  struct contprof_dwarf_split *split = contprof_need(calloc(1, sizeof *split));
  split->ranges = skeletons->sections[CONTPROF_DEBUG_RANGES];
  split->package = open_split(split, package);
  return split;
}

static void keep(void *file) { // in a tree that is taken down: the list owns it
  (void)file;
}

void contprof_dwarf_split_free(struct contprof_dwarf_split *split) {
  tdestroy(split->by_path, keep);
  while (split->units) {
    struct packed_unit *unit = split->units;
    split->units = unit->next;
    contprof_dwarf_close(&unit->dwarf);
    free(unit);
  }
  while (split->files) {
    struct split_file *file = split->files;
    split->files = file->next;
    contprof_dwarf_close(&file->dwarf);
    contprof_elf_close(&file->elf);
    free(file);
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
};

struct index {
  struct contprof_bytes bytes;
  uint32_t version;
  uint64_t columns;
  uint64_t units;
  uint64_t slots;
};

// The number of 4 or 8 bytes at `offset`; what is outside is 0. The index is checked as a whole.
static uint64_t index_number(const struct index *index, uint64_t offset, unsigned size) {
  uint64_t number = 0;
  contprof_unsigned_at(index->bytes.bytes, index->bytes.size, offset, size, &number);
  return number;
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

// The part of a whole section that the unit in that row has; none if that can't be.
static struct contprof_bytes part_of(const struct index *index, uint64_t row, uint32_t kind,
                                     struct contprof_bytes whole) {
  uint64_t kinds = INDEX_HEADER + index->slots * 12;
  uint64_t offsets = kinds + index->columns * 4;
  uint64_t sizes = offsets + index->units * index->columns * 4;
  uint64_t column = 0;
  while (column < index->columns && index_number(index, kinds + column * 4, 4) != kind)
    column++;
  uint64_t cell = ((row - 1) * index->columns + column) * 4;
  uint64_t offset = index_number(index, offsets + cell, 4);
  uint64_t size = index_number(index, sizes + cell, 4);
  if (column == index->columns || offset > whole.size || size > whole.size - offset)
    return (struct contprof_bytes){NULL, 0};
  return (struct contprof_bytes){whole.bytes + offset, size};
}

// Makes whole sections the parts that the unit with that id has; false if there is none.
static bool take_parts(struct contprof_bytes cu_index, uint64_t id,
                       struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS]) {
  static const uint32_t KINDS[][2] = {{SECTION_INFO, CONTPROF_DEBUG_INFO},
                                      {SECTION_ABBREV, CONTPROF_DEBUG_ABBREV},
                                      {SECTION_STR_OFFSETS, CONTPROF_DEBUG_STR_OFFSETS},
                                      {SECTION_RNGLISTS, CONTPROF_DEBUG_RNGLISTS}};
  struct index index;
  uint64_t row = read_index(cu_index, &index) ? find_row(&index, id) : 0;
  for (size_t i = 0; row && i < sizeof KINDS / sizeof *KINDS; i++)
    sections[KINDS[i][1]] = part_of(&index, row, KINDS[i][0], sections[KINDS[i][1]]);
  return row;
}

// --- units --------------------------------------------------------------------------------------

// What a unit takes from its skeleton.
static struct contprof_dwarf_unit *connect(struct contprof_dwarf_unit *unit,
                                           struct contprof_dwarf_unit *skeleton) {
  unit->addresses = skeleton->addresses;
  unit->has_base_address = skeleton->has_base_address;
  unit->base_address = skeleton->base_address;
  contprof_unit_set_ranges(unit);
  if (unit->version < 5)
    unit->ranges_base = contprof_die_number(&skeleton->root, DW_AT_GNU_ranges_base);
  return unit;
}

static struct contprof_dwarf_unit *packed_unit(struct contprof_dwarf_split *split,
                                               const struct split_file *file, uint64_t id) {
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS];
  memcpy(sections, file->sections, sizeof sections);
  if (!take_parts(file->cu_index, id, sections))
    return NULL;
  struct packed_unit *packed = contprof_need(calloc(1, sizeof *packed));
  packed->next = split->units;
  split->units = packed;
  contprof_dwarf_open(sections, &packed->dwarf);
  struct contprof_dwarf_unit *unit = packed->dwarf.units;
  return unit && unit->end == sections[CONTPROF_DEBUG_INFO].size ? unit : NULL;
}

static struct contprof_dwarf_unit *unit_in(const struct contprof_dwarf_file *file, uint64_t id) {
  for (size_t i = 0; i < file->unit_count; i++)
    if (file->units[i].has_dwo_id && file->units[i].dwo_id == id)
      return &file->units[i];
  return NULL;
}

// The path of the .dwo, to be freed; NULL if the unit names none.
static char *dwo_path(struct contprof_dwarf_unit *skeleton) {
  const char *name = contprof_die_string(
      &skeleton->root, skeleton->version >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
  const char *directory = NULL;
  if (name && name[0] != '/')
    directory = contprof_die_string(&skeleton->root, DW_AT_comp_dir);
  char *path = NULL;
  if (name && asprintf(&path, "%s%s%s", directory ? directory : "",
                       directory && directory[0] ? "/" : "", name) < 0)
    contprof_need(NULL);
  return path;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct split_file *)a)->elf.path, ((const struct split_file *)b)->elf.path);
}

// The file of that path, opened once; NULL if it can't be.
static struct split_file *named_file(struct contprof_dwarf_split *split, const char *path) {
  struct split_file wanted = {.elf = {.path = path}};
  struct split_file **known = tfind(&wanted, &split->by_path, by_path);
  struct split_file *file = known ? *known : open_split(split, path);
  if (file && !known)
    contprof_need(tsearch(file, &split->by_path, by_path));
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
    unit = file->cu_index.size ? packed_unit(split, file, skeleton->dwo_id)
                               : unit_in(&file->dwarf, skeleton->dwo_id);
  free(path);
  return unit ? connect(unit, skeleton) : NULL;
}

size_t contprof_dwarf_split_attach(struct contprof_dwarf_split *split,
                                   struct contprof_dwarf_file *file) {
  size_t missing = 0;
  for (size_t i = 0; i < file->unit_count; i++) {
    struct contprof_dwarf_unit *unit = &file->units[i];
    if (!unit->has_dwo_id)
      continue;
    unit->dwo = find_unit(split, unit);
    missing += !unit->dwo;
  }
  return missing;
}
