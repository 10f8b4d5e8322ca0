#include "raw_sum.h"
#include "../base/memory.h"

#include "add_counts.h"
#include "raw_image.h"
#include "raw_values.h"

#include <stdlib.h>
#include <string.h>

// Where the parts of the first file's image are, as offsets from the file's start.
struct places {
  uint64_t data, counters, bitmap, names; // first byte of the section
  uint64_t fixed_end;                     // end of the names and vtables; value data follow
};

// What a data record has of its function.
struct record {
  struct contprof_function *function; // of `profile`; NULL: its shape lost against another's
  uint64_t counters;                  // index of its first counter in the section
  uint64_t bitmap;                    // offset of its bitmap in the section
  bool has_sites;
};

struct contprof_raw_sum {
  uint8_t *bytes; // the first file up to fixed_end; owned
  struct contprof_raw_image image;
  struct places places;
  struct contprof_profile profile; // the functions; holds the sums of values, and of the rest none
  struct record *records;          // image.function_count of them; in the profile's arena
  struct contprof_function *said;  // sites alone: what one file says, for each record; in the arena
  struct contprof_address_map functions, vtables;
  uint64_t *counts; // sums, for each counter of the section; in the profile's arena
  uint8_t *bits;    // OR of the bitmaps; in the profile's arena
  uint64_t key;     // of the build
  bool cut;         // a sum of counts was
  bool empty;       // nothing has been added since the start or the last flush
  struct contprof_error error;
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
  head->key = ok ? key_of(&head->image) : 0;
  return head->key;
}

// --- the first file -----------------------------------------------------------------------------

static void clear(struct contprof_raw_sum *sum) {
  memset(sum->counts, 0, sum->image.counters.size / sum->image.counter_size * sizeof *sum->counts);
  memset(sum->bits, 0, sum->image.bitmap.size);
  for (size_t i = 0; i < sum->profile.function_count; i++) {
    struct contprof_function *function = sum->profile.functions[i];
    memset(function->counters, 0, function->counter_count * sizeof *function->counters);
    if (function->bitmap_size)
      memset(function->bitmap, 0, function->bitmap_size);
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      for (uint32_t j = 0; j < function->site_count[kind]; j++)
        function->sites[kind][j].count = 0;
  }
  sum->cut = false;
  sum->empty = true;
}

static bool has_shape(const struct contprof_function *function,
                      const struct contprof_raw_record *record) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind] != record->site_count[kind])
      return false;
  return function->counter_count == record->counter_count &&
         function->bitmap_size == record->bitmap_size;
}

static bool has_sites(const struct contprof_raw_record *record) {
  return record->site_count[0] || record->site_count[1] || record->site_count[2];
}

// By reference and hash, since names are not in the records.
static int compare_keys(const void *left_entry, const void *right_entry) {
  const struct contprof_function *left = *(struct contprof_function *const *)left_entry;
  const struct contprof_function *right = *(struct contprof_function *const *)right_entry;
  if (left->name_ref != right->name_ref)
    return left->name_ref < right->name_ref ? -1 : 1;
  return (left->hash > right->hash) - (left->hash < right->hash);
}

static struct contprof_function *find(struct contprof_function **sorted, size_t count,
                                      const struct contprof_raw_record *record) {
  struct contprof_function key = {.name_ref = record->name_ref, .hash = record->hash};
  struct contprof_function *wanted = &key, **found = NULL;
  if (count)
    found = bsearch(&wanted, sorted, count, sizeof *sorted, compare_keys);
  return found && has_shape(*found, record) ? *found : NULL;
}

