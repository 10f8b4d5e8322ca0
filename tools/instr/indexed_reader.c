#include "indexed_reader.h"

#include "../base/cursor.h"
#include "../base/names.h"
#include "indexed_format.h"

#include <inttypes.h>
#include <string.h>

// The header, and what is needed to read behind it. Offsets are from the file's start; those that
// the version has not are 0.
struct header {
  uint64_t version;           // without variant bits
  uint64_t variant;           // CONTPROF_VARIANT_*
  uint64_t hash_type;         // CONTPROF_INDEXED_HASH_MD5
  uint64_t hash_offset;       // of the hash table's index
  uint64_t memprof_offset;    // of heap profiles, which are not read
  uint64_t binary_ids_offset; // 0 if none
  uint64_t temporal_offset;   // of traces of function starts; 0 if none
  uint64_t vtables_offset;    // of the names of vtables
};

// The hash table's index: where each bucket's items begin.
struct index {
  uint64_t bucket_count;          // a power of two
  uint64_t item_count;            // keys in all buckets
  struct contprof_cursor offsets; // bucket_count offsets, 8 bytes each; 0 for an empty bucket
};

bool contprof_is_indexed(const struct contprof_file_view *file) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor =
      contprof_cursor_over(file->bytes, file->size, 0, file->path, "header", &error);
  return contprof_take_u64(&cursor) == CONTPROF_INDEXED_MAGIC && contprof_cursor_ok(&cursor);
}

static bool check_version(struct contprof_cursor *file, const struct header *header) {
  if (!contprof_cursor_ok(file))
    return false;
  if (header->version >= CONTPROF_INDEXED_OLDEST_READ && header->version <= CONTPROF_INDEXED_NEWEST)
    return true;
  return contprof_fail(file->error, CONTPROF_UNSUPPORTED, file->file, file->section, 8,
                       "indexed version %" PRIu64 "; %d to %d can be read", header->version,
                       CONTPROF_INDEXED_OLDEST_READ, CONTPROF_INDEXED_NEWEST);
}

static uint64_t take_offset(struct contprof_cursor *file, const struct header *header,
                            uint64_t since) {
  return header->version >= since ? contprof_take_u64(file) : 0;
}

static bool check_offset(struct contprof_cursor *file, const char *what, uint64_t offset) {
  if (offset <= file->size)
    return true;
  return contprof_cursor_corrupt(file, "the %s at %" PRIu64 " are behind the end of %" PRIu64, what,
                                 offset, file->size);
}

static bool check_header(struct contprof_cursor *file, const struct header *header) {
  if (!contprof_cursor_ok(file))
    return false;
  if (header->hash_type != CONTPROF_INDEXED_HASH_MD5)
    return contprof_cursor_corrupt(file, "hash type %" PRIu64 "; 0 is the only one",
                                   header->hash_type);
  return check_offset(file, "functions", header->hash_offset) &&
         check_offset(file, "heap profiles", header->memprof_offset) &&
         check_offset(file, "binary ids", header->binary_ids_offset) &&
         check_offset(file, "temporal traces", header->temporal_offset) &&
         check_offset(file, "vtable names", header->vtables_offset);
}

static bool take_header(struct contprof_cursor *file, struct header *header) {
  if (contprof_take_u64(file) != CONTPROF_INDEXED_MAGIC && contprof_cursor_ok(file))
    return contprof_cursor_corrupt(file, "not an indexed profile");
  uint64_t version = contprof_take_u64(file);
  *header = (struct header){.version = version & CONTPROF_INDEXED_VERSION_MASK,
                            .variant = version & ~CONTPROF_INDEXED_VERSION_MASK};
  if (!check_version(file, header))
    return false;
  contprof_skip(file, 8); // unused
  header->hash_type = contprof_take_u64(file);
  header->hash_offset = contprof_take_u64(file);
  header->memprof_offset = take_offset(file, header, CONTPROF_INDEXED_WITH_MEMPROF);
  header->binary_ids_offset = take_offset(file, header, CONTPROF_INDEXED_WITH_BINARY_IDS);
  header->temporal_offset = take_offset(file, header, CONTPROF_INDEXED_WITH_TEMPORAL);
  header->vtables_offset = take_offset(file, header, CONTPROF_INDEXED_WITH_VTABLES);
  return check_header(file, header);
}

