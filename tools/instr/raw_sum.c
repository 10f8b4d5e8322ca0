#include "raw_sum.h"
#include "../base/memory.h"

#include "add_counts.h"
#include "raw_compare.h"
#include "raw_values.h"

#include <stdlib.h>
#include <string.h>

// What a data record has of its function.
struct record {
  struct contprof_function *function; // of `into`; NULL: its shape lost against another's
  uint64_t counters;                  // index of its first counter in the section
  uint64_t bitmap;                    // offset of its bitmap in the section
};

struct contprof_raw_sum {
  struct contprof_raw_pattern like; // its bytes are owned
  struct record *records;           // image.function_count of them; in the arena
  uint64_t *with_sites;             // indices of the records with value sites; in the arena
  uint64_t with_sites_count;
  struct contprof_binary_id *binary_ids; // in the arena
  size_t binary_id_count;
  struct contprof_address_map functions, vtables;
  uint64_t key; // of the build
  bool cut;     // a sum of values was
  struct contprof_error error;
  struct contprof_arena arena;
};

struct contprof_raw_share {
  uint64_t *counts;               // sums, for each counter of the section; in the arena
  uint8_t *bits;                  // OR of the bitmaps; in the arena
  struct contprof_function *said; // sites alone: what one file says, for each of with_sites
  bool cut;                       // a sum of counts was
  bool empty;                     // nothing has been added since the start or the last flush
  uint8_t *piece; // CONTPROF_RAW_PIECE bytes, for files opened in part; in the arena
  struct contprof_arena arena;
};

// --- telling builds apart -----------------------------------------------------------------------

static bool take_image(const struct contprof_file_view *file, struct contprof_cursor *cursor,
                       struct contprof_raw_image *image, struct contprof_error *error) {
  contprof_error_clear(error);
  *cursor = contprof_cursor_over(file->bytes, file->size, 0, file->path, "header", error);
  return contprof_raw_take_image(cursor, image) && !cursor->swap && image->pointer_size == 8 &&
         !(image->variant & CONTPROF_VARIANT_TEMPORAL);
}

static uint64_t mix(uint64_t key, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    key = (key ^ bytes[i]) * UINT64_C(0x100000001b3);
  return key;
}

static uint64_t mix_number(uint64_t key, uint64_t number) {
  return mix(key, (const uint8_t *)&number, sizeof number);
}

// The cut sections tell the header's fields. NamesDelta depends on where the program was loaded,
// and is in none of them; BitmapDelta does where there is no bitmap.
static uint64_t key_of(const struct contprof_raw_image *image) {
  uint64_t key = UINT64_C(0xcbf29ce484222325);
  key = mix_number(key, image->variant | image->version);
  key = mix_number(key, image->function_count);
  key = mix_number(key, image->counters_delta);
  key = mix_number(key, image->bitmap.size ? image->bitmap_delta : 0);
  key = mix_number(key, image->counters.base);
  key = mix_number(key, image->counters.size);
  key = mix_number(key, image->bitmap.base);
  key = mix_number(key, image->bitmap.size);
  key = mix_number(key, image->names.base);
  key = mix_number(key, image->names.size);
  key = mix_number(key, image->vtables.size);
  key = mix_number(key, image->vtable_names.size);
  key = mix(key, image->binary_ids.bytes, image->binary_ids.size);
  return key ? key : 1;
}

uint64_t contprof_raw_take_head(const struct contprof_file_view *file,
                                struct contprof_raw_head *head) {
  bool ok = take_image(file, &head->behind, &head->image, &head->error);
  const struct contprof_cursor *ids = &head->image.binary_ids;
  if (ok && contprof_file_is_part(file))
    ok = ids->base + ids->size <= file->held; // the header is
  head->key = ok ? key_of(&head->image) : 0;
  return head->key;
}

