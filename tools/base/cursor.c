#include "cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct contprof_cursor contprof_cursor_over(const void *bytes, uint64_t size, uint64_t base,
                                            const char *file, const char *section,
                                            struct contprof_error *error) {
  return (struct contprof_cursor){
      .bytes = bytes, .size = size, .base = base, .file = file, .section = section, .error = error};
}

bool contprof_cursor_cut_short(struct contprof_cursor *cursor, uint64_t size) {
  return contprof_cursor_ok(cursor) &&
         contprof_fail(cursor->error, CONTPROF_TRUNCATED, cursor->file, cursor->section,
                       cursor->base + cursor->offset,
                       "cut short: %" PRIu64 " bytes wanted, %" PRIu64 " left", size,
                       contprof_cursor_left(cursor));
}

bool contprof_take_u64s(struct contprof_cursor *cursor, uint64_t *into, uint64_t count) {
  if (!contprof_cursor_has(cursor, count * sizeof *into))
    return false;
  if (count)
    memcpy(into, cursor->bytes + cursor->offset, count * sizeof *into);
  cursor->offset += count * sizeof *into;
  for (uint64_t i = 0; cursor->swap && i < count; i++)
    into[i] = __builtin_bswap64(into[i]);
  return true;
}

// Most numbers are of one byte.
uint64_t contprof_take_uleb128(struct contprof_cursor *cursor) {
  uint64_t value = 0;
  if (contprof_cursor_ok(cursor) && cursor->offset < cursor->size &&
      cursor->bytes[cursor->offset] < 0x80)
    return cursor->bytes[cursor->offset++];
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = contprof_take_u8(cursor);
    if (!contprof_cursor_ok(cursor))
      return 0;
    uint64_t part = byte & 0x7f;
    if (shift > 63 || (shift == 63 && part > 1)) {
      contprof_cursor_corrupt(cursor, "ULEB128 number of more than 64 bits");
      return 0;
    }
    value |= part << shift;
    if (!(byte & 0x80))
      return value;
  }
}

int64_t contprof_take_sleb128(struct contprof_cursor *cursor) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = contprof_take_u8(cursor);
    if (!contprof_cursor_ok(cursor))
      return 0;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (shift < 64 && byte & 0x40)
    value |= UINT64_MAX << shift;
  return (int64_t)value;
}

static uint64_t little_endian(const uint8_t *bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

uint64_t contprof_take_unsigned(struct contprof_cursor *cursor, unsigned size) {
  const uint8_t *bytes = contprof_take_bytes(cursor, size);
  return bytes ? little_endian(bytes, size) : 0;
}

bool contprof_unsigned_at(const uint8_t *bytes, uint64_t length, uint64_t offset, unsigned size,
                          uint64_t *number) {
  if (offset > length || length - offset < size)
    return false;
  *number = little_endian(bytes + offset, size);
  return true;
}

bool contprof_seek(struct contprof_cursor *cursor, uint64_t offset) {
  if (!contprof_cursor_ok(cursor))
    return false;
  if (offset > cursor->size)
    return contprof_fail(cursor->error, CONTPROF_TRUNCATED, cursor->file, cursor->section,
                         cursor->base + cursor->offset,
                         "cut short: offset %" PRIu64 " is past the end, %" PRIu64,
                         cursor->base + offset, cursor->base + cursor->size);
  cursor->offset = offset;
  return true;
}

struct contprof_cursor contprof_take_sub(struct contprof_cursor *cursor, uint64_t size,
                                         const char *section) {
  uint64_t start = cursor->offset;
  const uint8_t *bytes = contprof_take_bytes(cursor, size);
  struct contprof_cursor sub = contprof_cursor_over(bytes, bytes ? size : 0, cursor->base + start,
                                                    cursor->file, section, cursor->error);
  sub.swap = cursor->swap;
  return sub;
}

bool contprof_cursor_corrupt(struct contprof_cursor *cursor, const char *format, ...) {
  char message[sizeof cursor->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return contprof_fail(cursor->error, CONTPROF_CORRUPT, cursor->file, cursor->section,
                       cursor->base + cursor->offset, "%s", message);
}
