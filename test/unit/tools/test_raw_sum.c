// Sums of raw profiles of one build against the general way.
#include "made_sum.h"

static uint64_t build_key(const struct contprof_file_view *file) {
  struct contprof_raw_head head;
  return contprof_raw_take_head(file, &head);
}

static bool add_to(struct made_sum *made, struct contprof_raw_share *share,
                   const struct contprof_file_view *file, uint64_t weight) {
  struct contprof_raw_head head;
  contprof_raw_take_head(file, &head);
  return contprof_raw_sum_add(made->sum, share, file, &head, weight, &made->into, &lock);
}

static bool add_file(struct made_sum *made, const struct contprof_file_view *file,
                     uint64_t weight) {
  return add_to(made, made->share, file, weight);
}

static void put_u64(struct raw_bytes *raw, size_t offset, uint64_t value) {
  memcpy(raw->bytes + offset, &value, sizeof value);
}

static struct raw_bytes made(unsigned version, bool coverage, bool no_values) {
  struct raw_bytes raw = {
      .version = version, .pointer_size = 8, .coverage = coverage, .no_values = no_values};
  raw_put_image(&raw);
  return raw;
}

static size_t header_size(const struct raw_bytes *raw) {
  return raw->version == 8 ? 88 : raw->version == 9 ? 112 : 128;
}

static size_t function_pointer(const struct raw_bytes *raw, unsigned index) {
  return header_size(raw) + 16 + index * raw_record_size(raw) + (raw->version > 8 ? 32 : 24);
}

static void replace(struct raw_bytes *raw, size_t from, uint64_t old, uint64_t new) {
  uint8_t *found = memmem(raw->bytes + from, raw->size - from, &old, sizeof old);
  if (found)
    memcpy(found, &new, sizeof new);
}

// As if the program had been loaded `by` bytes higher.
static void move(struct raw_bytes *raw, uint64_t by) {
  size_t after_data = header_size(raw) + 16 + 2 * raw_record_size(raw);
  put_u64(raw, function_pointer(raw, 0), RAW_MAIN_ADDRESS + by);
  put_u64(raw, function_pointer(raw, 1), RAW_HELPER_ADDRESS + by);
  replace(raw, after_data, RAW_HELPER_ADDRESS, RAW_HELPER_ADDRESS + by); // a call target
  replace(raw, after_data, RAW_VTABLE_ADDRESS, RAW_VTABLE_ADDRESS + by);
  replace(raw, after_data, RAW_VTABLE_ADDRESS + 16, RAW_VTABLE_ADDRESS + 16 + by);
}

static uint64_t fingerprint(const struct contprof_file_view *file) {
  struct contprof_raw_head head;
  contprof_raw_take_head(file, &head);
  return contprof_raw_fingerprint(&head);
}

static void check_sum(struct raw_bytes raw) {
  struct contprof_profile wanted = {0};
  struct contprof_merge_report report = {0};
  struct contprof_file_view first = view_of(&raw);
  struct made_sum made;
  make_sum(&made, &first);
  cr_assert(made.sum);
  struct contprof_raw_share *other = contprof_raw_share_new(made.sum); // as of another thread
  merge(&wanted, &first, 1);
  for (uint64_t i = 1; i <= 4; i++) {
    struct raw_bytes next = raw;
    move(&next, i * 0x10000);
    struct contprof_file_view file = view_of(&next);
    cr_assert_eq(build_key(&file), build_key(&first));
    cr_assert_eq(fingerprint(&file), fingerprint(&first));
    cr_assert(add_to(&made, i == 3 ? other : made.share, &file, i), "version %u, file %d",
              raw.version, (int)i);
    merge(&wanted, &file, i);
    free((void *)file.bytes);
    if (i == 2) // a sum goes on after it has been handed over
      contprof_raw_sum_flush(made.sum, made.share, &report);
  }
  contprof_raw_share_unite(made.sum, made.share, other);
  contprof_raw_sum_flush(made.sum, made.share, &report);
  contprof_raw_sum_flush(made.sum, made.share, &report); // nothing more
  check_same(&wanted, &made.into);
  contprof_raw_share_free(other);
  free_sum(&made);
  contprof_profile_free(&wanted);
  free((void *)first.bytes);
}

Test(raw_sum, gives_what_the_general_way_gives) {
  for (unsigned version = 8; version <= 10; version++)
    for (int i = 0; i < 4; i++)
      check_sum(made(version, i & 1, i & 2));
}

static void expect_refused(struct made_sum *sum, const struct raw_bytes *raw) {
  struct contprof_file_view file = view_of(raw);
  cr_assert_not(add_file(sum, &file, 1));
  free((void *)file.bytes);
}

// Every cut, and every changed byte that is not of a count, a bitmap, padding or an address.
Test(raw_sum, refuses_what_is_not_the_same) {
  struct raw_bytes raw = made(10, false, false), other = raw;
  struct contprof_file_view file = view_of(&raw);
  struct made_sum sum;
  make_sum(&sum, &file);
  for (other.size = 0; other.size < raw.size; other.size++)
    expect_refused(&sum, &other);
  other = raw;
  other.bytes[other.size] = 1;
  other.size++;
  expect_refused(&sum, &other);
  for (size_t at = 0; at < header_size(&raw) + 16 + 2 * raw_record_size(&raw); at++) {
    size_t pointers = function_pointer(&raw, 0), next = function_pointer(&raw, 1);
    bool address = (at >= pointers && at < pointers + 16) || (at >= next && at < next + 16);
    bool names_delta = at >= 96 && at < 104;
    other = raw;
    other.bytes[at] ^= 0x40;
    if (address || names_delta)
      continue;
    expect_refused(&sum, &other);
    struct contprof_file_view changed = view_of(&other);
    cr_assert(build_key(&changed) != build_key(&file) ||
                  fingerprint(&changed) != fingerprint(&file),
              "byte %d", (int)at);
    free((void *)changed.bytes);
  }
  other = raw;
  put_u64(&other, function_pointer(&raw, 1), RAW_HELPER_ADDRESS + 16); // main has not moved
  expect_refused(&sum, &other);
  other = made(9, false, false);
  expect_refused(&sum, &other);
  free_sum(&sum);
  free((void *)file.bytes);
}

Test(raw_sum, needs_all_functions_of_the_file) {
  struct raw_bytes raw = made(10, false, false);
  struct contprof_file_view file = view_of(&raw);
  struct contprof_profile nothing = {0};
  cr_assert_null(contprof_raw_sum_new(&file, &nothing));
  free((void *)file.bytes);
}

Test(raw_sum, leaves_other_shapes_to_the_general_way) {
  struct raw_bytes twice = made(8, false, false);
  raw_put_image(&twice);
  struct contprof_file_view file = view_of(&twice);
  struct made_sum sum;
  make_sum(&sum, &file);
  cr_assert(!sum.sum || !add_file(&sum, &file, 1), "the second image would be lost");
  free_sum(&sum);
  free((void *)file.bytes);
  struct raw_bytes narrow = {.version = 8, .pointer_size = 4},
                   swapped = {.version = 8, .pointer_size = 8, .big_endian = true};
  raw_put_image(&narrow);
  raw_put_image(&swapped);
  const struct raw_bytes *const others[] = {&narrow, &swapped};
  for (int i = 0; i < 2; i++) {
    file = view_of(others[i]);
    cr_assert_eq(build_key(&file), 0);
    free((void *)file.bytes);
  }
}
