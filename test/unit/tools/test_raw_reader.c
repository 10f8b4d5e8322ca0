#include "raw_bytes.h"

#include "tools/instr/raw_reader.h"

#include <criterion/criterion.h>

static struct contprof_error error;

static bool read_bytes(const uint8_t *bytes, size_t size, struct contprof_profile *profile) {
  // A copy of exactly this size, so that the address sanitizer sees a byte read past the end.
  uint8_t *copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  struct contprof_file_view view = {.path = "t.profraw", .bytes = copy, .size = size};
  contprof_error_clear(&error);
  bool ok = contprof_raw_read(&view, profile, &error);
  free(copy);
  return ok;
}

static const struct contprof_function *find(const struct contprof_profile *profile,
                                            const char *name, uint64_t hash) {
  return contprof_profile_find(profile, name, strlen(name), hash);
}

static void check_counters(const struct raw_bytes *raw, const struct contprof_profile *profile,
                           unsigned times) {
  const struct contprof_function *main_function = find(profile, "main", RAW_MAIN_HASH);
  const struct contprof_function *helper = find(profile, "a.c:helper", RAW_HELPER_HASH);
  cr_assert_eq(profile->function_count, 2);
  cr_assert(main_function && helper);
  cr_assert_eq(main_function->counter_count, 2);
  cr_assert_eq(helper->counter_count, 1);
  cr_assert_eq(main_function->counters[0], times * (raw->coverage ? 1 : 3));
  cr_assert_eq(main_function->counters[1], times * (raw->coverage ? 0 : 2));
  cr_assert_eq(helper->counters[0], times * (raw->coverage ? 1 : 7));
  cr_assert_eq(main_function->bitmap_size, raw->version > 8 ? 2 : 0);
  if (main_function->bitmap_size)
    cr_assert(main_function->bitmap[0] == 0x81 && main_function->bitmap[1] == 0x18);
}

static void check_values(const struct raw_bytes *raw, const struct contprof_profile *profile,
                         unsigned times) {
  const struct contprof_function *function = find(profile, "main", RAW_MAIN_HASH);
  const struct contprof_value_site *calls = function->sites[CONTPROF_CALL_TARGETS];
  const struct contprof_value_site *memops = function->sites[CONTPROF_MEMOP_SIZES];
  const struct contprof_value_site *vtables = function->sites[CONTPROF_VTABLES];
  cr_assert_eq(calls->count, 2, "the unused slot is left out");
  const struct contprof_value *outside = &calls->values[calls->values[0].value != 0];
  const struct contprof_value *helper = &calls->values[calls->values[0].value == 0];
  cr_assert(outside->value == 0 && outside->count == 2 * times);
  cr_assert(helper->value == contprof_name_ref("a.c:helper", 10) && helper->count == 5 * times);
  cr_assert_eq(memops->count, 1);
  cr_assert(memops->values[0].value == 8 && memops->values[0].count == 3 * times);
  if (raw->version < 10)
    return;
  cr_assert_eq(vtables->count, 1);
  cr_assert(vtables->values[0].value == contprof_name_ref("vt", 2) &&
            vtables->values[0].count == 9 * times);
}

static void check_header(const struct raw_bytes *raw, const struct contprof_profile *profile) {
  cr_assert_eq(profile->format, CONTPROF_FORMAT_RAW);
  cr_assert_eq(profile->version, raw->version);
  cr_assert_eq(profile->variant, raw->variant |
                                     (raw->coverage ? CONTPROF_VARIANT_BYTE_COVERAGE : 0) |
                                     (raw->temporal ? CONTPROF_VARIANT_TEMPORAL : 0));
  // Indexed version 11 has the bitmaps of LLVM 18, which writes raw version 9, 12 those of 19.
  static const unsigned bitmap_versions[] = {0, 11, 12};
  cr_assert_eq(profile->bitmap_version, bitmap_versions[raw->version - 8]);
  cr_assert_eq(profile->keeps_binary_ids, raw->version > 8, "LLVM 14 and 15 write version 8");
  cr_assert_eq(profile->binary_id_count, 1);
  cr_assert_eq(profile->binary_ids[0].size, sizeof RAW_BUILD_ID);
  cr_assert_arr_eq(profile->binary_ids[0].bytes, RAW_BUILD_ID, sizeof RAW_BUILD_ID);
}

