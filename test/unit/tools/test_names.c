#include "tools/base/names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static struct contprof_error error;

static bool read_blob(struct contprof_name_table *table, const void *bytes, size_t size) {
  contprof_error_clear(&error);
  struct contprof_cursor cursor = contprof_cursor_over(bytes, size, 50, "f", "names", &error);
  return contprof_name_table_read(table, &cursor);
}

static bool has(const struct contprof_name_table *table, const char *text) {
  const struct contprof_name *name =
      contprof_name_table_find(table, contprof_name_ref(text, strlen(text)));
  return name && name->length == strlen(text) && memcmp(name->text, text, name->length) == 0;
}

// The digests of RFC 1321, appendix A.5.
Test(names, references_are_the_low_half_of_the_md5) {
  cr_assert_eq(contprof_name_ref("", 0), UINT64_C(0x04b2008fd98c1dd4));
  cr_assert_eq(contprof_name_ref("a", 1), UINT64_C(0xa8b6f1c0b975c10c));
  cr_assert_eq(contprof_name_ref("abc", 3), UINT64_C(0xb04fd23c98500190));
}

Test(names, reads_names_apart) {
  struct contprof_name_table table = {0};
  cr_assert(read_blob(&table, "\x0f\0main\1a.c:helper", 17), "%s", error.message);
  cr_assert_eq(table.count, 2);
  cr_assert(has(&table, "main") && has(&table, "a.c:helper"));
  cr_assert_not(has(&table, "helper"));
  contprof_name_table_free(&table);
}

Test(names, reads_blobs_with_padding_between) {
  struct contprof_name_table table = {0};
  cr_assert(read_blob(&table, "\0\0\1\0a\0\0\0\3\0b\1c\1\0a\0\0", 18), "%s", error.message);
  cr_assert_eq(table.count, 3, "a name that comes twice is kept once");
  cr_assert(has(&table, "a") && has(&table, "b") && has(&table, "c"));
  contprof_name_table_free(&table);
}

Test(names, an_empty_section_has_none) {
  struct contprof_name_table table = {0};
  cr_assert(read_blob(&table, "", 0));
  cr_assert_null(contprof_name_table_find(&table, 1));
  contprof_name_table_free(&table);
}

enum { MANY = 5000 };

static size_t put_many(char *text) {
  size_t size = 0;
  for (int i = 0; i < MANY; i++)
    size += (size_t)sprintf(text + size, "%sfunction_%d", i ? "\1" : "", i);
  return size;
}

static size_t put_uleb(uint8_t *to, size_t value) {
  size_t size = 0;
  for (; value > 127; value >>= 7)
    to[size++] = (uint8_t)(value | 128);
  to[size++] = (uint8_t)value;
  return size;
}

static size_t compress_names(const char *text, size_t size, uint8_t *blob, size_t claimed) {
  static uint8_t compressed[MANY * 24];
  uLongf compressed_size = sizeof compressed;
  cr_assert_eq(compress(compressed, &compressed_size, (const Bytef *)text, size), Z_OK);
  size_t used = put_uleb(blob, claimed);
  used += put_uleb(blob + used, compressed_size);
  memcpy(blob + used, compressed, compressed_size);
  return used + compressed_size;
}

Test(names, reads_compressed_names) {
  static char text[MANY * 24];
  static uint8_t blob[MANY * 24];
  struct contprof_name_table table = {0};
  char name[32];
  size_t size = put_many(text), blob_size = compress_names(text, size, blob, size);
  cr_assert(read_blob(&table, blob, blob_size), "%s", error.message);
  cr_assert_eq(table.count, MANY);
  for (int i = 0; i < MANY; i++) {
    sprintf(name, "function_%d", i);
    cr_assert(has(&table, name));
  }
  contprof_name_table_free(&table);
}

Test(names, refuses_damaged_compression) {
  static char text[MANY * 24];
  static uint8_t blob[MANY * 24];
  struct contprof_name_table table = {0};
  size_t size = put_many(text), blob_size = compress_names(text, size, blob, size - 1);
  cr_assert_not(read_blob(&table, blob, blob_size));
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
  blob_size = compress_names(text, size, blob, size + 1);
  cr_assert_not(read_blob(&table, blob, blob_size));
  blob_size = compress_names(text, size, blob, (size_t)1 << 60);
  cr_assert_not(read_blob(&table, blob, blob_size), "no such memory is asked for");
  blob_size = compress_names(text, size, blob, size);
  blob[blob_size / 2] ^= 0xff;
  cr_assert_not(read_blob(&table, blob, blob_size));
  contprof_name_table_free(&table);
}

Test(names, truncated_at_every_offset) {
  static const char blob[] = "\x0f\0main\1a.c:helper";
  for (size_t size = 1; size < 17; size++) {
    struct contprof_name_table table = {0};
    cr_assert_not(read_blob(&table, blob, size));
    cr_assert_eq(error.code, CONTPROF_TRUNCATED);
    cr_assert_geq(error.offset, 50);
    contprof_name_table_free(&table);
  }
}

// In whatever order they are asked for, with what there is not in between.
Test(names, finds_the_next_one_as_any_other) {
  static const char bytes[] = "\005\000a\001b\001c";
  static const char *const asked[] = {"a", "b", "c", "a", "none", "c", "none", "b", "c"};
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor section =
      contprof_cursor_over(bytes, sizeof bytes - 1, 0, "t", "names", &error);
  struct contprof_name_table table = {0};
  size_t next = 0;
  cr_assert(contprof_name_table_read(&table, &section));
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    uint64_t ref = contprof_name_ref(asked[i], strlen(asked[i]));
    const struct contprof_name *name = contprof_name_table_find_next(&table, ref, &next);
    cr_assert_eq(name, contprof_name_table_find(&table, ref), "%zu", i);
    cr_assert(!name || &table.names[next - 1] == name);
  }
  contprof_name_table_free(&table);
}
