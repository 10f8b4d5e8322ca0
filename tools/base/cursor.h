// A bounded reader over bytes in memory: every field that any format reader takes from a file goes
// through one of these. Reading past the end sets a sticky error and yields zeros, so a reader may
// take a whole header and check once. File bytes are never cast to a struct. Offsets are bytes.
#ifndef CONTPROF_BASE_CURSOR_H
#define CONTPROF_BASE_CURSOR_H

#include "error.h"

#include <stddef.h>
#include <string.h>

struct contprof_cursor {
  const uint8_t *bytes;         // not owned; must outlive the cursor
  uint64_t size;                // bytes readable; the end is not in the range
  uint64_t offset;              // of the next byte, from `bytes`
  uint64_t base;                // added to `offset` in messages (for a cursor into part of a file)
  const char *file;             // for messages; not owned
  const char *section;          // for messages; a string literal, changed by the reader as it goes
  bool swap;                    // the data has the other byte order
  struct contprof_error *error; // sticky; not owned
};

// A cursor over `size` bytes at `bytes`, which start at offset `base` of `file`.
struct contprof_cursor contprof_cursor_over(const void *bytes, uint64_t size, uint64_t base,
                                            const char *file, const char *section,
                                            struct contprof_error *error);

// True while nothing has failed.
static inline bool contprof_cursor_ok(const struct contprof_cursor *cursor) {
  return cursor->error->code == CONTPROF_OK;
}

// Bytes not yet read.
static inline uint64_t contprof_cursor_left(const struct contprof_cursor *cursor) {
  return cursor->size - cursor->offset;
}

// Fails, since `size` more bytes are not there, or something has failed before. Returns false.
bool contprof_cursor_cut_short(struct contprof_cursor *cursor, uint64_t size);

// Whether there are `size` more bytes; an error if not.
static inline bool contprof_cursor_has(struct contprof_cursor *cursor, uint64_t size) {
  return (contprof_cursor_ok(cursor) && size <= contprof_cursor_left(cursor)) ||
         contprof_cursor_cut_short(cursor, size);
}

// The next field, in the data's byte order; 0 on error. Inline, since a profile has millions. By
// memcpy, since fields may stand at any alignment.
#define CONTPROF_TAKE(bits, swapped)                                                               \
  static inline uint##bits##_t contprof_take_u##bits(struct contprof_cursor *cursor) {             \
    uint##bits##_t value = 0;                                                                      \
    if (!contprof_cursor_has(cursor, sizeof value))                                                \
      return 0;                                                                                    \
    memcpy(&value, cursor->bytes + cursor->offset, sizeof value);                                  \
    cursor->offset += sizeof value;                                                                \
    return cursor->swap ? (swapped) : value;                                                       \
  }
CONTPROF_TAKE(8, value)
CONTPROF_TAKE(16, __builtin_bswap16(value))
CONTPROF_TAKE(32, __builtin_bswap32(value))
CONTPROF_TAKE(64, __builtin_bswap64(value))
#undef CONTPROF_TAKE

// The next `count` fields of 64 bits, to `into`. Returns false, with nothing taken, if there
// are not so many: as for all fields, that is an error. `count` is at most 2^61.
bool contprof_take_u64s(struct contprof_cursor *cursor, uint64_t *into, uint64_t count);

// ULEB128 (DWARF 5, 7.6), at most 64 bits of value; over-long encodings fail.
uint64_t contprof_take_uleb128(struct contprof_cursor *cursor);

// SLEB128 (DWARF 5, 7.6); bits beyond 64 are lost.
int64_t contprof_take_sleb128(struct contprof_cursor *cursor);

// A number of 1 to 8 bytes, little-endian whatever the data's byte order.
uint64_t contprof_take_unsigned(struct contprof_cursor *cursor, unsigned size);

// Such a number at `offset` of `length` bytes; false, with *number as it was, if it is not in them.
bool contprof_unsigned_at(const uint8_t *bytes, uint64_t length, uint64_t offset, unsigned size,
                          uint64_t *number);

// A pointer to the next `size` bytes inside the cursor's memory, and moves past them; NULL on
// error. `size` may be any number: the check cannot overflow.
static inline const uint8_t *contprof_take_bytes(struct contprof_cursor *cursor, uint64_t size) {
  if (!contprof_cursor_has(cursor, size))
    return NULL;
  const uint8_t *bytes = cursor->bytes + cursor->offset;
  cursor->offset += size;
  return bytes;
}

// Moves `size` bytes on. Returns false (error set) past the end.
static inline bool contprof_skip(struct contprof_cursor *cursor, uint64_t size) {
  return contprof_take_bytes(cursor, size) != NULL;
}

// Moves to the next multiple of `alignment` (a power of two) counted from the cursor's start.
static inline bool contprof_skip_to_alignment(struct contprof_cursor *cursor, uint64_t alignment) {
  return contprof_skip(cursor, -cursor->offset & (alignment - 1));
}

// Moves to `offset` from the cursor's start. offset == size is allowed (the end).
bool contprof_seek(struct contprof_cursor *cursor, uint64_t offset);

// A cursor over the next `size` bytes (which are skipped here), sharing the error.
struct contprof_cursor contprof_take_sub(struct contprof_cursor *cursor, uint64_t size,
                                         const char *section);

// Fails with CONTPROF_CORRUPT at the cursor's place.
bool contprof_cursor_corrupt(struct contprof_cursor *cursor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
