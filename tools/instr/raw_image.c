#include "raw_image.h"

#include <inttypes.h>
#include <string.h>

// "\xfflprofr\x81" read as a number; 32-bit programs write R for r.
#define MAGIC_64 UINT64_C(0xff6c70726f667281)
#define MAGIC_32 UINT64_C(0xff6c70726f665281)

// Bits 32 to 55 of the version field are free for variants in LLVM 19, and none is in use.
#define RESERVED_VARIANTS UINT64_C(0x00ffffff00000000)
#define VARIANTS UINT64_C(0xff00000000000000)

enum { RAW_OLDEST = 8, RAW_WITH_BITMAPS = 9, RAW_WITH_VTABLES = 10, RAW_NEWEST = 10 };

// The header's fields, in file order; the two marks say since which version a field is there.
struct header {
  uint64_t magic;
  uint64_t version;
  uint64_t binary_ids_size;
  uint64_t function_count;
  uint64_t padding_before_counters;
  uint64_t counter_count;
  uint64_t padding_after_counters;
  uint64_t bitmap_size;          // 9
  uint64_t padding_after_bitmap; // 9
  uint64_t names_size;
  uint64_t counters_delta;
  uint64_t bitmap_delta; // 9
  uint64_t names_delta;
  uint64_t vtable_count;      // 10
  uint64_t vtable_names_size; // 10
  uint64_t value_kind_last;
};

bool contprof_raw_magic(uint64_t magic, bool *swap, unsigned *pointer_size) {
  *swap = magic == __builtin_bswap64(MAGIC_64) || magic == __builtin_bswap64(MAGIC_32);
  if (*swap)
    magic = __builtin_bswap64(magic);
  *pointer_size = magic == MAGIC_64 ? 8 : 4;
  return magic == MAGIC_64 || magic == MAGIC_32;
}

static bool fail_at(const struct contprof_cursor *cursor, uint64_t offset, enum contprof_code code,
                    const char *message, uint64_t number) {
  return contprof_fail(cursor->error, code, cursor->file, cursor->section, cursor->base + offset,
                       "%s (%" PRIu64 ")", message, number);
}

static bool take_magic(struct contprof_cursor *file, struct contprof_raw_image *image) {
  bool swap, first = file->offset == 0;
  uint64_t magic = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  // Read in the first image's byte order, a following one's magic must come out straight.
  if (!contprof_raw_magic(magic, &swap, &image->pointer_size) || (swap && !first))
    return contprof_fail(file->error, first ? CONTPROF_UNSUPPORTED : CONTPROF_CORRUPT, file->file,
                         file->section, file->base + file->offset - 8,
                         first ? "not a raw profile" : "neither the end nor another raw profile");
  if (first)
    file->swap = swap;
  return true;
}

static bool check_variant(const struct contprof_cursor *file, uint64_t offset, uint64_t variant) {
  static const struct {
    uint64_t bits;
    const char *message;
  } unsupported[] = {
      {RESERVED_VARIANTS, "a variant of raw profiles that this build does not know"},
      {CONTPROF_VARIANT_CORRELATE, "the function names are in the program's debug info"},
      {CONTPROF_VARIANT_MEMPROF, "a memory profile"},
  };
  for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
    if (variant & unsupported[i].bits)
      return contprof_fail(file->error, CONTPROF_UNSUPPORTED, file->file, file->section,
                           file->base + offset, "%s", unsupported[i].message);
  return true;
}

static bool take_version(struct contprof_cursor *file, struct contprof_raw_image *image) {
  uint64_t offset = file->offset, field = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  uint32_t version = (uint32_t)field;
  if (version < RAW_OLDEST || version > RAW_NEWEST)
    return contprof_fail(file->error, CONTPROF_UNSUPPORTED, file->file, file->section,
                         file->base + offset, "raw version %" PRIu32 "; this build reads %d to %d",
                         version, RAW_OLDEST, RAW_NEWEST);
  image->version = version;
  image->variant = field & VARIANTS;
  return check_variant(file, offset, field & ~(uint64_t)UINT32_MAX);
}

