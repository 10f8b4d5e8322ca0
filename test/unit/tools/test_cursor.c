#include "tools/base/cursor.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_error error;

static struct contprof_cursor over(const void *bytes, uint64_t size) {
  contprof_error_clear(&error);
  return contprof_cursor_over(bytes, size, 100, "f", "header", &error);
}

Test(cursor, takes_fields_in_either_byte_order) {
  static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  struct contprof_cursor cursor = over(bytes, sizeof bytes);
  cr_assert_eq(contprof_take_u8(&cursor), 1);
  cr_assert_eq(contprof_take_u16(&cursor), 0x0302);
  cr_assert_eq(contprof_take_u32(&cursor), 0x07060504);
  cr_assert_eq(contprof_take_u64(&cursor), UINT64_C(0x0f0e0d0c0b0a0908));
  cr_assert_eq(contprof_cursor_left(&cursor), 0);
  cursor = over(bytes, sizeof bytes);
  cursor.swap = true;
  cr_assert_eq(contprof_take_u8(&cursor), 1);
  cr_assert_eq(contprof_take_u16(&cursor), 0x0203);
  cr_assert_eq(contprof_take_u32(&cursor), 0x04050607);
  cr_assert_eq(contprof_take_u64(&cursor), UINT64_C(0x08090a0b0c0d0e0f));
}

Test(cursor, fails_once_and_stays_failed) {
  static const uint8_t bytes[] = {1, 2, 3};
  struct contprof_cursor cursor = over(bytes, sizeof bytes);
  contprof_take_u8(&cursor);
  cr_assert_eq(contprof_take_u32(&cursor), 0);
  cr_assert_eq(error.code, CONTPROF_TRUNCATED);
  cr_assert_eq(error.offset, 101);
  cr_assert_str_eq(error.message, "cut short: 4 bytes wanted, 2 left");
  cr_assert_eq(contprof_take_u8(&cursor), 0, "no field comes after a failure");
}

Test(cursor, no_length_overflows) {
  static const uint8_t bytes[8];
  struct contprof_cursor cursor = over(bytes, sizeof bytes);
  contprof_take_u8(&cursor);
  cr_assert_null(contprof_take_bytes(&cursor, UINT64_MAX));
  cursor = over(bytes, sizeof bytes);
  contprof_take_u8(&cursor);
  cr_assert_not(contprof_skip(&cursor, UINT64_MAX));
  cursor = over(bytes, sizeof bytes);
  cr_assert_not(contprof_seek(&cursor, UINT64_MAX));
  cr_assert_eq(error.code, CONTPROF_TRUNCATED);
}

Test(cursor, seeks_and_aligns_from_its_start) {
  static const uint8_t bytes[16];
  struct contprof_cursor cursor = over(bytes + 1, 9);
  cr_assert(contprof_skip_to_alignment(&cursor, 8));
  cr_assert_eq(cursor.offset, 0);
  contprof_take_u8(&cursor);
  cr_assert(contprof_skip_to_alignment(&cursor, 8));
  cr_assert_eq(cursor.offset, 8);
  cr_assert(contprof_seek(&cursor, 9));
  cr_assert_not(contprof_skip_to_alignment(&cursor, 8));
}

static uint64_t uleb(const void *bytes, uint64_t size) {
  struct contprof_cursor cursor = over(bytes, size);
  return contprof_take_uleb128(&cursor);
}

Test(cursor, takes_uleb128) {
  cr_assert_eq(uleb("\x02", 1), 2); // examples of DWARF 5, figure C.1
  cr_assert_eq(uleb("\x7f", 1), 127);
  cr_assert_eq(uleb("\x80\x01", 2), 128);
  cr_assert_eq(uleb("\xb9\x64", 2), 12857);
  cr_assert_eq(uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10), UINT64_MAX);
}

Test(cursor, refuses_uleb128_that_do_not_fit_or_end) {
  uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
  uleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11);
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
  uleb("\x80\x80", 2);
  cr_assert_eq(error.code, CONTPROF_TRUNCATED);
}

Test(cursor, cuts_out_parts) {
  static const uint8_t bytes[] = {1, 2, 3, 4};
  struct contprof_cursor cursor = over(bytes, sizeof bytes);
  contprof_take_u8(&cursor);
  struct contprof_cursor part = contprof_take_sub(&cursor, 2, "part");
  cr_assert_eq(contprof_take_u8(&cursor), 4);
  cr_assert_eq(contprof_take_u16(&part), 0x0302);
  contprof_take_u8(&part);
  cr_assert_eq(error.offset, 103);
  cr_assert_str_eq(error.section, "part");
  cr_assert_not(contprof_cursor_ok(&cursor), "the error is shared");
}

Test(cursor, a_part_past_the_end_is_empty) {
  static const uint8_t bytes[4];
  struct contprof_cursor cursor = over(bytes, sizeof bytes);
  struct contprof_cursor part = contprof_take_sub(&cursor, 5, "part");
  cr_assert_eq(part.size, 0);
  cr_assert_eq(error.code, CONTPROF_TRUNCATED);
}

Test(cursor, takes_many_numbers_or_none) {
  static const uint8_t bytes[17] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (int swap = 0; swap < 2; swap++) {
    struct contprof_cursor one = over(bytes, sizeof bytes), many = one;
    uint64_t numbers[3] = {0};
    one.swap = many.swap = swap;
    cr_assert(contprof_take_u64s(&many, numbers, 2));
    cr_assert_eq(numbers[0], contprof_take_u64(&one));
    cr_assert_eq(numbers[1], contprof_take_u64(&one));
    cr_assert_eq(many.offset, 16);
    cr_assert_not(contprof_take_u64s(&many, numbers, 1));
    cr_assert_eq(error.code, CONTPROF_TRUNCATED);
  }
}
