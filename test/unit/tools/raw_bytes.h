// Writes raw profiles for tests, from the description of the format alone (docs of LLVM's
// InstrProfileFormat and InstrProfData.inc), sharing nothing with the reader under test.
//
// The profile: two functions, "main" with counters 3 and 2, one call-target site and one memop
// site, and "a.c:helper" with counter 7 (or, of single-byte coverage: main's first block and helper
// covered); from version 9 on, main has two bitmap bytes. All sections are padded.
#ifndef TEST_RAW_BYTES_H
#define TEST_RAW_BYTES_H

#include "tools/base/names.h"

#include <string.h>
#include <zlib.h>

struct raw_bytes {
  unsigned version;      // 8, 9 or 10
  unsigned pointer_size; // 4 or 8
  bool big_endian;
  bool coverage;    // single-byte counters
  bool compressed;  // names
  bool no_values;   // the functions have no value sites
  bool temporal;    // helper ran first at 4, main at 9
  uint64_t variant; // further variant bits
  uint8_t bytes[4096];
  size_t size;
};

enum {
  RAW_MAIN_HASH = 0x1111,
  RAW_HELPER_HASH = 0x2222,
  RAW_MAIN_ADDRESS = 0x401000,
  RAW_HELPER_ADDRESS = 0x402000,
  RAW_VTABLE_ADDRESS = 0x500000, // 64 bytes, the middle of which is seen
  RAW_DATA_ADDRESS = 0x9000,     // of the first record in the program's memory
  RAW_COUNTERS_ADDRESS = 0x8000, // before the data, so that differences are negative
  RAW_BITMAP_ADDRESS = 0xb000,
};

static const char RAW_NAMES[] = "main\1a.c:helper";
static const uint8_t RAW_BUILD_ID[] = {0xde, 0xad, 0xbe, 0xef, 1};

static inline void raw_put(struct raw_bytes *raw, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; i++)
    raw->bytes[raw->size++] = (uint8_t)(value >> 8 * (raw->big_endian ? size - 1 - i : i));
}

static inline void raw_fill(struct raw_bytes *raw, size_t count, uint8_t byte) {
  memset(raw->bytes + raw->size, byte, count);
  raw->size += count;
}

static inline size_t raw_put_names(const struct raw_bytes *raw, uint8_t *to) {
  size_t length = sizeof RAW_NAMES - 1;
  uLongf compressed = 200;
  to[0] = (uint8_t)length;
  to[1] = 0;
  if (!raw->compressed) {
    memcpy(to + 2, RAW_NAMES, length);
    return 2 + length;
  }
  compress(to + 2, &compressed, (const Bytef *)RAW_NAMES, length);
  to[1] = (uint8_t)compressed;
  return 2 + compressed;
}

static inline unsigned raw_record_size(const struct raw_bytes *raw) {
  unsigned fixed = 16 + raw->pointer_size * (raw->version > 8 ? 4 : 3) + 4;
  unsigned sites = fixed + 2 * (raw->version > 9 ? 3 : 2);
  unsigned end = raw->version > 8 ? (sites + 3) / 4 * 4 + 4 : sites;
  return (end + 7) / 8 * 8;
}

// Counters that the time of a function's first run takes.
static inline unsigned raw_stamp(const struct raw_bytes *raw) {
  return raw->temporal ? raw->coverage ? 8 : 1 : 0;
}

static inline void raw_put_header(struct raw_bytes *raw, size_t names_size) {
  uint64_t magic = raw->pointer_size == 8 ? 0xff6c70726f667281 : 0xff6c70726f665281;
  uint64_t delta = RAW_COUNTERS_ADDRESS - RAW_DATA_ADDRESS;
  raw_put(raw, magic, 8);
  raw_put(raw,
          raw->version | raw->variant | (uint64_t)raw->coverage << 60 |
              (uint64_t)raw->temporal << 63,
          8);
  raw_put(raw, 16, 8);                      // binary ids
  raw_put(raw, 2, 8);                       // functions
  raw_put(raw, 24, 8);                      // padding before counters
  raw_put(raw, 3 + 2 * raw_stamp(raw), 8);  // counters
  raw_put(raw, raw->coverage ? 13 : 16, 8); // padding after counters
  if (raw->version > 8) {
    raw_put(raw, 2, 8); // bitmap bytes
    raw_put(raw, 6, 8); // padding after them
  }
  raw_put(raw, names_size, 8);
  raw_put(raw, raw->pointer_size == 4 ? (uint32_t)delta : delta, 8);
  if (raw->version > 8)
    raw_put(raw, RAW_BITMAP_ADDRESS - RAW_DATA_ADDRESS, 8);
  raw_put(raw, 0xc000, 8); // names delta
  if (raw->version > 9) {
    raw_put(raw, 1, 8); // vtables
    raw_put(raw, 4, 8); // vtable names
  }
  raw_put(raw, raw->version > 9 ? 2 : 1, 8);
}

