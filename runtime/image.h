// The module as the linker and loader laid it out: bounds of its profile sections, its build-id,
// its place in memory and its name. Filled once at start; everything it points at lives as long as
// the module is loaded.
//
// Files hold link-time addresses (the load bias taken off), so that two processes of one build
// write the same bytes whatever address-space randomisation did.
#ifndef CONTPROF_RUNTIME_IMAGE_H
#define CONTPROF_RUNTIME_IMAGE_H

#include <stdbool.h>

#include "abi.h"
#include "layout.h"

#define CONTPROF_VALUE_KINDS (IPVK_Last + 1)
// (value, count) pairs of a site of call targets, where no object says otherwise.
#define CONTPROF_DEFAULT_SLOTS 24
#define CONTPROF_NAME_SIZE 256
#define CONTPROF_BUILD_ID_SIZE 64

struct contprof_image {
  const struct contprof_raw_data *data;     // first data record
  const struct contprof_raw_data *data_end; // one past the last
  char *counters;                           // first byte of the static counters
  char *counters_end;                       // one past the last
  char *bitmap;                             // MC/DC bitmaps; equal ends if there are none
  char *bitmap_end;
  const char *names; // function names, as the compiler wrote them
  const char *names_end;
  const char *vtables; // version 10: vtable records
  const char *vtables_end;
  const char *vtable_names; // version 10
  const char *vtable_names_end;
  uint64_t version;    // format version and variant bits
  uint64_t load_bias;  // address in memory minus address in the ELF file, bytes
  uint64_t alignment;  // of the counters' place in the file, bytes: that of `counters` modulo it
  uint64_t segments;   // a hash of the program headers
  uint64_t records;    // a hash of the functions' names, hashes and places; never 0
  uint64_t start, end; // the module's segments in memory, end not in it
  bool executable;     // not a shared object
  bool records_as_in_file; // the data records in memory hold what the file has
  bool in_place;           // shadow mode: the counters' pages are those of the live file
  bool loaded_at_start;    // with the program, so that it is never unloaded; false if not known
  unsigned char build_id[CONTPROF_BUILD_ID_SIZE];
  uint64_t build_id_size;                             // bytes; 0 if there is none
  char build_id_text[2 * CONTPROF_BUILD_ID_SIZE + 1]; // in hexadecimal
  char name[CONTPROF_NAME_SIZE];       // of the module's file, base name; as executed
  char program[CONTPROF_NAME_SIZE];    // of the executable's file; "" until found
  uint8_t slots[CONTPROF_VALUE_KINDS]; // (value, count) pairs that each value site has in the file
  uint64_t values_size;                // bytes of value data in the file
  bool covers; // of a shard: what shard_cover.h wants stands behind the names
};

// Fills *image. False if the module has no counters, so that there is nothing to do.
bool contprof_image_find(struct contprof_image *image);

// Fills image->program in. Apart, since few names need it.
void contprof_image_find_program(struct contprof_image *image);

// A number that differs between modules and builds; for %m.
uint64_t contprof_image_signature(const struct contprof_image *image);

// The address as the file has it: link-time for addresses in the module, else as it is.
uint64_t contprof_image_address(const struct contprof_image *image, uint64_t address);

// The layout of the module's profile.
void contprof_image_layout(const struct contprof_image *image, struct contprof_layout *layout);

// The residue of the counters' place in the file modulo image->alignment.
static inline uint64_t contprof_image_residue(const struct contprof_image *image) {
  return (uintptr_t)image->counters & (image->alignment - 1);
}

static inline uint64_t contprof_image_counters_size(const struct contprof_image *image) {
  return (uint64_t)(image->counters_end - image->counters);
}

// Bytes of the names' blob that shard_cover.h describes.
#define CONTPROF_COVER_SIZE 32

// Of the names in the file.
static inline uint64_t contprof_image_names_size(const struct contprof_image *image) {
  uint64_t size = (uint64_t)(image->names_end - image->names);
  return image->covers ? size + contprof_padding(size) + CONTPROF_COVER_SIZE : size;
}

static inline uint64_t contprof_image_bitmap_size(const struct contprof_image *image) {
  return (uint64_t)(image->bitmap_end - image->bitmap);
}

#endif
