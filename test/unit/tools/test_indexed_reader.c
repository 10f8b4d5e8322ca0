#include "made_profile.h"
#include "tools/instr/hot_values.h"
#include "tools/instr/indexed_reader.h"
#include "tools/instr/indexed_writer.h"

#include <criterion/criterion.h>

static struct contprof_error error;

static bool read_bytes(const uint8_t *bytes, size_t size, struct contprof_profile *profile) {
  struct contprof_file_view view = made_view(bytes, size);
  contprof_error_clear(&error);
  bool ok = contprof_indexed_read(&view, profile, &error);
  free((void *)view.bytes);
  return ok;
}

static struct contprof_byte_writer write_made(const struct made_shape *shape, unsigned version) {
  struct contprof_byte_writer out = {0};
  struct contprof_profile profile;
  made_profile(&profile, shape);
  contprof_profile_add_binary_id(&profile, (const uint8_t *)"0123456789", 10);
  contprof_profile_add_binary_id(&profile, (const uint8_t *)"abc", 3);
  contprof_error_clear(&error);
  cr_assert(contprof_indexed_write(&profile, version, false, &out, &error), "%s", error.message);
  contprof_profile_free(&profile);
  return out;
}

// Written hottest first.
static void check_same_site(const struct contprof_value_site *left,
                            const struct contprof_value_site *right) {
  struct contprof_value *wanted = contprof_hot_values(left);
  cr_assert_eq(left->count, right->count);
  for (uint32_t i = 0; i < left->count; i++)
    cr_assert(wanted[i].value == right->values[i].value &&
              wanted[i].count == right->values[i].count);
  free(wanted);
}

static void check_same_sites(const struct contprof_function *a, const struct contprof_function *b) {
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    cr_assert_eq(a->site_count[kind], b->site_count[kind]);
    for (uint32_t i = 0; i < a->site_count[kind]; i++)
      check_same_site(&a->sites[kind][i], &b->sites[kind][i]);
  }
}

static void check_same_function(const struct contprof_function *a,
                                const struct contprof_function *b) {
  cr_assert(b, "%s is there", a->name);
  cr_assert_eq(a->counter_count, b->counter_count);
  cr_assert_eq(memcmp(a->counters, b->counters, a->counter_count * sizeof *a->counters), 0);
  cr_assert_eq(a->bitmap_size, b->bitmap_size);
  cr_assert(!a->bitmap_size || memcmp(a->bitmap, b->bitmap, a->bitmap_size) == 0);
  check_same_sites(a, b);
}

static void check_round_trip(const struct made_shape *shape, unsigned version) {
  struct contprof_profile made, got = {0};
  struct contprof_byte_writer out = write_made(shape, version);
  made_profile(&made, shape);
  cr_assert(read_bytes(out.bytes, out.size, &got), "version %u: %s", version, error.message);
  cr_assert(got.format == CONTPROF_FORMAT_INDEXED && got.version == version);
  cr_assert_eq(got.variant, shape->variant);
  cr_assert_eq(got.function_count, made.function_count);
  cr_assert_eq(got.binary_id_count, version >= 9 ? 2 : 0);
  cr_assert_eq(got.keeps_binary_ids, version >= 9);
  for (size_t i = 0; i < made.function_count; i++)
    check_same_function(made.functions[i], contprof_profile_find_like(&got, made.functions[i]));
  contprof_byte_writer_free(&out);
  contprof_profile_free(&made);
  contprof_profile_free(&got);
}

Test(indexed_reader, gives_back_what_was_written) {
  static const unsigned COUNTS[] = {0, 1, 2, 3, 5, 40, 48, 49, 100, 1000};
  for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
    for (unsigned version = 7; version <= 12; version++) {
      struct made_shape shape = {.functions = COUNTS[i], .values = true};
      shape.bitmaps = version >= 11;
      shape.vtables = version >= 12;
      check_round_trip(&shape, version);
      shape.variant = CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS | CONTPROF_VARIANT_ENTRY_FIRST;
      check_round_trip(&shape, version);
    }
}

static void check_cut(const struct contprof_byte_writer *out, size_t size, size_t needed) {
  struct contprof_profile profile = {0};
  bool ok = read_bytes(out->bytes, size, &profile);
  if (size < needed) {
    cr_assert(!ok, "cut to %zu of %zu bytes", size, out->size);
    cr_assert(*error.message && error.section && strcmp(error.file, "t.profdata") == 0);
    cr_assert_eq(profile.function_count, 0);
  }
  contprof_profile_free(&profile);
}

