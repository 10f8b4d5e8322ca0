#include "text_symbols.h"

#include <stdlib.h>
#include <string.h>

static const char FS_VARIABLE[] = "__llvm_fs_discriminator__";

// --- sections -----------------------------------------------------------------------------------

static bool is_text(const struct contprof_elf_file *elf,
                    const struct contprof_elf_section *section) {
  return section->header.sh_flags & SHF_EXECINSTR && section->header.sh_size > 0 &&
         section->header.sh_size <= elf->size && // or it would not be there, and could be any size
         section->header.sh_size <= UINT64_MAX - section->header.sh_addr &&
         section->header.sh_type != SHT_NOBITS && strcmp(section->name, ".plt") != 0;
}

static bool is_data(const struct contprof_elf_section *section) {
  return section->header.sh_type == SHT_PROGBITS && section->header.sh_flags & SHF_ALLOC &&
         !(section->header.sh_flags & SHF_EXECINSTR) && section->header.sh_size > 0;
}

static int by_address(const void *a, const void *b) {
  uint64_t first = ((const struct contprof_text_section *)a)->address;
  uint64_t second = ((const struct contprof_text_section *)b)->address;
  return (first > second) - (first < second);
}

static void list_sections(struct contprof_elf_file *elf, struct contprof_arena *arena,
                          struct contprof_text *text) {
  text->sections = contprof_arena_zeros(arena, elf->section_count + 1, sizeof *text->sections);
  for (size_t i = 1; i < elf->section_count; i++) {
    struct contprof_elf_section *section = &elf->sections[i];
    if (is_text(elf, section))
      text->sections[text->section_count++] = (struct contprof_text_section){
          .name = section->name,
          .address = section->header.sh_addr,
          .size = section->header.sh_size,
          .section = section,
      };
  }
  qsort(text->sections, text->section_count, sizeof *text->sections, by_address);
}

const struct contprof_text_section *contprof_text_section_at(const struct contprof_text *text,
                                                             uint64_t address) {
  size_t low = 0, high = text->section_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct contprof_text_section *section = &text->sections[middle];
    if (section->address + section->size <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < text->section_count && text->sections[low].address <= address ? &text->sections[low]
                                                                             : NULL;
}

// --- symbols ------------------------------------------------------------------------------------

static Elf_Scn *symbol_table(const struct contprof_elf_file *file) {
  for (size_t i = 1; i < file->section_count; i++)
    if (file->sections[i].header.sh_type == SHT_SYMTAB)
      return elf_getscn(file->elf, i);
  return NULL;
}

// Which section of `text` is number `index` of the ELF file; `count` if none is.
static size_t text_index(const struct contprof_elf_file *elf, const struct contprof_text *text,
                         const size_t *text_of, size_t index) {
  return index < elf->section_count ? text_of[index] : text->section_count;
}

struct symbols {
  struct contprof_elf_file *file; // whose table it is
  Elf_Data *data;
  size_t count;
  size_t strings; // section number of the names
};

static bool open_symbols(struct contprof_elf_file *file, struct symbols *symbols) {
  Elf_Scn *table = file ? symbol_table(file) : NULL;
  GElf_Shdr header;
  if (!table || !gelf_getshdr(table, &header))
    return false;
  Elf_Data *data = elf_getdata(table, NULL);
  if (!data || !data->d_buf)
    return false;
  *symbols = (struct symbols){file, data, data->d_size / sizeof(Elf64_Sym), header.sh_link};
  return true;
}

// Every symbol of a text section is counted or, once there is room, put there.
static void go_through(const struct contprof_elf_file *elf, const struct symbols *symbols,
                       const size_t *text_of, struct contprof_text *text, bool put) {
  for (size_t i = 1; i < symbols->count; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(symbols->data, (int)i, &symbol))
      continue;
    size_t index = text_index(elf, text, text_of, symbol.st_shndx);
    const char *name = elf_strptr(symbols->file->elf, symbols->strings, symbol.st_name);
    if (!put && name && symbol.st_shndx < elf->section_count &&
        is_data(&elf->sections[symbol.st_shndx]) && !strcmp(name, FS_VARIABLE))
      text->fs_discriminators = true;
    if (index == text->section_count)
      continue;
    struct contprof_text_section *section = &text->sections[index];
    if (symbol.st_value < section->address || symbol.st_value - section->address >= section->size)
      continue;
    if (put)
      section->symbols[section->symbol_count] =
          (struct contprof_text_symbol){symbol.st_value, name ? name : ""};
    section->symbol_count++;
  }
}

static int by_symbol(const void *a, const void *b) {
  const struct contprof_text_symbol *first = a, *second = b;
  if (first->address != second->address)
    return first->address > second->address ? 1 : -1;
  return strcmp(first->name, second->name);
}

static void list_symbols(struct contprof_elf_file *elf, const struct symbols *symbols,
                         struct contprof_arena *arena, struct contprof_text *text) {
  size_t *text_of = contprof_arena_zeros(arena, elf->section_count + 1, sizeof *text_of);
  for (size_t i = 0; i < elf->section_count; i++)
    text_of[i] = text->section_count;
  for (size_t i = 0; i < text->section_count; i++)
    text_of[text->sections[i].section - elf->sections] = i;
  go_through(elf, symbols, text_of, text, false);
  for (size_t i = 0; i < text->section_count; i++) {
    struct contprof_text_section *section = &text->sections[i];
    section->symbols =
        contprof_arena_zeros(arena, section->symbol_count + 1, sizeof *section->symbols);
    section->symbol_count = 0;
  }
  go_through(elf, symbols, text_of, text, true);
  for (size_t i = 0; i < text->section_count; i++)
    qsort(text->sections[i].symbols, text->sections[i].symbol_count,
          sizeof *text->sections[i].symbols, by_symbol);
}

void contprof_text_load(struct contprof_elf_file *elf, struct contprof_elf_file *debug,
                        struct contprof_arena *arena, struct contprof_text *text) {
  *text = (struct contprof_text){0};
  list_sections(elf, arena, text);
  struct symbols symbols;
  if (open_symbols(elf, &symbols) || open_symbols(debug, &symbols))
    list_symbols(elf, &symbols, arena, text);
}