static bool note_record(struct contprof_raw_sum *sum, struct contprof_function **sorted,
                        struct record *record) {
  const struct contprof_raw_image *image = &sum->image;
  struct contprof_raw_record raw = contprof_raw_take_record(&sum->image);
  struct contprof_cursor counters =
      contprof_raw_part(image, &image->counters, &raw, raw.counter_pointer, image->counters_delta,
                        (uint64_t)raw.counter_count * image->counter_size);
  struct contprof_cursor bitmap = image->bitmap;
  if (raw.bitmap_size)
    bitmap = contprof_raw_part(image, &image->bitmap, &raw, raw.bitmap_pointer, image->bitmap_delta,
                               raw.bitmap_size);
  *record = (struct record){.function = find(sorted, sum->profile.function_count, &raw),
                            .counters = counters.offset / image->counter_size,
                            .bitmap = bitmap.offset,
                            .has_sites = has_sites(&raw)};
  return contprof_cursor_ok(&counters) && counters.offset % image->counter_size == 0;
}

static bool note_records(struct contprof_raw_sum *sum) {
  struct contprof_cursor data = sum->image.data;
  size_t count = sum->profile.function_count;
  struct contprof_function **sorted = contprof_need_array(NULL, count + 1, sizeof *sorted);
  if (count)
    memcpy(sorted, sum->profile.functions, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_keys);
  bool ok = true;
  for (uint64_t i = 0; ok && i < sum->image.function_count; i++)
    ok = note_record(sum, sorted, &sum->records[i]);
  sum->image.data = data;
  free(sorted);
  return ok;
}

// The image's cursors into our own copy.
static void keep_bytes(struct contprof_raw_sum *sum, const struct contprof_file_view *file) {
  struct contprof_raw_image *image = &sum->image;
  sum->places = (struct places){.data = image->data.base,
                                .counters = image->counters.base,
                                .bitmap = image->bitmap.base,
                                .names = image->names.base,
                                .fixed_end = image->vtable_names.base + image->vtable_names.size};
  sum->bytes = contprof_need(malloc(sum->places.fixed_end));
  memcpy(sum->bytes, file->bytes, sum->places.fixed_end);
  struct contprof_cursor *const cursors[] = {&image->binary_ids,  &image->data,  &image->counters,
                                             &image->bitmap,      &image->names, &image->vtables,
                                             &image->vtable_names};
  for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
    cursors[i]->bytes = sum->bytes + cursors[i]->base;
    cursors[i]->file = "the first file of a build";
    cursors[i]->error = &sum->error;
  }
}

// --- value data ---------------------------------------------------------------------------------

// Room for what the value data of one file say; their values themselves go to an arena of the
// file's.
static void shape_sites(struct contprof_raw_sum *sum) {
  struct contprof_arena *arena = &sum->profile.arena;
  uint64_t count = sum->image.function_count;
  sum->said = contprof_arena_zeros(arena, count, sizeof *sum->said);
  for (uint64_t i = 0; i < count; i++) {
    const struct contprof_function *like = sum->records[i].function;
    if (!sum->records[i].has_sites || !like)
      continue;
    memcpy(sum->said[i].site_count, like->site_count, sizeof like->site_count);
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      sum->said[i].sites[kind] =
          contprof_arena_zeros(arena, like->site_count[kind], sizeof **like->sites);
  }
}

// A file need not have a kind that says nothing.
static void forget_sites(struct contprof_function *said) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < said->site_count[kind]; i++)
      said->sites[kind][i].count = 0;
}

// Into sum->said. `scratch` owns the values.
static bool take_values(struct contprof_raw_sum *sum, struct contprof_cursor *file, uint64_t moved,
                        struct contprof_profile *scratch) {
  struct contprof_raw_targets targets = {&sum->functions, &sum->vtables, moved};
  for (uint64_t i = 0; i < sum->image.function_count; i++) {
    if (!sum->records[i].has_sites)
      continue;
    forget_sites(&sum->said[i]);
    if (!sum->records[i].function || // the record's own shape is not at hand
        !contprof_raw_take_values(file, &sum->image, &targets, scratch, &sum->said[i]))
      return false;
  }
  return true;
}

static void add_values(struct contprof_raw_sum *sum, uint64_t weight) {
  for (uint64_t i = 0; i < sum->image.function_count; i++) {
    const struct contprof_function *from = &sum->said[i];
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      for (uint32_t j = 0; j < from->site_count[kind]; j++)
        if (from->sites[kind][j].count)
          sum->cut |=
              !contprof_profile_unite_site(&sum->profile, &sum->records[i].function->sites[kind][j],
                                           &from->sites[kind][j], weight);
  }
}

