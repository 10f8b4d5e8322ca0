#include "raw_sum.h"
#include "../base/memory.h"

#include "add_counts.h"
#include "raw_said.h"
#include "raw_sum_state.h"

#include <stdlib.h>
#include <string.h>

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
  sum->records[index] =
      (struct contprof_raw_place){.function = has_shape(function, &raw) ? function : NULL,
                                  .counters = counters.offset / image->counter_size,
                                  .bitmap = bitmap.offset};
  if (contprof_raw_has_sites(&raw))
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

// The image's cursors into our own copy, which has all but the counts: from the counters to the
// names.
static void keep_bytes(struct contprof_raw_sum *sum, const struct contprof_file_view *file) {
  struct contprof_raw_image *image = &sum->like.image;
  sum->like.at = contprof_raw_places_of(image);
  sum->like.bytes = contprof_need(malloc(sum->like.at.fixed_end));
  memcpy(sum->like.bytes, file->bytes, sum->like.at.counters);
  memcpy(sum->like.bytes + sum->like.at.names, file->bytes + sum->like.at.names,
         sum->like.at.fixed_end - sum->like.at.names);
  struct contprof_cursor *const cursors[] = {&image->binary_ids,  &image->data,  &image->counters,
                                             &image->bitmap,      &image->names, &image->vtables,
                                             &image->vtable_names};
  for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
    cursors[i]->bytes = sum->like.bytes + cursors[i]->base;
    cursors[i]->file = "a file of a build";
    cursors[i]->error = &sum->error;
  }
}

// --- the sum -------------------------------------------------------------------------------------

// As contprof_add_counts_without. But where there is nothing yet, nothing is read: a page of zeros
// that is read before it is written costs two faults, the second of which interrupts all other
// threads.
static bool add_counts(struct contprof_raw_share *share, const uint8_t *from, size_t count,
                       uint64_t weight, uint64_t forbidden) {
  if (!share->empty || weight != 1)
    return contprof_add_counts_without(share->counts, from, count, weight, forbidden, &share->cut);
  if (forbidden && contprof_bits_of_counts(from, count) & forbidden)
    return false;
  memcpy(share->counts, from, count * sizeof *share->counts);
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
  else if (!add_counts(share, counters, size / sizeof *share->counts, weight,
                       -CONTPROF_COUNT_CREDIBLE))
    return false;
  contprof_add_bits(share->bits, file->bytes + sum->like.at.bitmap, sum->like.image.bitmap.size);
  share->empty = false;
  return true;
}

bool contprof_raw_sum_add(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                          const struct contprof_file_view *file,
                          const struct contprof_raw_head *head, uint64_t weight,
                          struct contprof_profile *into, pthread_mutex_t *lock) {
  struct contprof_file_view whole = *file; // what moves in a view is for those opened in part
  struct contprof_raw_suspect suspect = {.file = &whole, .image = head->image};
  struct contprof_raw_said said = {0};
  if (head->key != sum->key)
    return false;
  contprof_raw_compare(&sum->like, &suspect, 1, NULL);
  bool ok = suspect.alike &&
            contprof_raw_said_take(&said, sum, share, &head->behind, suspect.moved) &&
            add_arrays(sum, share, file, weight);
  if (ok)
    contprof_raw_said_add(&said, sum, weight, into, lock);
  contprof_raw_said_free(&said);
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

struct contprof_raw_share *contprof_raw_share_new(const struct contprof_raw_sum *sum) {
  struct contprof_raw_share *share = contprof_need(calloc(1, sizeof *share));
  share->counts =
      contprof_arena_zeros(&share->arena, contprof_raw_counts_of(sum), sizeof *share->counts);
  share->bits = contprof_arena_zeros(&share->arena, sum->like.image.bitmap.size, 1);
  share->empty = true;
  contprof_raw_said_shape(sum, share);
  return share;
}

void contprof_raw_share_unite(const struct contprof_raw_sum *sum, struct contprof_raw_share *into,
                              struct contprof_raw_share *from) {
  if (from->empty)
    return;
  add_counts(into, (const uint8_t *)from->counts, contprof_raw_counts_of(sum), 1, 0);
  into->cut |= from->cut;
  contprof_add_bits(into->bits, from->bits, sum->like.image.bitmap.size);
  into->empty = false;
}

// --- handing out --------------------------------------------------------------------------------

// Two records of one function, in one file, are summed.
static bool hand_out(const struct contprof_raw_share *share,
                     const struct contprof_raw_place *record) {
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
  if (share->empty)
    return;
  memset(share->counts, 0, contprof_raw_counts_of(sum) * sizeof *share->counts);
  memset(share->bits, 0, sum->like.image.bitmap.size);
  share->cut = false;
  share->empty = true;
}

void contprof_raw_sum_flush(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                            struct contprof_merge_report *report) {
  bool cut = sum->cut || share->cut;
  for (uint64_t i = 0; !share->empty && i < sum->like.image.function_count; i++) {
    const struct contprof_raw_place *record = &sum->records[i];
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