// The summary is not kept: it follows from the counts.
static bool skip_summary(struct contprof_cursor *file, const char *section) {
  file->section = section;
  uint64_t fields = contprof_take_u64(file), entries = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (fields > contprof_cursor_left(file) / 8)
    return contprof_cursor_corrupt(file, "%" PRIu64 " fields are more than the file holds", fields);
  contprof_skip(file, fields * 8);
  if (entries > contprof_cursor_left(file) / CONTPROF_INDEXED_SUMMARY_ENTRY_SIZE)
    return contprof_cursor_corrupt(file, "%" PRIu64 " cutoffs are more than the file holds",
                                   entries);
  return contprof_skip(file, entries * CONTPROF_INDEXED_SUMMARY_ENTRY_SIZE);
}

static bool take_index(struct contprof_cursor *file, const struct header *header,
                       struct index *index) {
  uint64_t place = file->offset;
  file->section = "index";
  if (header->hash_offset < place)
    return contprof_cursor_corrupt(file, "the index at %" PRIu64 " is inside what precedes it",
                                   header->hash_offset);
  contprof_seek(file, header->hash_offset);
  index->bucket_count = contprof_take_u64(file);
  index->item_count = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (!index->bucket_count || (index->bucket_count & (index->bucket_count - 1)))
    return contprof_cursor_corrupt(file, "%" PRIu64 " buckets: not a power of two",
                                   index->bucket_count);
  if (index->bucket_count > contprof_cursor_left(file) / 8)
    return contprof_cursor_corrupt(file, "%" PRIu64 " buckets are more than the file holds",
                                   index->bucket_count);
  index->offsets = contprof_take_sub(file, index->bucket_count * 8, "index");
  return contprof_seek(file, place);
}

// An item stands in the bucket its hash says, or nobody who looks for it finds it.
static bool check_item(struct contprof_cursor *items, struct index *index, uint64_t hash,
                       uint64_t bucket) {
  contprof_seek(&index->offsets, (hash & (index->bucket_count - 1)) * 8);
  if (contprof_take_u64(&index->offsets) == bucket || !contprof_cursor_ok(items))
    return contprof_cursor_ok(items);
  return contprof_cursor_corrupt(items,
                                 "the index does not lead to the item in the bucket "
                                 "at %" PRIu64,
                                 bucket);
}

// The head of a ValueProfRecord; leaves the cursor at its site counts.
static bool take_kind(struct contprof_cursor *data, uint32_t *kind, uint32_t *sites) {
  *kind = contprof_take_u32(data);
  *sites = contprof_take_u32(data);
  if (!contprof_cursor_ok(data))
    return false;
  if (*kind >= CONTPROF_VALUE_KINDS)
    return contprof_cursor_corrupt(data, "value kind %" PRIu32 " is not known", *kind);
  if (*sites > contprof_cursor_left(data))
    return contprof_cursor_corrupt(data, "%" PRIu32 " value sites are more than the record holds",
                                   *sites);
  return true;
}

static bool skip_site_values(struct contprof_cursor *data, uint32_t sites) {
  const uint8_t *counts = contprof_take_bytes(data, sites);
  contprof_skip_to_alignment(data, 8);
  for (uint32_t i = 0; counts && i < sites; i++)
    contprof_skip(data, (uint64_t)counts[i] * CONTPROF_INDEXED_VALUE_SIZE);
  return contprof_cursor_ok(data);
}

// Takes the whole of a ValueProfData as `data`, checks how it is cut up, and counts its sites.
static bool take_value_data(struct contprof_cursor *item, struct contprof_cursor *data,
                            uint32_t site_count[CONTPROF_VALUE_KINDS]) {
  struct contprof_cursor head = *item;
  uint32_t size = contprof_take_u32(&head), kinds = contprof_take_u32(&head);
  if (!contprof_cursor_ok(item))
    return false;
  if (size < CONTPROF_INDEXED_VALUE_HEAD || size % 8)
    return contprof_cursor_corrupt(item, "value data of %" PRIu32 " bytes", size);
  if (kinds > CONTPROF_VALUE_KINDS)
    return contprof_cursor_corrupt(item, "%" PRIu32 " kinds of value data", kinds);
  *data = contprof_take_sub(item, size, "value data");
  struct contprof_cursor walk = *data;
  contprof_skip(&walk, CONTPROF_INDEXED_VALUE_HEAD);
  for (uint32_t i = 0, kind, sites; i < kinds; i++) {
    if (!take_kind(&walk, &kind, &sites))
      return false;
    if (site_count[kind])
      return contprof_cursor_corrupt(&walk, "value kind %" PRIu32 " is there twice", kind);
    site_count[kind] = sites;
    if (!skip_site_values(&walk, sites))
      return false;
  }
  return contprof_cursor_ok(item);
}

