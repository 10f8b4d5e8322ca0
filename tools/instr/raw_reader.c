#include "raw_reader.h"

#include "../base/memory.h"
#include "../base/names.h"
#include "raw_image.h"
#include "raw_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// When functions first ran, of all images of the file.
struct stamps {
  struct stamp {
    uint64_t time; // any unit; a later one is larger
    uint64_t ref;  // the function's name_ref
  } * items;       // owned
  size_t count, room;
};

enum { SPARE_SITES = 1 << 20 };

struct image_reader {
  struct contprof_cursor *file; // at the next value data
  struct contprof_raw_image image;
  struct contprof_profile *profile; // where functions go; not owned
  struct contprof_profile repeated; // functions whose name and hash the image had before
  struct contprof_name_table names; // of functions
  size_t next_name;                 // the one expected: records are mostly in their order
  uint8_t *met;                     // of each name, whether a function before this has it; owned
  struct contprof_address_map functions; // by their link-time addresses
  struct contprof_address_map vtables;
  bool mapped;            // both maps are made
  uint64_t counters_left; // see spend
  uint64_t bitmap_left;
  uint64_t sites_left;
  struct stamps *stamps; // not owned
};

static void add_stamp(struct stamps *stamps, uint64_t time, uint64_t ref) {
  if (stamps->count == stamps->room) {
    stamps->room = stamps->room ? stamps->room * 2 : 256;
    stamps->items = contprof_need_array(stamps->items, stamps->room, sizeof *stamps->items);
  }
  stamps->items[stamps->count++] = (struct stamp){.time = time, .ref = ref};
}

bool contprof_is_raw(const struct contprof_file_view *file) {
  uint64_t magic;
  bool swap;
  unsigned pointer_size;
  if (file->size < sizeof magic)
    return false;
  memcpy(&magic, file->bytes, sizeof magic);
  return contprof_raw_magic(magic, &swap, &pointer_size);
}

// A binary id: u64 length, the bytes, padding to 8.
static bool take_binary_ids(struct image_reader *reader) {
  struct contprof_cursor *ids = &reader->image.binary_ids;
  while (contprof_cursor_ok(ids) && contprof_cursor_left(ids)) {
    uint64_t size = contprof_take_u64(ids);
    if (contprof_cursor_ok(ids) && !size)
      return contprof_cursor_corrupt(ids, "the binary id before this has no bytes");
    const uint8_t *bytes = contprof_take_bytes(ids, size);
    if (bytes && contprof_skip_to_alignment(ids, 8))
      contprof_profile_add_binary_id(reader->profile, bytes, size);
  }
  return contprof_cursor_ok(ids);
}

// A function that has not run yet has 0, or with single-byte coverage the ones that its bytes begin
// with.
static void take_stamp(struct image_reader *reader, struct contprof_cursor *counters,
                       uint64_t ref) {
  uint64_t time = contprof_take_u64(counters);
  if (contprof_cursor_ok(counters) && time && time != UINT64_MAX)
    add_stamp(reader->stamps, time, ref);
}

static bool take_vtable_names(struct image_reader *reader) {
  struct contprof_name_table names = {0};
  bool ok = contprof_name_table_read(&names, &reader->image.vtable_names);
  for (size_t i = 0; ok && i < names.count; i++)
    contprof_name_table_add(&reader->profile->vtables, &names.names[i]);
  contprof_name_table_free(&names);
  return ok;
}

// A byte of single-byte coverage is cleared when its block runs. The two numbers that have another
// meaning (CONTPROF_COUNT_HOT) can't come from counting.
static void take_counters(struct image_reader *reader, const struct contprof_raw_record *record,
                          struct contprof_function *function) {
  const struct contprof_raw_image *image = &reader->image;
  struct contprof_cursor counters = contprof_raw_part(
      image, &image->counters, record, record->counter_pointer, image->counters_delta,
      (uint64_t)record->counter_count * image->counter_size);
  if (image->stamp_counters)
    take_stamp(reader, &counters, record->name_ref);
  if (image->counter_size != 1)
    contprof_take_u64s(&counters, function->counters, function->counter_count);
  for (uint32_t i = 0; i < function->counter_count && contprof_cursor_ok(&counters); i++) {
    uint64_t *count = &function->counters[i];
    if (image->counter_size == 1)
      *count = contprof_take_u8(&counters) == 0;
    *count = *count < CONTPROF_COUNT_MAX ? *count : CONTPROF_COUNT_MAX;
  }
}