// --- comparing ----------------------------------------------------------------------------------

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Of a record's words, FunctionPointer and the one behind it, Values, are addresses. One program
// may be loaded elsewhere: then all functions' have moved by one distance.
static bool same_data(const struct contprof_raw_sum *sum, const uint8_t *data, uint64_t *moved) {
  const uint8_t *ours = sum->bytes + sum->places.data;
  size_t size = sum->image.record_size, pointers = sum->image.version >= 9 ? 32 : 24;
  bool known = false;
  *moved = 0;
  for (uint64_t i = 0; i < sum->image.function_count; i++, data += size, ours += size) {
    uint64_t theirs = word_at(data + pointers), mine = word_at(ours + pointers);
    if (memcmp(data, ours, pointers) != 0 ||
        memcmp(data + pointers + 16, ours + pointers + 16, size - pointers - 16) != 0)
      return false;
    if (!theirs != !mine || (mine && known && theirs - mine != *moved))
      return false;
    if (mine && !known) {
      known = true;
      *moved = theirs - mine;
    }
  }
  return true;
}

// Vtables have moved along with the functions.
static bool same_vtables(const struct contprof_raw_sum *sum, struct contprof_raw_image *image,
                         uint64_t moved) {
  struct contprof_raw_image ours = sum->image;
  for (uint64_t i = 0; i < image->vtable_count; i++) {
    struct contprof_raw_vtable one = contprof_raw_take_vtable(&ours);
    struct contprof_raw_vtable other = contprof_raw_take_vtable(image);
    if (one.name_ref != other.name_ref || one.size != other.size ||
        (one.address ? one.address + moved != other.address : other.address != 0))
      return false;
  }
  return memcmp(image->vtable_names.bytes, ours.vtable_names.bytes, ours.vtable_names.size) == 0;
}

static bool same_build(const struct contprof_raw_sum *sum, const struct contprof_file_view *file,
                       uint64_t key, struct contprof_raw_image *image, uint64_t *moved) {
  const struct places *at = &sum->places;
  return key == sum->key && image->binary_ids.size == sum->image.binary_ids.size &&
         memcmp(image->binary_ids.bytes, sum->image.binary_ids.bytes, image->binary_ids.size) ==
             0 &&
         image->data.base == at->data && image->counters.base == at->counters &&
         image->counters.size == sum->image.counters.size && image->names.base == at->names &&
         image->vtable_names.base + image->vtable_names.size == at->fixed_end &&
         memcmp(file->bytes + at->names, sum->bytes + at->names, sum->image.names.size) == 0 &&
         same_data(sum, file->bytes + at->data, moved) && same_vtables(sum, image, *moved);
}

// Zero bytes may follow an image.
static bool nothing_follows(const struct contprof_cursor *file) {
  for (uint64_t i = file->offset; i < file->size; i++)
    if (file->bytes[i])
      return false;
  return true;
}

// --- the sum ------------------------------------------------------------------------------------

// Returns false, and adds nothing, if a count is not credible: the general way leaves its function
// out.
static bool add_arrays(struct contprof_raw_sum *sum, const struct contprof_file_view *file,
                       uint64_t weight) {
  const uint8_t *counters = file->bytes + sum->places.counters;
  size_t size = sum->image.counters.size;
  if (sum->image.counter_size == 1)
    sum->cut |= !contprof_add_byte_counts(sum->counts, counters, size, weight);
  else if (!contprof_add_counts_without(sum->counts, counters, size / sizeof *sum->counts, weight,
                                        -CONTPROF_COUNT_CREDIBLE, &sum->cut))
    return false;
  contprof_add_bits(sum->bits, file->bytes + sum->places.bitmap, sum->image.bitmap.size);
  sum->empty = false;
  return true;
}

