#include "binary_parts.h"

#include "../base/memory.h"
#include "debug_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What llvm-profgen takes for a page, whatever the machine's is.
enum { PROFGEN_PAGE = 4096 };

// --- segments -----------------------------------------------------------------------------------

static void add_segment(struct contprof_binary *binary, const GElf_Phdr *header,
                        struct contprof_segment *segment, bool *has_text) {
  uint64_t page = header->p_vaddr & ~(uint64_t)(PROFGEN_PAGE - 1);
  *segment = (struct contprof_segment){
      .address = header->p_vaddr,
      .file_offset = header->p_offset,
      .file_size = header->p_filesz,
      .executable = header->p_flags & PF_X,
  };
  // Of a binary that begins at 0 the second one is taken, as there.
  if (!binary->load_base)
    binary->load_base = page;
  if (segment->executable && !*has_text)
    binary->text_base = page;
  *has_text |= segment->executable;
}

static bool read_segments(struct contprof_binary *binary, struct contprof_error *error) {
  size_t count;
  if (elf_getphdrnum(binary->elf.elf, &count))
    return contprof_fail(error, CONTPROF_CORRUPT, binary->elf.path, NULL, CONTPROF_NO_OFFSET,
                         "its program headers can't be read: %s", elf_errmsg(-1));
  if (count > UINT16_MAX)
    return contprof_fail(error, CONTPROF_CORRUPT, binary->elf.path, NULL, CONTPROF_NO_OFFSET,
                         "it has %zu program headers", count);
  struct contprof_segment *segments =
      contprof_arena_zeros(&binary->arena, count + 1, sizeof *segments);
  bool has_text = false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (!gelf_getphdr(binary->elf.elf, (int)i, &header))
      return contprof_fail(error, CONTPROF_CORRUPT, binary->elf.path, NULL, CONTPROF_NO_OFFSET,
                           "a program header can't be read: %s", elf_errmsg(-1));
    if (header.p_type == PT_LOAD)
      add_segment(binary, &header, &segments[binary->image.segment_count++], &has_text);
  }
  binary->image.segments = segments;
  return has_text || contprof_fail(error, CONTPROF_UNSUPPORTED, binary->elf.path, NULL,
                                   CONTPROF_NO_OFFSET, "no executable segment found");
}

static bool open_elf(struct contprof_binary *binary, const char *path,
                     struct contprof_error *error) {
  if (!contprof_elf_open(path, &binary->elf, error))
    return false;
  struct contprof_image *image = &binary->image;
  image->path = binary->elf.path;
  image->position_independent = binary->elf.type == ET_DYN;
  image->build_id_size =
      contprof_elf_build_id(&binary->elf, image->build_id, sizeof image->build_id);
  return read_segments(binary, error);
}

// --- debug information --------------------------------------------------------------------------

static bool has_debug_info(const struct contprof_elf_file *file) {
  return contprof_elf_find(file, ".debug_info") || contprof_elf_find(file, ".zdebug_info");
}

// In the file that elfutils finds; that there is none, or a damaged one, is no error.
static void open_separate(struct contprof_binary *binary) {
  char *path = contprof_debug_file_of(binary->elf.path);
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  if (path)
    contprof_elf_open(path, &binary->debug, &ignored);
  free(path);
}

// Skeleton units stand for others.
static void open_split(struct contprof_binary *binary, const struct contprof_elf_file *file,
                       const char *dwp) {
  bool has_skeletons = false;
  for (size_t i = 0; i < binary->dwarf.unit_count; i++)
    has_skeletons |= binary->dwarf.units[i].has_dwo_id;
  if (!has_skeletons)
    return;
  char *beside = NULL;
  if (asprintf(&beside, "%s.dwp", file->path) < 0)
    contprof_need(NULL);
  binary->split = contprof_dwarf_split_new(dwp ? dwp : beside, &binary->dwarf);
  free(beside);
  binary->missing_dwo = contprof_dwarf_split_attach(binary->split, &binary->dwarf);
}

// Lines of another build are at other addresses: a profile of them would look right and be wrong.
static bool open_named(struct contprof_binary *binary, const char *path,
                       struct contprof_error *error) {
  if (!contprof_elf_open(path, &binary->debug, error))
    return false;
  const struct contprof_image *image = &binary->image;
  uint8_t id[sizeof image->build_id];
  size_t size = contprof_elf_build_id(&binary->debug, id, sizeof id);
  return !size || !image->build_id_size ||
         (size == image->build_id_size && memcmp(id, image->build_id, size) == 0) ||
         contprof_fail(error, CONTPROF_MISMATCH, path, NULL, CONTPROF_NO_OFFSET,
                       "it is the debug information of another build than %s: their build-ids "
                       "differ",
                       binary->elf.path);
}