static void take_bitmap(struct image_reader *reader, const struct contprof_raw_record *record,
                        struct contprof_function *function) {
  const struct contprof_raw_image *image = &reader->image;
  if (!record->bitmap_size)
    return;
  struct contprof_cursor bitmap =
      contprof_raw_part(image, &image->bitmap, record, record->bitmap_pointer, image->bitmap_delta,
                        record->bitmap_size);
  const uint8_t *bytes = contprof_take_bytes(&bitmap, record->bitmap_size);
  if (bytes)
    memcpy(function->bitmap, bytes, record->bitmap_size);
}

// Each function has counters of its own, so that all functions together can't have more than the
// file has bytes. Value sites that have seen nothing take no room in the file, but a program has
// few of them for each byte of its profile. The check keeps a damaged file from asking for memory
// again and again.
static bool spend(struct image_reader *reader, const struct contprof_raw_record *record) {
  const struct contprof_cursor *data = &reader->image.data;
  if (record->counter_count <= reader->image.stamp_counters)
    return contprof_fail(data->error, CONTPROF_CORRUPT, data->file, "data", record->offset,
                         "a function without counters");
  if (record->counter_count > reader->counters_left || record->bitmap_size > reader->bitmap_left)
    return contprof_fail(data->error, CONTPROF_CORRUPT, data->file, "data", record->offset,
                         "the functions have more counters or bitmap bytes than the file");
  uint64_t sites = record->site_count[0] + record->site_count[1] + record->site_count[2];
  if (sites > reader->sites_left)
    return contprof_fail(data->error, CONTPROF_CORRUPT, data->file, "data", record->offset,
                         "the functions have too many value sites for a file of this size");
  reader->sites_left -= sites;
  reader->counters_left -= record->counter_count;
  reader->bitmap_left -= record->bitmap_size;
  return true;
}

static bool describe(struct image_reader *reader, const struct contprof_raw_record *record,
                     struct contprof_function *like) {
  const struct contprof_cursor *data = &reader->image.data;
  const struct contprof_name *name =
      contprof_name_table_find_next(&reader->names, record->name_ref, &reader->next_name);
  if (!name)
    return contprof_fail(data->error, CONTPROF_CORRUPT, data->file, "data", record->offset,
                         "a function's name, with MD5 %016" PRIx64 ", is not among the names",
                         record->name_ref);
  *like = (struct contprof_function){.name = name->text,
                                     .name_length = name->length,
                                     .name_ref = record->name_ref,
                                     .hash = record->hash,
                                     .counter_count =
                                         record->counter_count - reader->image.stamp_counters,
                                     .bitmap_size = record->bitmap_size};
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    like->site_count[kind] = record->site_count[kind];
  return true;
}

// Only a function whose name was met is looked for: to fill a hash table costs more than all else.
static bool is_repeated(struct image_reader *reader, const struct contprof_function *like) {
  uint8_t *met = &reader->met[reader->next_name - 1];
  bool repeated = *met && contprof_profile_find_like(reader->profile, like);
  *met = true;
  return repeated;
}

// Of use only to functions with value sites.
static void map_addresses(struct image_reader *reader) {
  if (reader->mapped)
    return;
  contprof_raw_map_functions(&reader->image, &reader->functions);
  contprof_raw_map_vtables(&reader->image, &reader->vtables);
  reader->mapped = true;
}

// A function may be there twice, from objects whose common functions the linker did not unite.
static void take_function(struct image_reader *reader, const struct contprof_raw_record *record,
                          const struct contprof_function *like) {
  struct contprof_raw_targets targets = {&reader->functions, &reader->vtables, 0};
  struct contprof_merge_report report = {0};
  bool again = is_repeated(reader, like);
  struct contprof_profile *owner = again ? &reader->repeated : reader->profile;
  struct contprof_function *function = contprof_profile_add_like(owner, like);
  take_counters(reader, record, function);
  take_bitmap(reader, record, function);
  if (contprof_raw_has_sites(record))
    map_addresses(reader);
  if (!contprof_raw_take_values(reader->file, &reader->image, &targets, owner, function) || !again)
    return;
  if (!contprof_profile_merge_function(reader->profile, function, 1, &report))
    contprof_profile_note_dropped(reader->profile, function->name, function->name_length);
}

static bool take_functions(struct image_reader *reader) {
  for (uint64_t i = 0; i < reader->image.function_count; i++) {
    struct contprof_function like;
    struct contprof_raw_record record = contprof_raw_take_record(&reader->image);
    if (!contprof_cursor_ok(reader->file) || !spend(reader, &record) ||
        !describe(reader, &record, &like))
      return false;
    take_function(reader, &record, &like);
  }
  return contprof_cursor_ok(reader->file);
}