// --- what files of a build have in common -------------------------------------------------------

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Two multiplications to 128 bits a word pair, as in wyhash: it need not stand up to malice, since
// who can forge a profile can forge its counts.
static uint64_t fold(uint64_t one, uint64_t other) {
  unsigned __int128 product = (unsigned __int128)one * other;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t mix_words(uint64_t print, const uint8_t *bytes, uint64_t size) {
  uint64_t last[2] = {0};
  for (; size >= 16; size -= 16, bytes += 16)
    print = fold(word_at(bytes) ^ UINT64_C(0xa0761d6478bd642f), word_at(bytes + 8) ^ print);
  if (size)
    memcpy(last, bytes, size);
  return fold(last[0] ^ UINT64_C(0xe7037ed1a0b428db), last[1] ^ print ^ size << 56);
}

uint64_t contprof_raw_fingerprint(const struct contprof_raw_head *head) {
  struct contprof_raw_image image = head->image;
  const uint8_t *data = image.data.bytes;
  size_t size = image.record_size, pointers = contprof_raw_pointers_at(&image);
  uint64_t print = mix_words(head->key, image.names.bytes, image.names.size);
  print = mix_words(print, image.vtable_names.bytes, image.vtable_names.size);
  for (uint64_t i = 0; i < image.function_count; i++, data += size) {
    print = mix_words(print, data, pointers);
    print = mix_words(print, data + pointers + 16, size - pointers - 16);
  }
  for (uint64_t i = 0; i < image.vtable_count; i++) {
    struct contprof_raw_vtable vtable = contprof_raw_take_vtable(&image);
    uint64_t words[] = {vtable.name_ref, vtable.size};
    print = mix_words(print, (const uint8_t *)words, sizeof words);
  }
  return print ? print : 1;
}

static bool has_shape(const struct contprof_function *function,
                      const struct contprof_raw_record *record) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind] != record->site_count[kind])
      return false;
  return function->counter_count == record->counter_count &&
         function->bitmap_size == record->bitmap_size && !contprof_profile_is_pseudo(function);
}

static bool has_sites(const struct contprof_raw_record *record) {
  return record->site_count[0] || record->site_count[1] || record->site_count[2];
}

// The record's function. Of the profile's first file the functions are in the records' order: *next
// is the one expected, 0 at first. Renamed ones may be another's by their reference.
static struct contprof_function *function_of(const struct contprof_profile *into,
                                             const struct contprof_raw_record *record,
                                             size_t *next) {
  if (*next < into->function_count && !into->renames) {
    struct contprof_function *expected = into->functions[*next];
    if (expected->name_ref == record->name_ref && expected->hash == record->hash) {
      ++*next;
      return expected;
    }
  }
  return contprof_profile_find_ref(into, record->name_ref, record->hash);
}

// Returns false if the profile does not have the function, or the record no counters.
static bool note_record(struct contprof_raw_sum *sum, const struct contprof_profile *into,
                        uint64_t index, size_t *next) {
  const struct contprof_raw_image *image = &sum->like.image;
  struct contprof_raw_record raw = contprof_raw_take_record(&sum->like.image);
  struct contprof_cursor counters =
      contprof_raw_part(image, &image->counters, &raw, raw.counter_pointer, image->counters_delta,
                        (uint64_t)raw.counter_count * image->counter_size);
  struct contprof_cursor bitmap = image->bitmap;
  if (raw.bitmap_size)
    bitmap = contprof_raw_part(image, &image->bitmap, &raw, raw.bitmap_pointer, image->bitmap_delta,
                               raw.bitmap_size);
  struct contprof_function *function = function_of(into, &raw, next);
  if (!function || !contprof_cursor_ok(&counters) || counters.offset % image->counter_size)
    return false;
  sum->records[index] = (struct record){.function = has_shape(function, &raw) ? function : NULL,
                                        .counters = counters.offset / image->counter_size,
                                        .bitmap = bitmap.offset};
  if (has_sites(&raw))
    sum->with_sites[sum->with_sites_count++] = index;
  return true;
}

static bool note_records(struct contprof_raw_sum *sum, const struct contprof_profile *into) {
  struct contprof_cursor data = sum->like.image.data;
  uint64_t count = sum->like.image.function_count;
  size_t next = 0;
  bool ok = true;
  sum->records = contprof_arena_zeros(&sum->arena, count, sizeof *sum->records);
  sum->with_sites = contprof_arena_zeros(&sum->arena, count, sizeof *sum->with_sites);
  for (uint64_t i = 0; ok && i < count; i++)
    ok = note_record(sum, into, i, &next);
  sum->like.image.data = data;
  return ok;
}

// Of use only to functions with value sites.
static void map_addresses(struct contprof_raw_sum *sum) {
  if (!sum->with_sites_count)
    return;
  contprof_raw_map_functions(&sum->like.image, &sum->functions);
  contprof_raw_map_vtables(&sum->like.image, &sum->vtables);
}

// The file has been read before, so they are as they should be.
static void note_binary_ids(struct contprof_raw_sum *sum) {
  struct contprof_cursor ids = sum->like.image.binary_ids;
  size_t room = ids.size / 16 + 1; // of at least a size and 8 bytes each
  sum->binary_ids = contprof_arena_zeros(&sum->arena, room, sizeof *sum->binary_ids);
  while (sum->binary_id_count < room && contprof_cursor_left(&ids)) {
    struct contprof_binary_id *id = &sum->binary_ids[sum->binary_id_count++];
    id->size = contprof_take_u64(&ids);
    id->bytes = contprof_take_bytes(&ids, id->size);
    contprof_skip_to_alignment(&ids, 8);
  }
}

