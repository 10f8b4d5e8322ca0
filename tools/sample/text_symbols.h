// The executable sections of a binary and the symbols in them, between which code is decoded, as
// llvm-profgen does it (ProfiledBinary::disassemble). Immutable once loaded.
#ifndef CONTPROF_SAMPLE_TEXT_SYMBOLS_H
#define CONTPROF_SAMPLE_TEXT_SYMBOLS_H

#include "elf_file.h"

struct contprof_text_symbol {
  uint64_t address;
  const char *name; // in the ELF file
};

struct contprof_text_section {
  const char *name; // in the ELF file
  uint64_t address;
  uint64_t size;                        // bytes
  struct contprof_text_symbol *symbols; // symbol_count of them, by address; in the arena
  size_t symbol_count;
  struct contprof_elf_section *section; // of the ELF file, for its bytes
};

struct contprof_text {
  struct contprof_text_section *sections; // section_count of them, by address; in the arena
  size_t section_count;
  bool fs_discriminators; // the symbol __llvm_fs_discriminator__ stands in a data section
};

// Reads `elf`'s sections but .plt and empty ones, and the symbols of its .symtab, or, where it is
// stripped, of `debug`'s (NULL: none), which must have the same sections. All of it lives as long
// as the files and `arena`.
void contprof_text_load(struct contprof_elf_file *elf, struct contprof_elf_file *debug,
                        struct contprof_arena *arena, struct contprof_text *text);

// The section that holds the address, or NULL.
const struct contprof_text_section *contprof_text_section_at(const struct contprof_text *text,
                                                             uint64_t address);

#endif