static void take_site(struct contprof_cursor *data, uint8_t count, struct contprof_profile *profile,
                      struct contprof_value_site *site) {
  struct contprof_value values[UINT8_MAX];
  for (int i = 0; i < count; i++) {
    values[i].value = contprof_take_u64(data);
    values[i].count = contprof_take_u64(data);
  }
  contprof_profile_set_site(profile, site, values, count);
}

static void take_values(struct contprof_cursor *data, struct contprof_profile *profile,
                        struct contprof_function *function) {
  contprof_skip(data, 4);
  uint32_t kinds = contprof_take_u32(data);
  for (uint32_t i = 0, kind, sites; i < kinds && take_kind(data, &kind, &sites); i++) {
    const uint8_t *counts = contprof_take_bytes(data, sites);
    contprof_skip_to_alignment(data, 8);
    for (uint32_t site = 0; site < sites; site++)
      take_site(data, counts[site], profile, &function->sites[kind][site]);
  }
}

// A number of 8-byte elements that follow, checked to be inside the item.
static uint32_t take_length(struct contprof_cursor *item, const char *what) {
  uint64_t length = contprof_take_u64(item);
  if (length <= contprof_cursor_left(item) / 8 && length <= UINT32_MAX)
    return (uint32_t)length;
  contprof_cursor_corrupt(item, "%" PRIu64 " %s are more than the item holds", length, what);
  return 0;
}

// One function's record: where its parts are, checked, so that what is added is whole.
struct record {
  uint64_t hash;                             // of the control flow
  struct contprof_cursor counters;           // 8 bytes each
  struct contprof_cursor bitmap;             // 8 bytes for each byte
  struct contprof_cursor values;             // ValueProfData
  uint32_t site_count[CONTPROF_VALUE_KINDS]; // value sites
};

static bool take_record(struct contprof_cursor *item, uint64_t version, struct record *record) {
  *record = (struct record){.hash = contprof_take_u64(item)};
  uint32_t counters = take_length(item, "counters");
  if (contprof_cursor_ok(item) && !counters)
    return contprof_cursor_corrupt(item, "a function without counters");
  record->counters = contprof_take_sub(item, (uint64_t)counters * 8, "counters");
  uint32_t bitmap =
      version >= CONTPROF_INDEXED_WITH_BITMAPS ? take_length(item, "bitmap bytes") : 0;
  record->bitmap = contprof_take_sub(item, (uint64_t)bitmap * 8, "bitmap");
  return contprof_cursor_ok(item) && take_value_data(item, &record->values, record->site_count);
}

static bool take_bitmap(struct contprof_cursor *bitmap, struct contprof_function *function) {
  for (uint32_t i = 0; i < function->bitmap_size; i++) {
    uint64_t byte = contprof_take_u64(bitmap);
    if (byte > UINT8_MAX)
      return contprof_cursor_corrupt(bitmap, "%" PRIu64 " is not a byte", byte);
    function->bitmap[i] = (uint8_t)byte;
  }
  return true;
}

enum { FEW = 64 }; // functions

// Functions of one name stand in one bucket, so that a second one is looked for there; in large
// buckets, which only damaged files have, among all.
static bool is_there(const struct contprof_profile *profile, size_t first,
                     const struct contprof_function *shape) {
  if (profile->function_count - first > FEW)
    return contprof_profile_find_like(profile, shape);
  for (size_t i = first; i < profile->function_count; i++)
    if (profile->functions[i]->hash == shape->hash &&
        profile->functions[i]->name_length == shape->name_length &&
        memcmp(profile->functions[i]->name, shape->name, shape->name_length) == 0)
      return true;
  return false;
}