// The image's cursors into our own copy.
static void keep_bytes(struct contprof_raw_sum *sum, const struct contprof_file_view *file) {
  struct contprof_raw_image *image = &sum->like.image;
  sum->like.at = contprof_raw_places_of(image);
  sum->like.bytes = contprof_need(malloc(sum->like.at.fixed_end));
  memcpy(sum->like.bytes, file->bytes, sum->like.at.fixed_end);
  struct contprof_cursor *const cursors[] = {&image->binary_ids,  &image->data,  &image->counters,
                                             &image->bitmap,      &image->names, &image->vtables,
                                             &image->vtable_names};
  for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
    cursors[i]->bytes = sum->like.bytes + cursors[i]->base;
    cursors[i]->file = "a file of a build";
    cursors[i]->error = &sum->error;
  }
}

// --- value data ---------------------------------------------------------------------------------

// Room for what the value data of one file say; their values themselves go to an arena of the
// file's.
static void shape_sites(const struct contprof_raw_sum *sum, struct contprof_raw_share *share) {
  share->said = contprof_arena_zeros(&share->arena, sum->with_sites_count, sizeof *share->said);
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    const struct contprof_function *like = sum->records[sum->with_sites[i]].function;
    if (!like)
      continue;
    memcpy(share->said[i].site_count, like->site_count, sizeof like->site_count);
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      share->said[i].sites[kind] =
          contprof_arena_zeros(&share->arena, like->site_count[kind], sizeof **like->sites);
  }
}

// A file need not have a kind that says nothing.
static void forget_sites(struct contprof_function *said) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < said->site_count[kind]; i++)
      said->sites[kind][i].count = 0;
}

// Into share->said. `scratch` owns the values.
static bool take_values(const struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                        struct contprof_cursor *file, uint64_t moved,
                        struct contprof_profile *scratch) {
  struct contprof_raw_targets targets = {&sum->functions, &sum->vtables, moved};
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    forget_sites(&share->said[i]);
    if (!sum->records[sum->with_sites[i]].function || // the record's own shape is not at hand
        !contprof_raw_take_values(file, &sum->like.image, &targets, scratch, &share->said[i]))
      return false;
  }
  return true;
}

static void add_values(struct contprof_raw_sum *sum, const struct contprof_raw_share *share,
                       uint64_t weight, struct contprof_profile *into) {
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    const struct contprof_function *from = &share->said[i];
    struct contprof_function *function = sum->records[sum->with_sites[i]].function;
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      for (uint32_t j = 0; j < from->site_count[kind]; j++)
        if (from->sites[kind][j].count)
          sum->cut |= !contprof_profile_unite_site(into, &function->sites[kind][j],
                                                   &from->sites[kind][j], weight);
  }
}

// --- the sum -------------------------------------------------------------------------------------

// Zero bytes may follow an image.
static bool nothing_follows(const struct contprof_cursor *file) {
  for (uint64_t i = file->offset; i < file->size; i++)
    if (file->bytes[i])
      return false;
  return true;
}

// Returns false, and adds nothing, if a count is not credible: the general way leaves its function
// out.
static bool add_arrays(const struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                       const struct contprof_file_view *file, uint64_t weight) {
  const uint8_t *counters = file->bytes + sum->like.at.counters;
  size_t size = sum->like.image.counters.size;
  if (sum->like.image.counter_size == 1)
    share->cut |= !contprof_add_byte_counts(share->counts, counters, size, weight);
  else if (!contprof_add_counts_without(share->counts, counters, size / sizeof *share->counts,
                                        weight, -CONTPROF_COUNT_CREDIBLE, &share->cut))
    return false;
  contprof_add_bits(share->bits, file->bytes + sum->like.at.bitmap, sum->like.image.bitmap.size);
  share->empty = false;
  return true;
}

