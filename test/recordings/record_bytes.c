#include "record_bytes.h"

#include "tools/base/memory.h"

#include <stdlib.h>
#include <string.h>

void record_bytes_free(struct record_bytes *to) {
  free(to->bytes);
  *to = (struct record_bytes){.big_endian = to->big_endian};
}

static uint8_t *more(struct record_bytes *to, size_t size) {
  if (to->room - to->size < size) {
    to->room = 2 * (to->room + size);
    to->bytes = contprof_need_array(to->bytes, to->room, 1);
  }
  uint8_t *place = to->bytes + to->size;
  to->size += size;
  return place;
}

static void put_number(struct record_bytes *to, uint64_t value, size_t size) {
  uint8_t *place = more(to, size);
  for (size_t i = 0; i < size; i++)
    place[to->big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

void put_u8(struct record_bytes *to, uint8_t value) {
  put_number(to, value, sizeof value);
}

void put_u16(struct record_bytes *to, uint16_t value) {
  put_number(to, value, sizeof value);
}

void put_u32(struct record_bytes *to, uint32_t value) {
  put_number(to, value, sizeof value);
}

void put_u64(struct record_bytes *to, uint64_t value) {
  put_number(to, value, sizeof value);
}

void put_bytes(struct record_bytes *to, const void *bytes, size_t size) {
  if (size)
    memcpy(more(to, size), bytes, size);
}

void put_zeros(struct record_bytes *to, size_t size) {
  if (size)
    memset(more(to, size), 0, size);
}

void put_alignment(struct record_bytes *to, size_t alignment) {
  put_zeros(to, (alignment - to->size % alignment) % alignment);
}

void put_name(struct record_bytes *to, const char *text) {
  size_t size = strlen(text) + 1;
  put_bytes(to, text, size);
  put_zeros(to, (8 - size % 8) % 8);
}

void put_string(struct record_bytes *to, const char *text) {
  size_t size = strlen(text) + 1, padding = (64 - size % 64) % 64;
  put_u32(to, (uint32_t)(size + padding));
  put_bytes(to, text, size);
  put_zeros(to, padding);
}

void patch_u16(struct record_bytes *to, size_t at, uint16_t value) {
  to->bytes[at + to->big_endian] = (uint8_t)value;
  to->bytes[at + !to->big_endian] = (uint8_t)(value >> 8);
}
