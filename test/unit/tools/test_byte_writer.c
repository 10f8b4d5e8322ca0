#include "tools/base/byte_writer.h"

#include <criterion/criterion.h>
#include <string.h>

Test(byte_writer, writes_little_endian) {
  static const uint8_t expected[] = {1, 3, 2, 7, 6, 5, 4, 15, 14, 13, 12, 11, 10, 9, 8, 'a', 'b'};
  struct contprof_byte_writer writer = {0};
  contprof_put_u8(&writer, 1);
  contprof_put_u16(&writer, 0x0203);
  contprof_put_u32(&writer, 0x04050607);
  contprof_put_u64(&writer, UINT64_C(0x08090a0b0c0d0e0f));
  contprof_put_bytes(&writer, "ab", 2);
  contprof_put_bytes(&writer, NULL, 0);
  cr_assert_eq(writer.size, sizeof expected);
  cr_assert_arr_eq(writer.bytes, expected, sizeof expected);
  contprof_byte_writer_free(&writer);
  cr_assert_eq(writer.size, 0);
}

Test(byte_writer, writes_uleb128) {
  static const uint8_t expected[] = {0x02, 0x7f, 0x80, 0x01, 0xb9, 0x64, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00};
  struct contprof_byte_writer writer = {0};
  contprof_put_uleb128(&writer, 2);
  contprof_put_uleb128(&writer, 127);
  contprof_put_uleb128(&writer, 128);
  contprof_put_uleb128(&writer, 12857);
  contprof_put_uleb128(&writer, UINT64_MAX);
  contprof_put_uleb128(&writer, 0);
  cr_assert_eq(writer.size, sizeof expected);
  cr_assert_arr_eq(writer.bytes, expected, sizeof expected);
  contprof_byte_writer_free(&writer);
}

Test(byte_writer, pads_and_patches) {
  struct contprof_byte_writer writer = {0};
  contprof_put_padding(&writer, 8);
  cr_assert_eq(writer.size, 0);
  contprof_put_u8(&writer, 9);
  contprof_put_padding(&writer, 8);
  cr_assert_eq(writer.size, 8);
  contprof_put_padding(&writer, 8);
  cr_assert_eq(writer.size, 8);
  contprof_patch_u64(&writer, 0, 5);
  cr_assert_arr_eq(writer.bytes, "\5\0\0\0\0\0\0\0", 8);
  contprof_byte_writer_free(&writer);
}

Test(byte_writer, grows) {
  struct contprof_byte_writer writer = {0};
  static uint8_t block[10000];
  memset(block, 7, sizeof block);
  for (uint32_t i = 0; i < 5000; i++)
    contprof_put_u32(&writer, i);
  contprof_put_bytes(&writer, block, sizeof block);
  cr_assert_eq(writer.size, 5000 * 4 + sizeof block);
  cr_assert_arr_eq(writer.bytes + 4999 * 4, "\x87\x13\0\0\7", 5);
  contprof_byte_writer_free(&writer);
}

Test(byte_writer, puts_many_numbers_as_one_by_one) {
  struct contprof_byte_writer one = {0}, many = {0};
  const uint64_t numbers[] = {1, UINT64_MAX, UINT64_C(0x0102030405060708)};
  for (int i = 0; i < 3; i++)
    contprof_put_u64(&one, numbers[i]);
  contprof_put_u64s(&many, numbers, 3);
  contprof_put_u64s(&many, NULL, 0);
  cr_assert_eq(many.size, one.size);
  cr_assert_arr_eq(many.bytes, one.bytes, one.size);
  contprof_byte_writer_free(&one);
  contprof_byte_writer_free(&many);
}
