// What libdw gets to see, and the units that it sees in it. libdw is given the sections as they are
// in memory, whole, uncompressed and padded, by an ELF file that never was one: so it does not
// matter whether they come from a file, a part of a package, or out of zstd.
#include "dwarf_unit.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A range takes two bytes at least, and is read up to three times: for functions, units, inlined
// calls.
enum { RANGES_PER_BYTE = 8 };

// In one block, so that it is a table of strings, too: each name begins at a multiple of its room,
// and NO_NAME is an empty one.
static const char NAMES[CONTPROF_DEBUG_SECTIONS][24] = {
    [CONTPROF_DEBUG_INFO] = ".debug_info",
    [CONTPROF_DEBUG_ABBREV] = ".debug_abbrev",
    [CONTPROF_DEBUG_STR] = ".debug_str",
    [CONTPROF_DEBUG_LINE_STR] = ".debug_line_str",
    [CONTPROF_DEBUG_STR_OFFSETS] = ".debug_str_offsets",
    [CONTPROF_DEBUG_ADDR] = ".debug_addr",
    [CONTPROF_DEBUG_RANGES] = ".debug_ranges",
    [CONTPROF_DEBUG_RNGLISTS] = ".debug_rnglists",
    [CONTPROF_DEBUG_ARANGES] = ".debug_aranges",
    [CONTPROF_DEBUG_LINE] = ".debug_line",
};

enum { NO_NAME = sizeof NAMES[0] - 1 };

// --- what libdw sees ----------------------------------------------------------------------------

static bool add_section(Elf *elf, uint32_t type, size_t name, const void *bytes, uint64_t size) {
  Elf_Scn *section = elf_newscn(elf);
  Elf_Data *data = section ? elf_newdata(section) : NULL;
  GElf_Shdr header;
  if (!data || !gelf_getshdr(section, &header))
    return false;
  data->d_buf = (void *)bytes; // only read
  data->d_size = size;
  header.sh_type = type;
  header.sh_name = (uint32_t)name;
  header.sh_size = size;
  return gelf_update_shdr(section, &header) != 0;
}

static bool add_header(Elf *elf) {
  GElf_Ehdr header;
  if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header))
    return false;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shstrndx = 1;
  return gelf_update_ehdr(elf, &header) != 0;
}

static bool add_all(Elf *elf, const struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS]) {
  if (!elf || !add_header(elf) || !add_section(elf, SHT_STRTAB, NO_NAME, NAMES, sizeof NAMES))
    return false;
  for (size_t i = 0; i < CONTPROF_DEBUG_SECTIONS; i++)
    if (sections[i].size &&
        !add_section(elf, SHT_PROGBITS, i * sizeof NAMES[i], sections[i].bytes, sections[i].size))
      return false;
  return true;
}

// An ELF file that is being made needs a descriptor to begin with, and is never written to it.
static Elf *new_elf(void) {
  int descriptor = memfd_create("debug sections", MFD_CLOEXEC);
  if (descriptor < 0)
    return NULL;
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
  close(descriptor);
  return elf;
}

void contprof_dwarf_sections(struct contprof_elf_file *elf, bool is_split,
                             struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS]) {
  size_t count = is_split ? CONTPROF_DEBUG_NOT_IN_SPLIT : CONTPROF_DEBUG_SECTIONS;
  memset(sections, 0, CONTPROF_DEBUG_SECTIONS * sizeof *sections);
  for (size_t i = 0; i < count; i++) {
    char name[sizeof NAMES[i] + sizeof ".dwo"];
    strcpy(name, NAMES[i] + strlen(".debug_"));
    strcat(name, is_split ? ".dwo" : "");
    sections[i] = contprof_elf_debug_bytes(elf, name);
    if (!sections[CONTPROF_DEBUG_INFO].size)
      return;
  }
}

// --- units --------------------------------------------------------------------------------------

