// The table of sections of an extended binary sample profile.
#include "../../../tools/base/byte_writer.h"
#include "../../../tools/sample/sample_sections.h"

#include <criterion/criterion.h>

static struct contprof_byte_writer bytes;
static struct contprof_sample_sections sections;
static struct contprof_error error;

static void begin(uint64_t magic, uint64_t version, uint64_t count) {
  contprof_put_uleb128(&bytes, magic);
  contprof_put_uleb128(&bytes, version);
  contprof_put_u64(&bytes, count);
}

static void entry(uint64_t type, uint64_t offset, uint64_t size) {
  contprof_put_u64(&bytes, type);
  contprof_put_u64(&bytes, CONTPROF_FLAG_COMPRESSED);
  contprof_put_u64(&bytes, offset);
  contprof_put_u64(&bytes, size);
}

static bool take(void) {
  contprof_error_clear(&error);
  struct contprof_cursor cursor =
      contprof_cursor_over(bytes.bytes, bytes.size, 0, "file", "", &error);
  return contprof_sample_sections_read(&cursor, &sections);
}

static void clean(void) {
  contprof_sample_sections_free(&sections);
  contprof_byte_writer_free(&bytes);
}

#define MAGIC (CONTPROF_SAMPLE_MAGIC | CONTPROF_MAGIC_EXTBINARY)

Test(sample_sections, reads_the_table, .fini = clean) {
  begin(MAGIC, 103, 2);
  entry(CONTPROF_SECTION_NAMES, 0, 3);
  entry(99, 3, 0);
  cr_assert(take());
  cr_assert_eq(sections.count, 2);
  cr_assert_eq(sections.sections[0].type, CONTPROF_SECTION_NAMES);
  cr_assert_eq(sections.sections[0].flags, CONTPROF_FLAG_COMPRESSED);
  cr_assert_eq(sections.sections[0].size, 3);
  cr_assert_eq(sections.sections[1].offset, 3);
}

Test(sample_sections, knows_the_formats_apart, .fini = clean) {
  begin(MAGIC, 103, 0);
  cr_assert(contprof_has_sample_magic(bytes.bytes, bytes.size, CONTPROF_MAGIC_EXTBINARY));
  cr_assert_not(contprof_has_sample_magic(bytes.bytes, bytes.size, CONTPROF_MAGIC_BINARY));
  cr_assert_not(contprof_has_sample_magic(bytes.bytes, 3, CONTPROF_MAGIC_EXTBINARY));
}

Test(sample_sections, refuses_other_files, .fini = clean) {
  begin(CONTPROF_SAMPLE_MAGIC | CONTPROF_MAGIC_BINARY, 103, 0);
  cr_assert_not(take());
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
}

Test(sample_sections, refuses_other_versions, .fini = clean) {
  begin(MAGIC, 104, 0);
  cr_assert_not(take());
  cr_assert_eq(error.code, CONTPROF_UNSUPPORTED);
}

Test(sample_sections, refuses_a_table_without_room, .fini = clean) {
  begin(MAGIC, 103, UINT64_MAX);
  entry(1, 0, 0);
  cr_assert_not(take());
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
}

Test(sample_sections, refuses_an_empty_table, .fini = clean) {
  begin(MAGIC, 103, 0);
  cr_assert_not(take());
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
}

Test(sample_sections, refuses_sections_behind_the_end, .fini = clean) {
  begin(MAGIC, 103, 1);
  entry(1, UINT64_MAX, 2);
  cr_assert_not(take());
  cr_assert_eq(error.code, CONTPROF_TRUNCATED);
}

Test(sample_sections, refuses_a_cut_file, .fini = clean) {
  begin(MAGIC, 103, 1);
  entry(1, 0, 0);
  while (bytes.size--) {
    cr_assert_not(take(), "%zu bytes", bytes.size);
    contprof_sample_sections_free(&sections);
  }
  bytes.size = 0;
}