// The rest of the fields, as they are; those that the version lacks stay 0.
static void take_fields(struct contprof_cursor *file, unsigned version, struct header *header) {
  bool bitmaps = version >= RAW_WITH_BITMAPS, vtables = version >= RAW_WITH_VTABLES;
  header->binary_ids_size = contprof_take_u64(file);
  header->function_count = contprof_take_u64(file);
  header->padding_before_counters = contprof_take_u64(file);
  header->counter_count = contprof_take_u64(file);
  header->padding_after_counters = contprof_take_u64(file);
  header->bitmap_size = bitmaps ? contprof_take_u64(file) : 0;
  header->padding_after_bitmap = bitmaps ? contprof_take_u64(file) : 0;
  header->names_size = contprof_take_u64(file);
  header->counters_delta = contprof_take_u64(file);
  header->bitmap_delta = bitmaps ? contprof_take_u64(file) : 0;
  header->names_delta = contprof_take_u64(file);
  header->vtable_count = vtables ? contprof_take_u64(file) : 0;
  header->vtable_names_size = vtables ? contprof_take_u64(file) : 0;
  header->value_kind_last = contprof_take_u64(file);
}

// Sizes of records, as the compiler of the profiled program laid them out: 8-byte aligned. By
// version: 8 has 2 value kinds and no bitmap, 9 adds the bitmap, 10 the third kind.
static void set_sizes(struct contprof_raw_image *image) {
  bool wide = image->pointer_size == 8;
  image->kind_count = image->version >= RAW_WITH_VTABLES ? 3 : 2;
  image->vtable_size = wide ? 24 : 16;
  if (image->version >= RAW_WITH_BITMAPS)
    image->record_size = wide ? 64 : 48;
  else
    image->record_size = wide ? 48 : 40;
  image->counter_size = image->variant & CONTPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
  image->stamp_counters =
      image->variant & CONTPROF_VARIANT_TEMPORAL ? sizeof(uint64_t) / image->counter_size : 0;
}

// Cuts `count` entries of `size` bytes each.
static struct contprof_cursor take_section(struct contprof_cursor *file, const char *section,
                                           uint64_t count, uint64_t size) {
  uint64_t bytes;
  file->section = section;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = UINT64_MAX;
  return contprof_take_sub(file, bytes, section);
}

static bool take_padding(struct contprof_cursor *file, const char *section, uint64_t size) {
  file->section = section;
  return contprof_skip(file, size);
}

static bool take_sections(struct contprof_cursor *file, const struct header *header,
                          struct contprof_raw_image *image) {
  image->binary_ids = take_section(file, "binary ids", header->binary_ids_size, 1);
  image->data = take_section(file, "data", header->function_count, image->record_size);
  take_padding(file, "padding before the counters", header->padding_before_counters);
  image->counters = take_section(file, "counters", header->counter_count, image->counter_size);
  take_padding(file, "padding after the counters", header->padding_after_counters);
  image->bitmap = take_section(file, "bitmap", header->bitmap_size, 1);
  take_padding(file, "padding after the bitmap", header->padding_after_bitmap);
  image->names = take_section(file, "names", header->names_size, 1);
  take_padding(file, "padding after the names", -header->names_size & 7);
  // A record's size is a multiple of 8, so no padding follows.
  image->vtables = take_section(file, "vtables", header->vtable_count, image->vtable_size);
  image->vtable_names = take_section(file, "vtable names", header->vtable_names_size, 1);
  return take_padding(file, "padding after the vtable names", -header->vtable_names_size & 7);
}

// What stands in no relation to the file's size. `start` is the header's offset.
static bool check_fields(const struct contprof_cursor *file, uint64_t start,
                         const struct header *header, const struct contprof_raw_image *image) {
  if (header->binary_ids_size % 8)
    return fail_at(file, start + 16, CONTPROF_CORRUPT, "size of the binary ids is no multiple of 8",
                   header->binary_ids_size);
  // A smaller one is another kind of writer that has no values; LLVM looks at neither.
  if (header->value_kind_last >= image->kind_count)
    return fail_at(file, file->offset - 8, CONTPROF_CORRUPT, "last value kind is not the version's",
                   header->value_kind_last);
  if (!header->function_count && header->counter_count)
    return fail_at(file, start + 24, CONTPROF_UNSUPPORTED,
                   "counters without functions, which are in the program: llvm-profdata merge "
                   "--debug-info=PROGRAM or --binary-file=PROGRAM finds them; counters:",
                   header->counter_count);
  return true;
}