static bool open_debug(struct contprof_binary *binary,
                       const struct contprof_binary_options *options,
                       struct contprof_error *error) {
  if (options->debug_binary && !open_named(binary, options->debug_binary, error))
    return false;
  if (!options->debug_binary && !has_debug_info(&binary->elf))
    open_separate(binary);
  struct contprof_elf_file *file = binary->debug.elf ? &binary->debug : &binary->elf;
  struct contprof_bytes sections[CONTPROF_DEBUG_SECTIONS];
  contprof_dwarf_sections(file, false, sections);
  contprof_dwarf_open(sections, &binary->dwarf);
  for (size_t i = 0; i < binary->dwarf.unit_count; i++)
    contprof_unit_prepare(&binary->dwarf.units[i]);
  open_split(binary, file, options->dwp);
  return true;
}

// --- a binary -----------------------------------------------------------------------------------

static bool open_all(struct contprof_binary *binary, const struct contprof_binary_options *options,
                     struct contprof_error *error) {
  if (!open_elf(binary, options->path, error) || !open_debug(binary, options, error))
    return false;
  contprof_text_load(&binary->elf, binary->debug.elf ? &binary->debug : NULL, &binary->arena,
                     &binary->text);
  if (!contprof_instructions_open(binary, error))
    return false;
  contprof_functions_load(&binary->dwarf, binary->text_base, &binary->arena, &binary->functions);
  contprof_functions_mark_entries(&binary->functions, &binary->text);
  return true;
}

struct contprof_binary *contprof_binary_open(const struct contprof_binary_options *options,
                                             struct contprof_error *error) {
  struct contprof_binary *binary = contprof_need(calloc(1, sizeof *binary));
  if (open_all(binary, options, error))
    return binary;
  contprof_binary_close(binary);
  return NULL;
}

void contprof_binary_close(struct contprof_binary *binary) {
  if (!binary)
    return;
  contprof_locations_close(binary);
  contprof_instructions_close(binary);
  contprof_dwarf_close(&binary->dwarf);
  if (binary->split)
    contprof_dwarf_split_free(binary->split);
  contprof_elf_close(&binary->debug);
  contprof_elf_close(&binary->elf);
  contprof_arena_free(&binary->arena);
  free(binary);
}

const struct contprof_image *contprof_binary_image(const struct contprof_binary *binary) {
  return &binary->image;
}

size_t contprof_binary_functions(const struct contprof_binary *binary,
                                 const struct contprof_binary_function ***functions) {
  *functions = binary->functions.functions;
  return binary->functions.function_count;
}

size_t contprof_binary_ranges(const struct contprof_binary *binary,
                              const struct contprof_function_range ***ranges) {
  *ranges = binary->functions.ranges;
  return binary->functions.range_count;
}

const struct contprof_function_range *contprof_binary_range_at(const struct contprof_binary *binary,
                                                               uint64_t address) {
  return contprof_functions_range_at(&binary->functions, address);
}

const struct contprof_function_range *
contprof_binary_range_starting(const struct contprof_binary *binary, uint64_t address) {
  const struct contprof_function_range *range = contprof_binary_range_at(binary, address);
  return range && range->start == address ? range : NULL;
}

uint64_t contprof_binary_text_base(const struct contprof_binary *binary) {
  return binary->text_base;
}

uint64_t contprof_binary_load_base(const struct contprof_binary *binary) {
  return binary->load_base;
}

bool contprof_binary_fs_discriminators(const struct contprof_binary *binary) {
  return binary->text.fs_discriminators;
}

size_t contprof_binary_missing_dwo(const struct contprof_binary *binary) {
  return binary->missing_dwo;
}

bool contprof_binary_has_probes(const struct contprof_binary *binary) {
  return contprof_elf_find(&binary->elf, ".pseudo_probe");
}

const struct contprof_error *contprof_binary_unread(const struct contprof_binary *binary) {
  const struct contprof_elf_file *file = binary->debug.elf ? &binary->debug : &binary->elf;
  return file->unread.code == CONTPROF_OK ? NULL : &file->unread;
}