bool contprof_raw_sum_add(struct contprof_raw_sum *sum, const struct contprof_file_view *file,
                          const struct contprof_raw_head *head, uint64_t weight) {
  struct contprof_cursor cursor = head->behind;
  struct contprof_raw_image image = head->image;
  struct contprof_profile scratch = {0};
  uint64_t moved;
  bool ok = head->key && same_build(sum, file, head->key, &image, &moved) &&
            take_values(sum, &cursor, moved, &scratch) && nothing_follows(&cursor) &&
            add_arrays(sum, file, weight);
  if (ok)
    add_values(sum, weight);
  contprof_profile_free(&scratch);
  return ok;
}

struct contprof_raw_sum *contprof_raw_sum_new(const struct contprof_file_view *file,
                                              struct contprof_profile *decoded) {
  struct contprof_raw_sum *sum = contprof_need(calloc(1, sizeof *sum));
  struct contprof_cursor cursor;
  struct contprof_arena *arena = &sum->profile.arena;
  sum->profile = *decoded;
  sum->profile.format = CONTPROF_FORMAT_NONE; // its counts are sums, and not judged again
  *decoded = (struct contprof_profile){0};
  bool ok = take_image(file, &cursor, &sum->image, &sum->error);
  if (ok) {
    sum->key = key_of(&sum->image);
    keep_bytes(sum, file);
    sum->records = contprof_arena_zeros(arena, sum->image.function_count, sizeof *sum->records);
    sum->counts = contprof_arena_zeros(arena, sum->image.counters.size / sum->image.counter_size,
                                       sizeof *sum->counts);
    sum->bits = contprof_arena_zeros(arena, sum->image.bitmap.size, 1);
    contprof_raw_map_functions(&sum->image, &sum->functions);
    contprof_raw_map_vtables(&sum->image, &sum->vtables);
    ok = note_records(sum);
    if (ok)
      shape_sites(sum);
  }
  if (!ok) {
    *decoded = sum->profile;
    sum->profile = (struct contprof_profile){0};
    contprof_raw_sum_free(sum);
    return NULL;
  }
  clear(sum);
  return sum;
}

const struct contprof_profile *contprof_raw_sum_profile(const struct contprof_raw_sum *sum) {
  return &sum->profile;
}

// Two records of one function, in one file, are summed.
static void hand_out(struct contprof_raw_sum *sum, const struct record *record) {
  struct contprof_function *function = record->function;
  const uint64_t *counts = sum->counts + record->counters;
  sum->cut |=
      !contprof_add_counts(function->counters, (const uint8_t *)counts, function->counter_count, 1);
  if (function->bitmap_size)
    contprof_add_bits(function->bitmap, sum->bits + record->bitmap, function->bitmap_size);
}

static void count_cut(const struct contprof_raw_sum *sum, struct contprof_merge_report *report) {
  for (size_t i = 0; i < sum->profile.function_count; i++) {
    struct contprof_function *function = sum->profile.functions[i];
    bool cut = false;
    for (uint32_t j = 0; j < function->counter_count; j++)
      cut |= function->counters[j] == CONTPROF_COUNT_MAX;
    if (cut && !report->functions_saturated++)
      report->first_saturated = function;
  }
}

bool contprof_raw_sum_flush(struct contprof_raw_sum *sum, struct contprof_profile *into,
                            struct contprof_merge_report *report, struct contprof_error *error) {
  if (sum->empty)
    return true;
  for (uint64_t i = 0; i < sum->image.function_count; i++)
    if (sum->records[i].function)
      hand_out(sum, &sum->records[i]);
  if (sum->cut)
    count_cut(sum, report);
  bool ok = contprof_profile_merge(into, &sum->profile, 1, report, NULL, error);
  clear(sum);
  return ok;
}

void contprof_raw_sum_free(struct contprof_raw_sum *sum) {
  if (!sum)
    return;
  free(sum->bytes);
  contprof_address_map_free(&sum->functions);
  contprof_address_map_free(&sum->vtables);
  contprof_profile_free(&sum->profile);
  free(sum);
}
