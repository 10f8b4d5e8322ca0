// One image of a raw profile (header, binary ids, data, counters, bitmap, names, vtables), cut into
// sections: where everything lies is decided and checked here, once. Value data follow the image
// and are read function by function (raw_values.h).
//
// Layouts: compiler-rt's profile/InstrProfData.inc (INSTR_PROF_RAW_HEADER, INSTR_PROF_DATA,
// INSTR_PROF_VTABLE_DATA) of LLVM 14 (version 8), 18 (9) and 19 (10). Sizes are bytes.
#ifndef CONTPROF_INSTR_RAW_IMAGE_H
#define CONTPROF_INSTR_RAW_IMAGE_H

#include "../base/cursor.h"
#include "address_map.h"
#include "profile.h"

struct contprof_raw_image {
  uint64_t variant;      // CONTPROF_VARIANT_* bits of the version field
  unsigned version;      // 8 to 10
  unsigned pointer_size; // 4 or 8
  unsigned kind_count;   // value kinds the version has: 2 or 3
  unsigned record_size;  // of a data record
  unsigned vtable_size;  // of a vtable record
  unsigned counter_size; // 8, or 1 for single-byte coverage
  // How many counters of each function are no counts but together the 8 bytes that say when it
  // first ran, in a temporal profile: the first one, or the first eight single bytes; else 0.
  unsigned stamp_counters;
  uint64_t function_count; // data records
  uint64_t vtable_count;
  // Distance of the section's start from the first data record's, in the program's memory.
  uint64_t counters_delta, bitmap_delta;
  // The sections. They share the error of the cursor they were cut from.
  struct contprof_cursor binary_ids, data, counters, bitmap, names, vtables, vtable_names;
};

// A data record: what the compiler says of one function. Names as in INSTR_PROF_DATA.
struct contprof_raw_record {
  uint64_t name_ref;         // contprof_name_ref of the name
  uint64_t hash;             // of the control flow
  uint64_t counter_pointer;  // from the record to its first counter, in the program's memory
  uint64_t bitmap_pointer;   // the same for its bitmap
  uint64_t function_pointer; // link-time address, 0 if its address is never taken
  uint32_t counter_count;
  uint32_t bitmap_size;
  uint16_t site_count[CONTPROF_VALUE_KINDS]; // value sites of each kind
  uint64_t offset;                           // of the record in the file, for messages
};

static inline bool contprof_raw_has_sites(const struct contprof_raw_record *record) {
  return record->site_count[0] || record->site_count[1] || record->site_count[2];
}

struct contprof_raw_vtable {
  uint64_t name_ref; // MD5 of the vtable's name
  uint64_t address;  // of its start
  uint32_t size;
};

// Tells a raw profile's magic in its first eight bytes: sets whether the other byte order is used,
// and the size of pointers. Returns false for any other number.
bool contprof_raw_magic(uint64_t magic, bool *swap, unsigned *pointer_size);

// Reads the header at the cursor's place and cuts out the sections; the cursor ends up behind the
// image. The first image sets the cursor's byte order, the others must have the same.
bool contprof_raw_take_image(struct contprof_cursor *file, struct contprof_raw_image *image);

// The next record of image->data.
struct contprof_raw_record contprof_raw_take_record(struct contprof_raw_image *image);

// The next record of image->vtables.
struct contprof_raw_vtable contprof_raw_take_vtable(struct contprof_raw_image *image);

// Adds where the functions, and the vtables, of the image stood in the program's memory to an empty
// map, ready for look-ups. Functions whose address the program never takes have none. All of the
// image's, wherever its cursors are.
void contprof_raw_map_functions(const struct contprof_raw_image *image,
                                struct contprof_address_map *map);
void contprof_raw_map_vtables(const struct contprof_raw_image *image,
                              struct contprof_address_map *map);

// A cursor over `size` bytes of `section` at `pointer` - (`delta` less the record's own distance
// from the first), which is where the program's memory had them. Fails, naming the record's offset,
// if they are not all inside.
struct contprof_cursor contprof_raw_part(const struct contprof_raw_image *image,
                                         const struct contprof_cursor *section,
                                         const struct contprof_raw_record *record, uint64_t pointer,
                                         uint64_t delta, uint64_t size);

#endif
