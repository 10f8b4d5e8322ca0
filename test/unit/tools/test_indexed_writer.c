#include "made_profile.h"
#include "tools/instr/indexed_reader.h"
#include "tools/instr/indexed_writer.h"

#include <criterion/criterion.h>

static struct contprof_error error;

static bool write_shape(const struct made_shape *shape, unsigned version,
                        struct contprof_byte_writer *out) {
  struct contprof_profile profile;
  made_profile(&profile, shape);
  contprof_error_clear(&error);
  bool ok = contprof_indexed_write(&profile, version, false, out, &error);
  contprof_profile_free(&profile);
  return ok;
}

static unsigned version_for(const struct made_shape *shape) {
  struct contprof_profile profile;
  made_profile(&profile, shape);
  unsigned version = contprof_indexed_version_for(&profile);
  contprof_profile_free(&profile);
  return version;
}

Test(indexed_writer, knows_what_each_llvm_writes) {
  cr_assert_eq(contprof_indexed_version_of_llvm(14), 7);
  cr_assert_eq(contprof_indexed_version_of_llvm(16), 9);
  cr_assert_eq(contprof_indexed_version_of_llvm(19), 12);
  cr_assert_eq(contprof_indexed_version_of_llvm(13), 0);
  cr_assert_eq(contprof_indexed_version_of_llvm(20), 0);
}

Test(indexed_writer, picks_the_oldest_version_that_carries_all) {
  cr_assert_eq(version_for(&(struct made_shape){.functions = 9, .values = true}), 7);
  cr_assert_eq(version_for(&(struct made_shape){.functions = 9, .bitmaps = true}), 11);
  cr_assert_eq(version_for(&(struct made_shape){.functions = 9, .bitmaps = true, .vtables = true}),
               12);
}

static unsigned version_with_ids(bool keeps, uint64_t variant) {
  struct contprof_profile profile;
  made_profile(&profile, &(struct made_shape){.functions = 3, .variant = variant});
  contprof_profile_add_binary_id(&profile, (const uint8_t *)"id", 2);
  profile.keeps_binary_ids = keeps;
  unsigned version = contprof_indexed_version_for(&profile);
  contprof_profile_free(&profile);
  return version;
}

Test(indexed_writer, makes_room_for_build_ids_whose_llvm_reads_them) {
  cr_assert_eq(version_with_ids(true, CONTPROF_VARIANT_IR), 9);
  cr_assert_eq(version_with_ids(false, CONTPROF_VARIANT_IR), 7);
  cr_assert_eq(version_with_ids(true, CONTPROF_VARIANT_TEMPORAL), 10);
}

Test(indexed_writer, names_what_a_version_can_not_carry) {
  struct contprof_byte_writer out = {0};
  struct made_shape bitmaps = {.functions = 9, .bitmaps = true};
  struct made_shape vtables = {.functions = 9, .vtables = true};
  struct made_shape heap = {.functions = 1, .variant = CONTPROF_VARIANT_MEMPROF};
  cr_assert(!write_shape(&bitmaps, 10, &out) && strstr(error.message, "bitmap"));
  cr_assert(!write_shape(&vtables, 11, &out) && strstr(error.message, "vtable"));
  cr_assert(!write_shape(&heap, 12, &out) && strstr(error.message, "heap"));
  cr_assert(!write_shape(&bitmaps, 6, &out) && error.code == CONTPROF_UNSUPPORTED);
  cr_assert(!write_shape(&bitmaps, 13, &out) && error.code == CONTPROF_UNSUPPORTED);
  cr_assert_eq(out.size, 0);
}

Test(indexed_writer, writes_the_same_bytes_each_time) {
  struct made_shape shape = {.functions = 200, .values = true, .bitmaps = true};
  struct contprof_byte_writer first = {0}, second = {0};
  cr_assert(write_shape(&shape, 12, &first) && write_shape(&shape, 12, &second));
  cr_assert(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
  contprof_byte_writer_free(&first);
  contprof_byte_writer_free(&second);
}

// A profile whose one function has one site, of memop sizes 0 to 299 with that size as its count.
static void make_crowded(struct contprof_profile *profile) {
  static struct contprof_value values[300];
  for (unsigned i = 0; i < 300; i++)
    values[i] = (struct contprof_value){.value = i, .count = i};
  *profile = (struct contprof_profile){.variant = CONTPROF_VARIANT_IR};
  struct contprof_function *function =
      contprof_profile_add(profile, "crowd", 5, 1, 1, 0, (uint32_t[]){0, 1, 0});
  contprof_profile_set_site(profile, &function->sites[CONTPROF_MEMOP_SIZES][0], values, 300);
}

Test(indexed_writer, keeps_the_255_hottest_values_of_a_site) {
  struct contprof_profile profile, got = {0};
  struct contprof_byte_writer out = {0};
  make_crowded(&profile);
  contprof_error_clear(&error);
  cr_assert(contprof_indexed_write(&profile, 7, false, &out, &error));
  struct contprof_file_view view = made_view(out.bytes, out.size);
  cr_assert(contprof_indexed_read(&view, &got, &error), "%s", error.message);
  const struct contprof_value_site *site = &got.functions[0]->sites[CONTPROF_MEMOP_SIZES][0];
  cr_assert_eq(site->count, 255);
  for (uint32_t i = 0; i < site->count; i++)
    cr_assert_eq(site->values[i].value, 299 - i, "hottest first, as they were written");
  free((void *)view.bytes);
  contprof_byte_writer_free(&out);
  contprof_profile_free(&profile);
  contprof_profile_free(&got);
}