// Of units that libdw can't tell the size of, there are none behind.
static bool take_unit(struct contprof_dwarf_file *file, uint64_t offset,
                      struct contprof_dwarf_unit *unit) {
  *unit = (struct contprof_dwarf_unit){.file = file, .offset = offset};
  size_t header;
  if (dwarf_next_unit(file->dwarf, offset, &unit->end, &header, &unit->version, NULL,
                      &unit->address_size, &unit->offset_size, NULL, NULL) ||
      unit->end > file->sections[CONTPROF_DEBUG_INFO].size || offset + header >= unit->end ||
      (unit->address_size != 4 && unit->address_size != 8) ||
      !dwarf_offdie(file->dwarf, offset + header, &unit->root) ||
      dwarf_cu_info(unit->root.cu, NULL, &unit->type, NULL, NULL, &unit->dwo_id, NULL, NULL))
    return false;
  unit->has_dwo_id = unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile;
  return true;
}

static void list_units(struct contprof_dwarf_file *file) {
  size_t room = 0;
  struct contprof_dwarf_unit unit;
  for (uint64_t offset = 0; take_unit(file, offset, &unit); offset = unit.end) {
    if (file->unit_count == room) {
      room = room * 2 + 16;
      file->units = contprof_need_array(file->units, room, sizeof *file->units);
    }
    file->units[file->unit_count++] = unit;
  }
}

void contprof_dwarf_open(const struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS],
                         struct contprof_dwarf_file *file) {
  *file = (struct contprof_dwarf_file){0};
  memcpy(file->sections, sections, sizeof file->sections);
  if (!sections[CONTPROF_DEBUG_INFO].size || !sections[CONTPROF_DEBUG_ABBREV].size)
    return;
  for (size_t i = 0; i < CONTPROF_DEBUG_SECTIONS; i++)
    if (i == CONTPROF_DEBUG_INFO || i == CONTPROF_DEBUG_RANGES || i == CONTPROF_DEBUG_RNGLISTS)
      file->ranges_left += RANGES_PER_BYTE * sections[i].size;
  file->elf = new_elf();
  if (add_all(file->elf, sections))
    file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
  if (file->dwarf)
    list_units(file);
}

void contprof_dwarf_close(struct contprof_dwarf_file *file) {
  dwarf_end(file->dwarf);
  elf_end(file->elf);
  free(file->units);
  memset(file, 0, sizeof *file);
}

struct contprof_dwarf_unit *contprof_dwarf_unit_at(const struct contprof_dwarf_file *file,
                                                   uint64_t offset) {
  size_t low = 0, high = file->unit_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (file->units[middle].end <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < file->unit_count && file->units[low].offset <= offset ? &file->units[low] : NULL;
}

// --- the unit's own entry -----------------------------------------------------------------------

static bool offset_of(Dwarf_Die *die, unsigned name, uint64_t *offset) {
  Dwarf_Attribute attribute;
  return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, offset);
}

static void set_addresses(struct contprof_dwarf_unit *unit) {
  struct contprof_bytes all = unit->file->sections[CONTPROF_DEBUG_ADDR];
  uint64_t base;
  if ((offset_of(&unit->root, DW_AT_addr_base, &base) ||
       offset_of(&unit->root, DW_AT_GNU_addr_base, &base)) &&
      base < all.size)
    unit->addresses = (struct contprof_bytes){all.bytes + base, all.size - base};
}

static void set_base_address(struct contprof_dwarf_unit *unit) {
  Dwarf_Attribute attribute;
  unit->has_base_address = (dwarf_attr(&unit->root, DW_AT_low_pc, &attribute) ||
                            dwarf_attr(&unit->root, DW_AT_entry_pc, &attribute)) &&
                           contprof_attribute_address(unit, &attribute, &unit->base_address);
}

void contprof_unit_set_ranges(struct contprof_dwarf_unit *unit) {
  bool lists = unit->version >= 5;
  unit->ranges = unit->file->sections[lists ? CONTPROF_DEBUG_RNGLISTS : CONTPROF_DEBUG_RANGES];
  // A header stands before the first list's offsets (DWARF 5, 7.28).
  if (lists && !offset_of(&unit->root, DW_AT_rnglists_base, &unit->ranges_base))
    unit->ranges_base = unit->offset_size == 4 ? 12 : 20;
}

void contprof_unit_prepare(struct contprof_dwarf_unit *unit) {
  set_addresses(unit);
  set_base_address(unit);
  contprof_unit_set_ranges(unit);
  unit->has_lines = offset_of(&unit->root, DW_AT_stmt_list, &unit->line_offset);
}