static inline void raw_put_record(struct raw_bytes *raw, unsigned index, const char *name,
                                  uint64_t hash, uint64_t address, unsigned counter,
                                  unsigned counters, bool rich) {
  size_t start = raw->size;
  uint64_t here = RAW_DATA_ADDRESS + index * raw_record_size(raw);
  unsigned sites = rich && !raw->no_values ? 1 : 0;
  raw_put(raw, contprof_name_ref(name, strlen(name)), 8);
  raw_put(raw, hash, 8);
  raw_put(raw, RAW_COUNTERS_ADDRESS + counter * (raw->coverage ? 1 : 8) - here, raw->pointer_size);
  if (raw->version > 8)
    raw_put(raw, RAW_BITMAP_ADDRESS - here, raw->pointer_size);
  raw_put(raw, address, raw->pointer_size);
  raw_put(raw, 0, raw->pointer_size);
  raw_put(raw, counters, 4);
  raw_put(raw, sites, 2);
  raw_put(raw, sites, 2);
  if (raw->version > 9)
    raw_put(raw, sites, 2);
  if (raw->version > 8) {
    raw_fill(raw, (start - raw->size) & 3, 0);
    raw_put(raw, rich ? 2 : 0, 4);
  }
  raw_fill(raw, start + raw_record_size(raw) - raw->size, 0);
}

static inline void raw_put_kind(struct raw_bytes *raw, unsigned kind, unsigned count,
                                const uint64_t (*values)[2]) {
  raw_put(raw, kind, 4);
  raw_put(raw, 1, 4);
  raw_put(raw, count, 1);
  raw_fill(raw, 7, 0);
  for (unsigned i = 0; i < count; i++) {
    raw_put(raw, values[i][0], 8);
    raw_put(raw, values[i][1], 8);
  }
}

// Call targets: helper 5 times, something unknown 2, main in an unused slot. Memops: 8 bytes
// thrice.
static inline void raw_put_values(struct raw_bytes *raw) {
  static const uint64_t calls[][2] = {
      {RAW_HELPER_ADDRESS, 5}, {0x77777777, 2}, {RAW_MAIN_ADDRESS, 0}};
  static const uint64_t memops[][2] = {{8, 3}};
  static const uint64_t vtables[][2] = {{RAW_VTABLE_ADDRESS + 16, 9}};
  bool three = raw->version > 9;
  raw_put(raw, 8 + 16 + 48 + 16 + 16 + (three ? 32 : 0), 4);
  raw_put(raw, three ? 3 : 2, 4);
  raw_put_kind(raw, 0, 3, calls);
  raw_put_kind(raw, 1, 1, memops);
  if (three)
    raw_put_kind(raw, 2, 1, vtables);
}

static inline void raw_put_vtables(struct raw_bytes *raw) {
  raw_put(raw, contprof_name_ref("vt", 2), 8);
  raw_put(raw, RAW_VTABLE_ADDRESS, raw->pointer_size);
  raw_put(raw, 64, 4);
  raw_fill(raw, raw->pointer_size == 8 ? 4 : 0, 0);
  memcpy(raw->bytes + raw->size, "\2\0vt\0\0\0\0", 8);
  raw->size += 8;
}

// Appends one image in the shape the fields ask for.
static inline void raw_put_image(struct raw_bytes *raw) {
  uint8_t names[256];
  size_t names_size = raw_put_names(raw, names);
  unsigned counter_size = raw->coverage ? 1 : 8;
  raw_put_header(raw, names_size);
  raw_put(raw, sizeof RAW_BUILD_ID, 8);
  memcpy(raw->bytes + raw->size, RAW_BUILD_ID, sizeof RAW_BUILD_ID);
  raw->size += sizeof RAW_BUILD_ID;
  raw_fill(raw, 3, 0);
  raw_put_record(raw, 0, "main", RAW_MAIN_HASH, RAW_MAIN_ADDRESS, 0, 2 + raw_stamp(raw), true);
  raw_put_record(raw, 1, "a.c:helper", RAW_HELPER_HASH, RAW_HELPER_ADDRESS, 2 + raw_stamp(raw),
                 1 + raw_stamp(raw), false);
  raw_fill(raw, 24, 0xaa);
  if (raw->temporal)
    raw_put(raw, 9, 8);
  raw_put(raw, raw->coverage ? 0 : 3, counter_size);
  raw_put(raw, raw->coverage ? 255 : 2, counter_size);
  if (raw->temporal)
    raw_put(raw, 4, 8);
  raw_put(raw, raw->coverage ? 0 : 7, counter_size);
  raw_fill(raw, raw->coverage ? 13 : 16, 0xaa);
  if (raw->version > 8) {
    raw_fill(raw, 1, 0x81);
    raw_fill(raw, 1, 0x18);
    raw_fill(raw, 6, 0xaa);
  }
  memcpy(raw->bytes + raw->size, names, names_size);
  raw->size += names_size;
  raw_fill(raw, -names_size & 7, 0);
  if (raw->version > 9)
    raw_put_vtables(raw);
  if (!raw->no_values)
    raw_put_values(raw);
}

#endif