// All images of a file are one trace, in the order of the times, and of the names' references.
static void check_trace(const struct raw_bytes *raw, const struct contprof_profile *profile,
                        unsigned times) {
  cr_assert_eq(profile->trace_count, raw->temporal);
  cr_assert_eq(profile->trace_stream, raw->temporal);
  if (!raw->temporal)
    return;
  cr_assert_eq(profile->traces[0].weight, 1);
  cr_assert_eq(profile->traces[0].count, 2 * times);
  for (unsigned i = 0; i < 2 * times; i++)
    cr_assert_eq(profile->traces[0].refs[i],
                 i < times ? contprof_name_ref("a.c:helper", 10) : contprof_name_ref("main", 4));
}

// Every version, width, byte order, kind of counter and form of the names, without and with times.
static bool next_shape(struct raw_bytes *raw, unsigned index) {
  *raw = (struct raw_bytes){.version = 8 + index % 3,
                            .pointer_size = index / 3 % 2 ? 4 : 8,
                            .big_endian = index / 6 % 2,
                            .coverage = index / 12 % 2,
                            .compressed = index / 24 % 2,
                            .temporal = index / 48 % 2,
                            .variant = index % 2 ? CONTPROF_VARIANT_IR : 0};
  return index < 96;
}

Test(raw_reader, reads_every_shape) {
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i++) {
    struct contprof_profile profile = {0};
    raw_put_image(&raw);
    cr_assert(read_bytes(raw.bytes, raw.size, &profile), "%u: %s", i, error.message);
    check_header(&raw, &profile);
    check_counters(&raw, &profile, 1);
    check_values(&raw, &profile, 1);
    check_trace(&raw, &profile, 1);
    contprof_profile_free(&profile);
  }
}

Test(raw_reader, sums_images_in_one_file) {
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i++) {
    struct contprof_profile profile = {0};
    raw_put_image(&raw);
    raw_put_image(&raw);
    raw_fill(&raw, 40, 0);
    raw_put_image(&raw);
    raw_fill(&raw, 5, 0);
    cr_assert(read_bytes(raw.bytes, raw.size, &profile), "%u: %s", i, error.message);
    check_header(&raw, &profile);
    check_counters(&raw, &profile, 3);
    check_values(&raw, &profile, 3);
    check_trace(&raw, &profile, 3);
    contprof_profile_free(&profile);
  }
}

Test(raw_reader, sums_a_function_that_is_there_twice) {
  struct contprof_profile profile = {0};
  struct raw_bytes raw = {.version = 8, .pointer_size = 8, .no_values = true};
  raw_put_image(&raw);
  size_t second = 88 + 16 + 48; // after header, ids and main's record
  raw.size = second;
  raw_put_record(&raw, 1, "main", RAW_MAIN_HASH, RAW_MAIN_ADDRESS, 1, 2, true);
  raw.size = 0;
  struct raw_bytes whole = {.version = 8, .pointer_size = 8, .no_values = true};
  raw_put_image(&whole);
  memcpy(whole.bytes + second, raw.bytes + second, 48);
  cr_assert(read_bytes(whole.bytes, whole.size, &profile), "%s", error.message);
  cr_assert_eq(profile.function_count, 1);
  cr_assert_eq(profile.functions[0]->counters[0], 3 + 2);
  cr_assert_eq(profile.functions[0]->counters[1], 2 + 7);
  contprof_profile_free(&profile);
}

