#include "sample_binary.h"
#include "sample_body_reader.h"
#include "sample_sections.h"

#include <inttypes.h>

static bool take_header(struct contprof_cursor *file) {
  contprof_take_uleb128(file); // the magic, by which this reader was chosen
  uint64_t version = contprof_take_uleb128(file);
  if (!contprof_cursor_ok(file) || version == CONTPROF_SAMPLE_VERSION)
    return contprof_cursor_ok(file);
  return contprof_fail(
      file->error, CONTPROF_UNSUPPORTED, file->file, file->section, file->base + file->offset,
      "version %" PRIu64 " of the format is not known, only %d", version, CONTPROF_SAMPLE_VERSION);
}

bool contprof_sample_binary_read(const uint8_t *bytes, uint64_t size, const char *file,
                                 struct contprof_sample_profile *profile,
                                 struct contprof_error *error) {
  struct contprof_cursor cursor = contprof_cursor_over(bytes, size, 0, file, "header", error);
  struct contprof_body_reader reader = contprof_body_reader_for(profile);
  if (take_header(&cursor)) {
    cursor.section = "summary";
    if (contprof_take_sample_summary(&cursor) &&
        contprof_take_name_table(&reader, &cursor, CONTPROF_NAMES_AS_TEXT)) {
      cursor.section = "functions";
      contprof_take_functions(&reader, &cursor);
    }
  }
  contprof_body_reader_free(&reader);
  return contprof_cursor_ok(&cursor);
}
