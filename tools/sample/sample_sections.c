#include "sample_sections.h"

#include "../base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENTRY_SIZE = 32 }; // bytes of an entry of the table

bool contprof_has_sample_magic(const uint8_t *bytes, uint64_t size,
                               enum contprof_sample_magic format) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor = contprof_cursor_over(bytes, size, 0, NULL, "header", &error);
  return contprof_take_uleb128(&cursor) == (CONTPROF_SAMPLE_MAGIC | (uint64_t)format);
}

static bool take_header(struct contprof_cursor *file) {
  file->section = "header";
  uint64_t magic = contprof_take_uleb128(file), version = contprof_take_uleb128(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (magic != (CONTPROF_SAMPLE_MAGIC | CONTPROF_MAGIC_EXTBINARY))
    return contprof_cursor_corrupt(file, "it is no sample profile in extended binary format");
  if (version == CONTPROF_SAMPLE_VERSION)
    return true;
  return contprof_fail(
      file->error, CONTPROF_UNSUPPORTED, file->file, file->section, file->base + file->offset,
      "version %" PRIu64 " of the format is not known, only %d", version, CONTPROF_SAMPLE_VERSION);
}

static bool take_entry(struct contprof_cursor *file, struct contprof_sample_section *section) {
  section->type = contprof_take_u64(file);
  section->flags = contprof_take_u64(file);
  section->offset = contprof_take_u64(file);
  section->size = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (section->offset <= file->size && section->size <= file->size - section->offset)
    return true;
  return contprof_fail(file->error, CONTPROF_TRUNCATED, file->file, file->section,
                       file->base + file->offset - ENTRY_SIZE,
                       "a section of %" PRIu64 " bytes at %" PRIu64 " ends behind the file's end",
                       section->size, section->offset);
}

bool contprof_sample_sections_read(struct contprof_cursor *file,
                                   struct contprof_sample_sections *sections) {
  *sections = (struct contprof_sample_sections){0};
  if (!take_header(file))
    return false;
  file->section = "section table";
  uint64_t count = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (count > contprof_cursor_left(file) / ENTRY_SIZE)
    return contprof_cursor_corrupt(file, "%" PRIu64 " sections are more than the file has room for",
                                   count);
  if (!count)
    return contprof_cursor_corrupt(file, "there are no sections");
  sections->sections = contprof_need_array(NULL, count, sizeof *sections->sections);
  while (sections->count < count && take_entry(file, &sections->sections[sections->count]))
    sections->count++;
  return contprof_cursor_ok(file);
}

void contprof_sample_sections_free(struct contprof_sample_sections *sections) {
  free(sections->sections);
  *sections = (struct contprof_sample_sections){0};
}
