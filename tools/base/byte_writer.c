#include "byte_writer.h"

#include "memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *grow(struct contprof_byte_writer *writer, size_t size) {
  size_t used = writer->size - writer->gone;
  if (size > writer->room - used) {
    size_t room = writer->room * 2 > used + size ? writer->room * 2 : used + size;
    room = room < 4096 ? 4096 : room;
    writer->bytes = contprof_need(realloc(writer->bytes, room));
    writer->room = room;
  }
  uint8_t *place = writer->bytes + used;
  writer->size += size;
  return place;
}

static void store(uint8_t *to, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[i] = (uint8_t)(value >> (8 * i));
}

void contprof_put_u8(struct contprof_byte_writer *writer, uint8_t value) {
  store(grow(writer, 1), value, 1);
}

void contprof_put_u16(struct contprof_byte_writer *writer, uint16_t value) {
  store(grow(writer, 2), value, 2);
}

void contprof_put_u32(struct contprof_byte_writer *writer, uint32_t value) {
  store(grow(writer, 4), value, 4);
}

void contprof_put_u64(struct contprof_byte_writer *writer, uint64_t value) {
  store(grow(writer, 8), value, 8);
}

void contprof_put_u64s(struct contprof_byte_writer *writer, const uint64_t *values, size_t count) {
  if (!count)
    return;
  uint8_t *place = grow(writer, count * 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(place, values, count * 8);
#else
  for (size_t i = 0; i < count; i++)
    store(place + i * 8, values[i], 8);
#endif
}

void contprof_put_uleb128(struct contprof_byte_writer *writer, uint64_t value) {
  do {
    uint8_t byte = value & 0x7f;
    value >>= 7;
    contprof_put_u8(writer, value ? byte | 0x80 : byte);
  } while (value);
}

void contprof_put_bytes(struct contprof_byte_writer *writer, const void *bytes, size_t size) {
  if (size)
    memcpy(grow(writer, size), bytes, size);
}

void contprof_put_padding(struct contprof_byte_writer *writer, size_t alignment) {
  size_t size = -writer->size & (alignment - 1);
  if (size)
    memset(grow(writer, size), 0, size);
}

void contprof_patch_u64(struct contprof_byte_writer *writer, size_t offset, uint64_t value) {
  uint8_t bytes[8];
  assert(offset <= writer->size && writer->size - offset >= 8);
  assert(offset >= writer->gone || writer->gone - offset >= 8);
  store(bytes, value, 8);
  if (offset < writer->gone)
    writer->outlet->patch(writer->outlet, offset, bytes, sizeof bytes);
  else
    memcpy(writer->bytes + (offset - writer->gone), bytes, sizeof bytes);
}

enum { MANY = 1 << 20 }; // bytes

void contprof_byte_writer_hand_on(struct contprof_byte_writer *writer) {
  size_t used = writer->size - writer->gone;
  if (!writer->outlet || used < MANY)
    return;
  writer->outlet->append(writer->outlet, writer->bytes, used);
  writer->gone = writer->size;
}

void contprof_byte_writer_free(struct contprof_byte_writer *writer) {
  free(writer->bytes);
  *writer = (struct contprof_byte_writer){0};
}