bool contprof_raw_sum_add(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                          const struct contprof_file_view *file,
                          const struct contprof_raw_head *head, uint64_t weight,
                          struct contprof_profile *into, pthread_mutex_t *lock) {
  struct contprof_cursor cursor = head->behind;
  struct contprof_raw_image image = head->image;
  struct contprof_profile scratch = {0};
  uint64_t moved;
  if (contprof_file_is_part(file) && !share->piece)
    share->piece = contprof_arena_zeros(&share->arena, CONTPROF_RAW_PIECE, 1);
  bool ok = head->key == sum->key &&
            contprof_raw_is_alike(&sum->like, file, &image, share->piece, &moved) &&
            take_values(sum, share, &cursor, moved, &scratch) && nothing_follows(&cursor) &&
            add_arrays(sum, share, file, weight);
  if (ok && sum->with_sites_count) {
    pthread_mutex_lock(lock);
    add_values(sum, share, weight, into);
    pthread_mutex_unlock(lock);
  }
  contprof_profile_free(&scratch);
  return ok;
}

struct contprof_raw_sum *contprof_raw_sum_new(const struct contprof_file_view *file,
                                              const struct contprof_profile *into) {
  struct contprof_raw_sum *sum = contprof_need(calloc(1, sizeof *sum));
  struct contprof_cursor cursor;
  if (take_image(file, &cursor, &sum->like.image, &sum->error)) {
    sum->key = key_of(&sum->like.image);
    keep_bytes(sum, file);
    note_binary_ids(sum);
    if (note_records(sum, into)) {
      map_addresses(sum);
      return sum;
    }
  }
  contprof_raw_sum_free(sum);
  return NULL;
}

const struct contprof_binary_id *contprof_raw_sum_binary_ids(const struct contprof_raw_sum *sum,
                                                             size_t *count) {
  *count = sum->binary_id_count;
  return sum->binary_ids;
}

static size_t counts_of(const struct contprof_raw_sum *sum) {
  return sum->like.image.counters.size / sum->like.image.counter_size;
}

struct contprof_raw_share *contprof_raw_share_new(const struct contprof_raw_sum *sum) {
  struct contprof_raw_share *share = contprof_need(calloc(1, sizeof *share));
  share->counts = contprof_arena_zeros(&share->arena, counts_of(sum), sizeof *share->counts);
  share->bits = contprof_arena_zeros(&share->arena, sum->like.image.bitmap.size, 1);
  share->empty = true;
  shape_sites(sum, share);
  return share;
}

void contprof_raw_share_unite(const struct contprof_raw_sum *sum, struct contprof_raw_share *into,
                              struct contprof_raw_share *from) {
  into->cut |= from->cut;
  into->cut |= !contprof_add_counts(into->counts, (const uint8_t *)from->counts, counts_of(sum), 1);
  contprof_add_bits(into->bits, from->bits, sum->like.image.bitmap.size);
  into->empty &= from->empty;
}

// --- handing out --------------------------------------------------------------------------------

// Two records of one function, in one file, are summed.
static bool hand_out(const struct contprof_raw_share *share, const struct record *record) {
  struct contprof_function *function = record->function;
  if (function->bitmap_size)
    contprof_add_bits(function->bitmap, share->bits + record->bitmap, function->bitmap_size);
  return contprof_add_counts(function->counters,
                             (const uint8_t *)(share->counts + record->counters),
                             function->counter_count, 1);
}

static bool is_full(const struct contprof_function *function) {
  bool full = false;
  for (uint32_t j = 0; j < function->counter_count; j++)
    full |= function->counters[j] == CONTPROF_COUNT_MAX;
  return full;
}

static void clear(const struct contprof_raw_sum *sum, struct contprof_raw_share *share) {
  memset(share->counts, 0, counts_of(sum) * sizeof *share->counts);
  memset(share->bits, 0, sum->like.image.bitmap.size);
  share->cut = false;
  share->empty = true;
}

void contprof_raw_sum_flush(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                            struct contprof_merge_report *report) {
  bool cut = sum->cut || share->cut;
  for (uint64_t i = 0; !share->empty && i < sum->like.image.function_count; i++) {
    const struct record *record = &sum->records[i];
    if (record->function)
      cut |= !hand_out(share, record);
  }
  for (uint64_t i = 0; cut && i < sum->like.image.function_count; i++) {
    struct contprof_function *function = sum->records[i].function;
    if (function && is_full(function) && !report->functions_saturated++)
      report->first_saturated = function;
  }
  sum->cut = false;
  clear(sum, share);
}

void contprof_raw_share_free(struct contprof_raw_share *share) {
  if (!share)
    return;
  contprof_arena_free(&share->arena);
  free(share);
}

void contprof_raw_sum_free(struct contprof_raw_sum *sum) {
  if (!sum)
    return;
  free(sum->like.bytes);
  contprof_address_map_free(&sum->functions);
  contprof_address_map_free(&sum->vtables);
  contprof_arena_free(&sum->arena);
  free(sum);
}