Test(indexed_reader, names_what_is_missing_from_a_truncated_file) {
  for (unsigned version = 7; version <= 12; version++) {
    struct made_shape shape = {.functions = 6,
                               .values = true,
                               .bitmaps = version >= 11,
                               .vtables = version >= 12,
                               .variant = CONTPROF_VARIANT_IR};
    struct contprof_byte_writer out = write_made(&shape, version);
    for (size_t size = 0; size < out.size; size++)
      check_cut(&out, size, out.size);
    contprof_byte_writer_free(&out);
  }
}

// Bytes in which eight at `offset` are overwritten: any answer is right but a crash or a lie.
static void check_overwritten(struct contprof_byte_writer *out, size_t offset, uint64_t value) {
  struct contprof_profile profile = {0};
  uint8_t saved[8];
  memcpy(saved, out->bytes + offset, 8);
  contprof_patch_u64(out, offset, value);
  if (!read_bytes(out->bytes, out->size, &profile))
    cr_assert(*error.message && error.section);
  contprof_profile_free(&profile);
  memcpy(out->bytes + offset, saved, 8);
}

Test(indexed_reader, survives_any_field_at_its_limits) {
  static const uint64_t VALUES[] = {0, 1, UINT32_MAX, INT64_MAX, UINT64_MAX - 7, UINT64_MAX};
  for (unsigned version = 7; version <= 12; version++) {
    struct made_shape shape = {.functions = 6,
                               .values = true,
                               .bitmaps = version >= 11,
                               .vtables = version >= 12,
                               .variant = CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS};
    struct contprof_byte_writer out = write_made(&shape, version);
    for (size_t offset = 0; offset + 8 <= out.size; offset++)
      for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        check_overwritten(&out, offset, VALUES[i]);
    contprof_byte_writer_free(&out);
  }
}

// A header field with a value that no good file has.
static void check_refused(size_t offset, uint64_t value, enum contprof_code code) {
  struct made_shape shape = {.functions = 6, .values = true};
  struct contprof_byte_writer out = write_made(&shape, 12);
  struct contprof_profile profile = {0};
  contprof_patch_u64(&out, offset, value);
  cr_assert(!read_bytes(out.bytes, out.size, &profile));
  cr_assert_eq(error.code, code, "offset %zu, value %lu: %s", offset, (unsigned long)value,
               error.message);
  contprof_byte_writer_free(&out);
}

Test(indexed_reader, refuses_headers_that_are_wrong) {
  check_refused(0, 0, CONTPROF_CORRUPT);     // magic
  check_refused(8, 3, CONTPROF_UNSUPPORTED); // version
  check_refused(8, 13, CONTPROF_UNSUPPORTED);
  check_refused(24, 1, CONTPROF_CORRUPT); // hash type
  check_refused(32, 1, CONTPROF_CORRUPT); // hash table
  check_refused(32, UINT64_MAX, CONTPROF_CORRUPT);
  check_refused(40, UINT64_MAX, CONTPROF_CORRUPT); // heap profiles
  check_refused(48, UINT64_MAX, CONTPROF_CORRUPT); // binary ids
  check_refused(56, UINT64_MAX, CONTPROF_CORRUPT); // temporal traces
  check_refused(64, UINT64_MAX, CONTPROF_CORRUPT); // vtable names
  check_refused(72, UINT64_MAX, CONTPROF_CORRUPT); // summary fields
  check_refused(80, UINT64_MAX, CONTPROF_CORRUPT); // cutoffs
}

// Versions 4 to 6 have version 7's layout (its header became extensible, no more).
Test(indexed_reader, reads_versions_before_7) {
  struct made_shape shape = {.functions = 10, .values = true};
  for (uint64_t version = 4; version < 7; version++) {
    struct contprof_byte_writer out = write_made(&shape, 7);
    struct contprof_profile profile = {0};
    contprof_patch_u64(&out, 8, version);
    cr_assert(read_bytes(out.bytes, out.size, &profile), "%s", error.message);
    cr_assert(profile.version == version && profile.function_count == 10);
    contprof_byte_writer_free(&out);
    contprof_profile_free(&profile);
  }
}