// Reads the image at the cursor's place into the empty `profile`.
static bool read_image(struct contprof_cursor *file, struct contprof_profile *profile,
                       struct stamps *stamps) {
  struct image_reader reader = {.file = file,
                                .profile = profile,
                                .counters_left = file->size,
                                .bitmap_left = file->size,
                                .sites_left = SPARE_SITES + file->size,
                                .stamps = stamps};
  bool ok = contprof_raw_take_image(file, &reader.image) && take_binary_ids(&reader) &&
            contprof_name_table_read(&reader.names, &reader.image.names) &&
            take_vtable_names(&reader);
  if (ok) {
    profile->format = CONTPROF_FORMAT_RAW;
    profile->version = reader.image.version;
    profile->variant = reader.image.variant;
    profile->keeps_binary_ids = profile->binary_id_count && reader.image.version > 8;
    if (reader.image.bitmap.size)
      profile->bitmap_version = reader.image.version > 9 ? 12 : 11;
    reader.met = contprof_need(calloc(reader.names.count + 1, 1));
    ok = take_functions(&reader);
  }
  contprof_profile_free(&reader.repeated);
  free(reader.met);
  contprof_name_table_free(&reader.names);
  contprof_address_map_free(&reader.functions);
  contprof_address_map_free(&reader.vtables);
  return ok;
}

// What of an image its reader, and then its merge with those before it, left out.
static void note_dropped(struct contprof_profile *profile, const struct contprof_profile *image,
                         const struct contprof_merge_report *report) {
  for (uint64_t i = 0; i < image->functions_dropped; i++) {
    const char *name = i < CONTPROF_LEFT_OUT_NAMED ? image->dropped_names[i] : "";
    contprof_profile_note_dropped(profile, name, strlen(name));
  }
  for (uint64_t i = 0; i < report->functions_dropped; i++) {
    const char *name = i < CONTPROF_LEFT_OUT_NAMED ? report->left_out[i]->name : "";
    contprof_profile_note_dropped(profile, name, strlen(name));
  }
}

// An image that is not the file's first: another module's, or another thread's of the same.
static bool add_image(struct contprof_cursor *file, struct contprof_profile *profile,
                      struct stamps *stamps) {
  struct contprof_profile image = {0};
  struct contprof_merge_report report = {0};
  bool ok = read_image(file, &image, stamps);
  image.format = CONTPROF_FORMAT_NONE; // counts are judged when the whole file is merged
  ok = ok && contprof_profile_merge(profile, &image, 1, &report, file->file, file->error);
  note_dropped(profile, &image, &report);
  profile->path = NULL;
  contprof_profile_free(&image);
  return ok;
}

// Zero bytes may follow an image; what comes after them is the next one, 8-byte aligned. No magic
// starts with a zero byte.
static bool at_next_image(struct contprof_cursor *file) {
  while (contprof_cursor_left(file) && file->bytes[file->offset] == 0)
    contprof_skip(file, 1);
  file->section = "after the last image";
  if (contprof_cursor_left(file) && file->offset % 8)
    return contprof_cursor_corrupt(file, "bytes that are not 8-byte aligned");
  return contprof_cursor_left(file);
}

static int compare_stamps(const void *left_entry, const void *right_entry) {
  const struct stamp *left = left_entry, *right = right_entry;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return (left->ref > right->ref) - (left->ref < right->ref);
}

// All images of a file are one process, to llvm-profdata, and so one trace.
static void make_trace(struct contprof_profile *profile, const struct stamps *stamps) {
  struct contprof_arena arena = {0};
  if (!stamps->count)
    return;
  uint64_t *refs = contprof_arena_zeros(&arena, stamps->count, sizeof *refs);
  qsort(stamps->items, stamps->count, sizeof *stamps->items, compare_stamps);
  for (size_t i = 0; i < stamps->count; i++)
    refs[i] = stamps->items[i].ref;
  contprof_profile_add_trace(profile, 1, refs, stamps->count);
  profile->trace_stream = 1;
  contprof_arena_free(&arena);
}

bool contprof_raw_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                       struct contprof_error *error) {
  struct contprof_cursor cursor =
      contprof_cursor_over(file->bytes, file->size, 0, file->path, "header", error);
  struct stamps stamps = {0};
  bool ok = read_image(&cursor, profile, &stamps);
  while (ok && at_next_image(&cursor))
    ok = add_image(&cursor, profile, &stamps);
  ok = ok && contprof_cursor_ok(&cursor);
  if (ok)
    make_trace(profile, &stamps);
  else
    contprof_profile_free(profile);
  free(stamps.items);
  return ok;
}
