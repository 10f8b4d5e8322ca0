// Records out of bytes that come in any pieces.
#include "tools/sample/perf_stream.h"

#include <criterion/criterion.h>
#include <string.h>

struct pieces {
  const uint8_t *bytes;
  size_t size;
  size_t at;
  size_t piece; // bytes that come at a time
};

static size_t fill(void *source, uint8_t *into, size_t room, struct contprof_error *error) {
  struct pieces *from = source;
  size_t part = from->size - from->at;
  (void)error;
  part = part < from->piece ? part : from->piece;
  part = part < room ? part : room;
  memcpy(into, from->bytes + from->at, part);
  from->at += part;
  return part;
}

static size_t put(uint8_t *to, uint32_t type, uint16_t size) {
  memset(to, (int)type, size);
  memcpy(to, &type, sizeof type);
  memset(to + 4, 0, 2);
  memcpy(to + 6, &size, sizeof size);
  return size;
}

static struct contprof_perf_stream over(struct pieces *pieces,
                                        struct contprof_perf_blocks *blocks) {
  return (struct contprof_perf_stream){.fill = fill,
                                       .source = pieces,
                                       .file = "file",
                                       .section = "data",
                                       .offset = 1000,
                                       .blocks = blocks};
}

enum { COUNT = 2000 };
static uint8_t bytes[COUNT * 3000];

static size_t size_of(unsigned i) {
  return 8 + i * 7 % 2900;
}

static size_t make(void) {
  size_t size = 0;
  for (unsigned i = 0; i < COUNT; i++)
    size += put(bytes + size, i, (uint16_t)size_of(i));
  return size;
}

static void expect_all(size_t piece) {
  struct pieces pieces = {.bytes = bytes, .size = make(), .piece = piece};
  struct contprof_perf_blocks blocks = {0};
  struct contprof_perf_stream stream = over(&pieces, &blocks);
  struct contprof_perf_raw record;
  struct contprof_error error;
  uint64_t offset = 1000;
  contprof_error_clear(&error);
  for (unsigned i = 0; i < COUNT; i++) {
    cr_assert(contprof_perf_stream_next(&stream, &record, &error));
    cr_assert(record.type == i && record.size == size_of(i) && record.offset == offset);
    cr_assert(record.size == 8 || record.bytes[record.size - 1] == (uint8_t)i);
    offset += record.size;
  }
  cr_expect_not(contprof_perf_stream_next(&stream, &record, &error));
  cr_expect_eq(error.code, CONTPROF_OK);
  cr_expect(contprof_perf_stream_at_end(&stream, &error));
  contprof_perf_stream_close(&stream);
  cr_expect_eq(blocks.used_count, 0);
  contprof_perf_blocks_free(&blocks);
}

Test(perf_stream, pieces_of_any_size) {
  expect_all(1);
  expect_all(13);
  expect_all(100000);
  expect_all(SIZE_MAX);
}

Test(perf_stream, payloads_are_passed_over) {
  uint8_t with_payload[600000] = {0};
  struct pieces pieces = {.bytes = with_payload, .size = sizeof with_payload, .piece = 5000};
  struct contprof_perf_blocks blocks = {0};
  struct contprof_perf_stream stream = over(&pieces, &blocks);
  struct contprof_perf_raw record;
  struct contprof_error error;
  contprof_error_clear(&error);
  put(with_payload, 71, 16);
  put(with_payload + sizeof with_payload - 24, 9, 24);
  cr_assert(contprof_perf_stream_next(&stream, &record, &error));
  contprof_perf_stream_skip(&stream, sizeof with_payload - 40);
  cr_assert(contprof_perf_stream_next(&stream, &record, &error));
  cr_expect_eq(record.type, 9);
  cr_expect_eq(record.offset, 1000 + sizeof with_payload - 24);
  contprof_perf_stream_skip(&stream, UINT64_MAX);
  cr_expect_not(contprof_perf_stream_next(&stream, &record, &error));
  cr_expect_not(contprof_perf_stream_at_end(&stream, &error));
  cr_expect_eq(error.code, CONTPROF_TRUNCATED);
  contprof_perf_stream_close(&stream);
  contprof_perf_blocks_free(&blocks);
}

// `size` bytes of a record that says it has `told`.
static enum contprof_code failure(uint16_t told, size_t size) {
  uint8_t record_bytes[64] = {0};
  struct pieces pieces = {.bytes = record_bytes, .size = size, .piece = 3};
  struct contprof_perf_blocks blocks = {0};
  struct contprof_perf_stream stream = over(&pieces, &blocks);
  struct contprof_perf_raw record;
  struct contprof_error error;
  contprof_error_clear(&error);
  memcpy(record_bytes + 6, &told, sizeof told);
  while (contprof_perf_stream_next(&stream, &record, &error))
    ;
  contprof_perf_stream_at_end(&stream, &error);
  contprof_perf_stream_close(&stream);
  contprof_perf_blocks_free(&blocks);
  cr_expect(error.code == CONTPROF_OK || error.offset == 1000);
  return error.code;
}

Test(perf_stream, bad_sizes) {
  cr_expect_eq(failure(0, 8), CONTPROF_CORRUPT);
  cr_expect_eq(failure(7, 64), CONTPROF_CORRUPT);
  cr_expect_eq(failure(8, 8), CONTPROF_OK);
  cr_expect_eq(failure(8, 0), CONTPROF_OK);
  cr_expect_eq(failure(8, 7), CONTPROF_TRUNCATED);
  cr_expect_eq(failure(64, 63), CONTPROF_TRUNCATED);
  cr_expect_eq(failure(UINT16_MAX, 64), CONTPROF_TRUNCATED);
}