// `name_ref` is known to be the name's: no need to compute it again for each function. `first` is
// the number of the bucket's first function.
static bool take_function(struct contprof_cursor *item, uint64_t version, const char *name,
                          size_t length, uint64_t name_ref, size_t first,
                          struct contprof_profile *profile) {
  struct record record;
  if (!take_record(item, version, &record))
    return false;
  struct contprof_function shape = {.name = name,
                                    .name_length = length,
                                    .name_ref = name_ref,
                                    .hash = record.hash,
                                    .counter_count = (uint32_t)(record.counters.size / 8),
                                    .bitmap_size = (uint32_t)(record.bitmap.size / 8)};
  memcpy(shape.site_count, record.site_count, sizeof shape.site_count);
  if (is_there(profile, first, &shape))
    return contprof_cursor_corrupt(item, "%.*s with hash 0x%016" PRIx64 " is there twice",
                                   (int)(length < 200 ? length : 200), name, record.hash);
  struct contprof_function *function = contprof_profile_add_like(profile, &shape);
  contprof_take_u64s(&record.counters, function->counters, function->counter_count);
  take_values(&record.values, profile, function);
  if (function->bitmap_size)
    profile->bitmap_version = version > CONTPROF_INDEXED_WITH_BITMAPS ? 12 : 11;
  return take_bitmap(&record.bitmap, function);
}

// A key: a name and all functions of that name.
static bool take_item(struct contprof_cursor *items, struct index *index, uint64_t bucket,
                      uint64_t version, size_t first, struct contprof_profile *profile) {
  uint64_t hash = contprof_take_u64(items);
  uint64_t name_length = contprof_take_u64(items), size = contprof_take_u64(items);
  const char *name = (const char *)contprof_take_bytes(items, name_length);
  if (!name || !check_item(items, index, hash, bucket))
    return false;
  if (hash != contprof_name_ref(name, name_length))
    return contprof_cursor_corrupt(items, "the hash before the name is not the name's");
  if (!size)
    return contprof_cursor_corrupt(items, "a name without functions");
  struct contprof_cursor item = contprof_take_sub(items, size, "functions");
  while (contprof_cursor_ok(items) && contprof_cursor_left(&item))
    if (!take_function(&item, version, name, name_length, hash, first, profile))
      return false;
  return contprof_cursor_ok(items);
}

// Whether nothing that is looked at later stands before the index.
static bool is_in_order(const struct header *header) {
  const uint64_t later[] = {header->binary_ids_offset, header->temporal_offset,
                            header->vtables_offset};
  bool ok = true;
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    ok &= !later[i] || later[i] >= header->hash_offset;
  return ok;
}

enum { LEAST_ITEM = 56 }; // bytes: hash, two sizes, and of a function hash, counter and value data

// Bucket after bucket, as they lie in the file: the order in which llvm-profdata shows them.
static bool take_items(struct contprof_cursor *file, const struct contprof_file_view *view,
                       const struct header *header, struct index *index,
                       struct contprof_profile *profile) {
  uint64_t most = contprof_cursor_left(file) / LEAST_ITEM;
  bool in_order = is_in_order(header);
  contprof_profile_expect(profile, index->item_count < most ? index->item_count : most);
  uint64_t forgotten = 0;
  struct contprof_cursor items = *file;
  items.section = "functions";
  items.size = header->hash_offset;
  for (uint64_t left = index->item_count; left;) {
    uint64_t bucket = items.offset, in_bucket = contprof_take_u16(&items);
    if (!contprof_cursor_ok(&items))
      return false;
    if (!in_bucket || in_bucket > left)
      return contprof_cursor_corrupt(
          &items, "a bucket of %" PRIu64 " names where %" PRIu64 " are left", in_bucket, left);
    size_t first = profile->function_count;
    for (left -= in_bucket; in_bucket; in_bucket--)
      if (!take_item(&items, index, bucket, header->version, first, profile))
        return false;
    if (in_order)
      contprof_file_forget(view, items.offset, &forgotten);
  }
  return contprof_cursor_ok(&items);
}