bool contprof_raw_take_image(struct contprof_cursor *file, struct contprof_raw_image *image) {
  struct header header = {0};
  uint64_t start = file->offset;
  memset(image, 0, sizeof *image);
  file->section = "header";
  if (!take_magic(file, image) || !take_version(file, image))
    return false;
  take_fields(file, image->version, &header);
  set_sizes(image);
  if (!contprof_cursor_ok(file) || !check_fields(file, start, &header, image))
    return false;
  image->function_count = header.function_count;
  image->vtable_count = header.vtable_count;
  image->counters_delta = header.counters_delta;
  image->bitmap_delta = header.bitmap_delta;
  return take_sections(file, &header, image);
}

static uint64_t take_pointer(struct contprof_cursor *cursor, unsigned size) {
  return size == 8 ? contprof_take_u64(cursor) : contprof_take_u32(cursor);
}

struct contprof_raw_record contprof_raw_take_record(struct contprof_raw_image *image) {
  struct contprof_raw_record record = {.offset = image->data.base + image->data.offset};
  struct contprof_cursor fields = contprof_take_sub(&image->data, image->record_size, "data");
  bool bitmaps = image->version >= RAW_WITH_BITMAPS;
  record.name_ref = contprof_take_u64(&fields);
  record.hash = contprof_take_u64(&fields);
  record.counter_pointer = take_pointer(&fields, image->pointer_size);
  record.bitmap_pointer = bitmaps ? take_pointer(&fields, image->pointer_size) : 0;
  record.function_pointer = take_pointer(&fields, image->pointer_size);
  take_pointer(&fields, image->pointer_size); // Values, of use to the program alone
  record.counter_count = contprof_take_u32(&fields);
  for (unsigned kind = 0; kind < image->kind_count; kind++)
    record.site_count[kind] = contprof_take_u16(&fields);
  contprof_skip_to_alignment(&fields, 4);
  record.bitmap_size = bitmaps ? contprof_take_u32(&fields) : 0;
  return record;
}

struct contprof_raw_vtable contprof_raw_take_vtable(struct contprof_raw_image *image) {
  struct contprof_raw_vtable vtable;
  struct contprof_cursor fields = contprof_take_sub(&image->vtables, image->vtable_size, "vtables");
  vtable.name_ref = contprof_take_u64(&fields);
  vtable.address = take_pointer(&fields, image->pointer_size);
  vtable.size = contprof_take_u32(&fields);
  return vtable;
}

void contprof_raw_map_functions(const struct contprof_raw_image *from,
                                struct contprof_address_map *map) {
  struct contprof_raw_image image = *from;
  contprof_seek(&image.data, 0);
  for (uint64_t i = 0; i < image.function_count; i++) {
    struct contprof_raw_record record = contprof_raw_take_record(&image);
    if (record.function_pointer)
      contprof_address_map_add(map, record.function_pointer, 1, record.name_ref);
  }
  contprof_address_map_sort(map);
}

void contprof_raw_map_vtables(const struct contprof_raw_image *from,
                              struct contprof_address_map *map) {
  struct contprof_raw_image image = *from;
  contprof_seek(&image.vtables, 0);
  for (uint64_t i = 0; i < image.vtable_count; i++) {
    struct contprof_raw_vtable vtable = contprof_raw_take_vtable(&image);
    if (vtable.address)
      contprof_address_map_add(map, vtable.address, vtable.size, vtable.name_ref);
  }
  contprof_address_map_sort(map);
}

struct contprof_cursor contprof_raw_part(const struct contprof_raw_image *image,
                                         const struct contprof_cursor *section,
                                         const struct contprof_raw_record *record, uint64_t pointer,
                                         uint64_t delta, uint64_t size) {
  struct contprof_cursor part = *section;
  uint64_t at = pointer - (delta - (record->offset - image->data.base));
  if (image->pointer_size == 4)
    at = (uint32_t)at;
  if (at > part.size || size > part.size - at)
    contprof_fail(part.error, CONTPROF_CORRUPT, part.file, "data", record->offset,
                  "a function's %s, %" PRIu64 " bytes at offset %" PRId64
                  " of that section, are not inside its %" PRIu64,
                  part.section, size, (int64_t)at, part.size);
  else
    contprof_seek(&part, at);
  return part;
}
