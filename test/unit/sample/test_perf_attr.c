// An event's description in both byte orders and of many sizes; where records have their identity;
// names.
#include "tools/sample/perf_attr.h"
#include "tools/sample/perf_format.h"

#include <criterion/criterion.h>
#include <string.h>

static void put(uint8_t *bytes, size_t at, size_t width, uint64_t value, bool big) {
  for (size_t i = 0; i < width; i++)
    bytes[at + (big ? width - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

// `told` is what it says of its size, of which `size` bytes are there.
static uint32_t take(uint32_t told, size_t size, bool big, struct contprof_perf_attr *attr,
                     struct contprof_error *error) {
  uint8_t bytes[256] = {0};
  put(bytes, 0, 4, PERF_TYPE_SOFTWARE, big);
  put(bytes, 4, 4, told, big);
  put(bytes, 8, 8, 9, big);
  put(bytes, 16, 8, 4000, big);
  put(bytes, 24, 8, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID, big);
  // exclude_kernel is bit 5, sample_id_all bit 18; precise_ip, which is 1, has bits 15 and 16, of
  // which the low one comes first on little-endian machines and last on others.
  const uint8_t little_flags[] = {0x20, 0x80, 0x04}, big_flags[] = {0x04, 0x00, 0xa0};
  memcpy(bytes + 40, big ? big_flags : little_flags, sizeof little_flags);
  put(bytes, 72, 8, PERF_BRANCH_HW_INDEX, big);
  contprof_error_clear(error);
  struct contprof_cursor cursor = contprof_cursor_over(bytes, size, 1000, "file", "attrs", error);
  cursor.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  return contprof_perf_attr_take(&cursor, attr);
}

Test(perf_attr, both_byte_orders) {
  for (int big = 0; big < 2; big++) {
    struct contprof_perf_attr attr;
    struct contprof_error error;
    char name[CONTPROF_PERF_NAME_ROOM];
    cr_assert_eq(take(128, 128, big, &attr, &error), 128);
    cr_expect_eq(attr.type, PERF_TYPE_SOFTWARE);
    cr_expect_eq(attr.config, 9);
    cr_expect_eq(attr.period, 4000);
    cr_expect_eq(attr.branch_sample_type, PERF_BRANCH_HW_INDEX);
    cr_expect(contprof_perf_attr_has(&attr, PERF_ATTR_EXCLUDE_KERNEL));
    cr_expect(contprof_perf_attr_has(&attr, PERF_ATTR_SAMPLE_ID_ALL));
    cr_expect_eq(attr.flags >> PERF_ATTR_PRECISE_IP & 3, 1);
    cr_expect_eq(__builtin_popcountll(attr.flags), 3);
    contprof_perf_attr_derive_name(&attr, name);
    cr_expect_str_eq(name, "dummy:uhp"); // as the end-to-end test compares with perf
  }
}

Test(perf_attr, places_of_identity) {
  struct contprof_perf_attr attr;
  struct contprof_error error;
  cr_assert(take(128, 128, false, &attr, &error));
  cr_expect_eq(attr.sample_time, 8 + 16);
  cr_expect_eq(attr.sample_id, 8 + 24);
  cr_expect_eq(attr.trailer_size, 24);
  cr_expect_eq(attr.trailer_time, 16);
  cr_expect_eq(attr.trailer_id, 8);
}

Test(perf_attr, sizes) {
  static const struct {
    uint32_t told;
    size_t there;
    uint32_t size; // 0: refused
    bool branches; // has branch_sample_type
  } cases[] = {{0, 64, 64, false},   {64, 64, 64, false},         {72, 72, 72, false},
               {80, 80, 80, true},   {136, 136, 136, true},       {200, 200, 200, true},
               {64, 128, 64, false}, {63, 128, 0, false},         {8, 128, 0, false},
               {136, 128, 0, false}, {UINT32_MAX, 256, 0, false}, {128, 40, 0, false},
               {0, 63, 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct contprof_perf_attr attr;
    struct contprof_error error;
    uint32_t size = take(cases[i].told, cases[i].there, false, &attr, &error);
    cr_expect_eq(size, cases[i].size, "%u of %zu: %u", cases[i].told, cases[i].there, size);
    if (size)
      cr_expect_eq(attr.branch_sample_type != 0, cases[i].branches, "%u", cases[i].told);
    else
      cr_expect(error.code != CONTPROF_OK && error.offset >= 1000);
  }
}