static bool take_binary_ids(struct contprof_cursor *file, const struct header *header,
                            struct contprof_profile *profile) {
  if (header->version < CONTPROF_INDEXED_WITH_BINARY_IDS)
    return true;
  file->section = "binary ids";
  contprof_seek(file, header->binary_ids_offset);
  struct contprof_cursor ids = contprof_take_sub(file, contprof_take_u64(file), "binary ids");
  while (contprof_cursor_ok(file) && contprof_cursor_left(&ids)) {
    uint64_t size = contprof_take_u64(&ids);
    const uint8_t *bytes = contprof_take_bytes(&ids, size);
    contprof_skip_to_alignment(&ids, 8);
    if (contprof_cursor_ok(file) && !size)
      return contprof_cursor_corrupt(&ids, "an empty binary id");
    if (contprof_cursor_ok(file))
      contprof_profile_add_binary_id(profile, bytes, size);
  }
  profile->keeps_binary_ids = profile->binary_id_count > 0;
  return contprof_cursor_ok(file);
}

static bool take_vtable_names(struct contprof_cursor *file, const struct header *header,
                              struct contprof_profile *profile) {
  struct contprof_name_table names = {0};
  if (header->version < CONTPROF_INDEXED_WITH_VTABLES)
    return true;
  file->section = "vtable names";
  contprof_seek(file, header->vtables_offset);
  struct contprof_cursor section = contprof_take_sub(file, contprof_take_u64(file), "vtable names");
  bool ok = contprof_name_table_read(&names, &section);
  for (size_t i = 0; ok && i < names.count; i++)
    contprof_name_table_add(&profile->vtables, &names.names[i]);
  contprof_name_table_free(&names);
  return ok;
}

static bool take_trace(struct contprof_cursor *file, struct contprof_profile *profile) {
  struct contprof_arena arena = {0};
  uint64_t weight = contprof_take_u64(file), count = contprof_take_u64(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (count > contprof_cursor_left(file) / 8)
    return contprof_cursor_corrupt(file, "a trace of %" PRIu64 " functions is more than is left",
                                   count);
  uint64_t *refs = contprof_arena_zeros(&arena, count, sizeof *refs);
  for (uint64_t i = 0; i < count; i++)
    refs[i] = contprof_take_u64(file);
  contprof_profile_add_trace(profile, weight, refs, count);
  contprof_arena_free(&arena);
  return true;
}

// Their number, how many they are a sample of, and each: weight, number of functions, their names'
// references.
static bool take_traces(struct contprof_cursor *file, const struct header *header,
                        struct contprof_profile *profile) {
  if (header->version < CONTPROF_INDEXED_WITH_TEMPORAL ||
      !(header->variant & CONTPROF_VARIANT_TEMPORAL)) {
    profile->variant &= ~CONTPROF_VARIANT_TEMPORAL;
    return true;
  }
  file->section = "temporal traces";
  contprof_seek(file, header->temporal_offset);
  uint64_t count = contprof_take_u64(file);
  profile->trace_stream = contprof_take_u64(file);
  if (profile->trace_stream > CONTPROF_TRACE_STREAM_MAX)
    profile->trace_stream = CONTPROF_TRACE_STREAM_MAX;
  for (; count && contprof_cursor_ok(file); count--)
    take_trace(file, profile);
  return contprof_cursor_ok(file);
}

static bool read_file(struct contprof_cursor *file, const struct contprof_file_view *view,
                      struct contprof_profile *profile) {
  struct header header = {0};
  struct index index;
  if (!take_header(file, &header) || !skip_summary(file, "summary"))
    return false;
  if ((header.variant & CONTPROF_VARIANT_CS) && !skip_summary(file, "context-sensitive summary"))
    return false;
  profile->format = CONTPROF_FORMAT_INDEXED;
  profile->version = header.version;
  profile->variant = header.variant;
  return take_index(file, &header, &index) && take_items(file, view, &header, &index, profile) &&
         take_binary_ids(file, &header, profile) && take_vtable_names(file, &header, profile) &&
         take_traces(file, &header, profile);
}

bool contprof_indexed_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                           struct contprof_error *error) {
  struct contprof_cursor cursor =
      contprof_cursor_over(file->bytes, file->size, 0, file->path, "header", error);
  bool ok = read_file(&cursor, file, profile);
  if (!ok)
    contprof_profile_free(profile);
  return ok;
}