static void check_failure(const struct raw_bytes *raw, const struct contprof_profile *profile) {
  cr_assert_neq(error.code, CONTPROF_OK);
  cr_assert_neq(error.message[0], '\0');
  cr_assert_leq(error.offset, raw->size);
  cr_assert_not_null(error.section);
  cr_assert_eq(profile->function_count, 0);
  cr_assert_null(profile->arena.blocks);
}

Test(raw_reader, truncated_at_every_offset) {
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i++) {
    raw_put_image(&raw);
    for (size_t size = 0; size < raw.size; size++) {
      struct contprof_profile profile = {0};
      cr_assert_not(read_bytes(raw.bytes, size, &profile), "shape %u cut at %zu is read", i, size);
      check_failure(&raw, &profile);
      if (size >= 8)
        cr_assert_eq(error.code, CONTPROF_TRUNCATED, "cut at %zu: %s", size, error.message);
    }
  }
}

Test(raw_reader, second_image_truncated_at_every_offset) {
  struct raw_bytes raw = {.version = 10, .pointer_size = 8};
  raw_put_image(&raw);
  size_t first = raw.size;
  raw_put_image(&raw);
  for (size_t size = first + 1; size < raw.size; size++) {
    struct contprof_profile profile = {0};
    cr_assert_not(read_bytes(raw.bytes, size, &profile));
    check_failure(&raw, &profile);
  }
}

static void put_field(struct raw_bytes *raw, size_t offset, uint64_t value) {
  struct raw_bytes field = {.big_endian = raw->big_endian};
  raw_put(&field, value, 8);
  memcpy(raw->bytes + offset, field.bytes, 8);
}

// The names' address in the program is of no use to a reader.
static bool is_names_delta(const struct raw_bytes *raw, size_t field) {
  return field == (raw->version == 8 ? 9 : 12);
}

Test(raw_reader, each_header_field_at_its_limits) {
  static const uint64_t limits[] = {0, 1, UINT32_MAX, INT64_MAX, UINT64_MAX - 7, UINT64_MAX};
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i++) {
    size_t fields = raw.version == 8 ? 11 : raw.version == 9 ? 14 : 16;
    raw_put_image(&raw);
    for (size_t field = 0; field < fields; field++) {
      for (size_t limit = 0; limit < sizeof limits / sizeof *limits; limit++) {
        struct contprof_profile profile = {0};
        struct raw_bytes damaged = raw;
        put_field(&damaged, field * 8, limits[limit]);
        bool ok = read_bytes(damaged.bytes, damaged.size, &profile);
        if (!ok)
          check_failure(&damaged, &profile);
        if (limit > 1)
          cr_assert_eq(ok, is_names_delta(&raw, field), "shape %u, field %zu", i, field);
        contprof_profile_free(&profile);
      }
    }
  }
}

Test(raw_reader, any_byte_may_be_damaged) {
  static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i += 5) {
    raw_put_image(&raw);
    for (size_t at = 0; at < raw.size; at++) {
      for (size_t value = 0; value < sizeof values; value++) {
        struct contprof_profile profile = {0};
        struct raw_bytes damaged = raw;
        damaged.bytes[at] = values[value];
        if (!read_bytes(damaged.bytes, damaged.size, &profile))
          check_failure(&damaged, &profile);
        contprof_profile_free(&profile);
      }
    }
  }
}

static void check_message(const struct raw_bytes *raw, enum contprof_code code, uint64_t offset,
                          const char *part) {
  struct contprof_profile profile = {0};
  cr_assert_not(read_bytes(raw->bytes, raw->size, &profile));
  cr_assert_eq(error.code, code, "%s", error.message);
  cr_assert_eq(error.offset, offset);
  cr_assert(strstr(error.message, part), "%s", error.message);
}

