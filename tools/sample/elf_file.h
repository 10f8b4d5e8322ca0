// An ELF file of x86-64 or AArch64 through libelf: its segments, the sections' headers and, read
// when they are asked for and uncompressed, the sections' bytes. Everything is a private copy; the
// file may change or go away once it is open. Not thread-safe.
#ifndef CONTPROF_SAMPLE_ELF_FILE_H
#define CONTPROF_SAMPLE_ELF_FILE_H

#include "../base/arena.h"
#include "../base/error.h"

#include <gelf.h>
#include <stddef.h>

struct contprof_bytes {
  const uint8_t *bytes; // not owned
  uint64_t size;
};

// How many zeros stand behind a section's bytes in memory. libdw 0.188 reads numbers without
// looking for the section's end first, up to 20 bytes in a row, and strings without looking for it
// at all.
enum { CONTPROF_ELF_PADDING = 64 };

struct contprof_elf_section {
  const char *name;           // in the file's arena; "" if it has none
  GElf_Shdr header;           // as in the file
  struct contprof_bytes data; // private: its bytes once they have been read; owned
  bool is_read;               // private
};

struct contprof_elf_file {
  const char *path;                      // as given; in the arena
  uint16_t machine;                      // EM_X86_64 or EM_AARCH64
  uint64_t size;                         // of the file, bytes
  uint16_t type;                         // ET_EXEC, ET_DYN or ET_REL
  Elf *elf;                              // owned
  int descriptor;                        // owned; -1 if there is none
  struct contprof_elf_section *sections; // section_count of them, the null section first; arena
  size_t section_count;
  struct contprof_error unread; // the first section of debug information that can't be read
  struct contprof_arena arena;  // private
};

// A zeroed struct is no file. Fills `file`, or returns false with `error` set and `file` zeroed.
bool contprof_elf_open(const char *path, struct contprof_elf_file *file,
                       struct contprof_error *error);
void contprof_elf_close(struct contprof_elf_file *file);

// Closes the descriptor; only bytes that have been read already can be had from then on.
void contprof_elf_finish(struct contprof_elf_file *file);

// The first section of that name that has a place in the file, or NULL.
struct contprof_elf_section *contprof_elf_find(const struct contprof_elf_file *file,
                                               const char *name);

// The bytes of a section as they were before any compression (SHF_COMPRESSED with zlib or zstd,
// .zdebug_), CONTPROF_ELF_PADDING zeros behind them. They live as long as the file. Returns false
// with `error` set if they can't be had.
bool contprof_elf_bytes(struct contprof_elf_file *file, struct contprof_elf_section *section,
                        struct contprof_bytes *bytes, struct contprof_error *error);

// The bytes of the section named ".debug_" and `name`, also where it is called ".zdebug_"; none if
// it is not there or, which `unread` tells then, can't be read.
struct contprof_bytes contprof_elf_debug_bytes(struct contprof_elf_file *file, const char *name);

// The GNU build-id from the notes, up to `room` bytes of it. Returns how many it has, 0 for none.
size_t contprof_elf_build_id(struct contprof_elf_file *file, uint8_t *id, size_t room);

#endif