Test(raw_reader, names_what_is_wrong) {
  struct raw_bytes good = {.version = 8, .pointer_size = 8}, raw;
  raw_put_image(&good);
  raw = good;
  raw.bytes[0] = 'x';
  check_message(&raw, CONTPROF_UNSUPPORTED, 0, "not a raw profile");
  raw = good;
  put_field(&raw, 8, 7);
  check_message(&raw, CONTPROF_UNSUPPORTED, 8, "raw version 7");
  raw = good;
  put_field(&raw, 8, 8 | CONTPROF_VARIANT_TEMPORAL);
  check_message(&raw, CONTPROF_CORRUPT, 88 + 16 + 48, "without counters"); // but a time
  raw = good;
  put_field(&raw, 8, 8 | CONTPROF_VARIANT_CORRELATE);
  check_message(&raw, CONTPROF_UNSUPPORTED, 8, "debug info");
  raw = good;
  put_field(&raw, 16, 17);
  check_message(&raw, CONTPROF_CORRUPT, 16, "multiple of 8");
  raw = good;
  put_field(&raw, 24, 1000);
  check_message(&raw, CONTPROF_TRUNCATED, 88 + 16, "48000 bytes wanted");
  raw = good;
  put_field(&raw, 88, 0);
  check_message(&raw, CONTPROF_CORRUPT, 96, "no bytes");
}

Test(raw_reader, names_the_record_that_is_wrong) {
  struct raw_bytes good = {.version = 8, .pointer_size = 8}, raw;
  size_t record = 88 + 16;
  raw_put_image(&good);
  raw = good;
  put_field(&raw, record, 0x1234);
  check_message(&raw, CONTPROF_CORRUPT, record, "0000000000001234");
  raw = good;
  put_field(&raw, record + 16, 0x123456789);
  check_message(&raw, CONTPROF_CORRUPT, record, "counters");
  raw = good;
  memset(raw.bytes + record + 40, 0, 4);
  check_message(&raw, CONTPROF_CORRUPT, record, "without counters");
  raw = good;
  memset(raw.bytes + record + 40, 0xff, 4);
  check_message(&raw, CONTPROF_CORRUPT, record, "than the file");
  raw = good;
  raw.bytes[record + 40] = 4;
  check_message(&raw, CONTPROF_CORRUPT, record, "32 bytes at offset 0");
}

Test(raw_reader, refuses_what_follows_an_image) {
  struct raw_bytes good = {.version = 8, .pointer_size = 8, .no_values = true}, raw;
  raw_put_image(&good);
  raw = good;
  raw_fill(&raw, 16, 'x');
  check_message(&raw, CONTPROF_CORRUPT, good.size, "another raw profile");
  raw = good;
  raw_fill(&raw, 3, 0);
  raw_fill(&raw, 16, 'x');
  check_message(&raw, CONTPROF_CORRUPT, good.size + 3, "aligned");
}

Test(raw_reader, refuses_images_of_two_kinds) {
  struct contprof_profile profile = {0};
  struct raw_bytes raw = {.version = 8, .pointer_size = 8};
  raw_put_image(&raw);
  raw.variant = CONTPROF_VARIANT_IR;
  raw_put_image(&raw);
  cr_assert_not(read_bytes(raw.bytes, raw.size, &profile));
  cr_assert_eq(error.code, CONTPROF_MISMATCH);
  cr_assert_str_eq(error.file, "t.profraw");
}

Test(raw_reader, tells_raw_profiles_from_others) {
  struct raw_bytes raw;
  for (unsigned i = 0; next_shape(&raw, i); i++) {
    raw_put_image(&raw);
    cr_assert(contprof_is_raw(&(struct contprof_file_view){.bytes = raw.bytes, .size = 8}));
    cr_assert_not(contprof_is_raw(&(struct contprof_file_view){.bytes = raw.bytes, .size = 7}));
    raw.bytes[3] ^= 1;
    cr_assert_not(contprof_is_raw(&(struct contprof_file_view){.bytes = raw.bytes, .size = 8}));
  }
}
