#include "indexed_writer.h"

#include "../base/compare_bytes.h"
#include "../base/names.h"
#include "../base/side_job.h"
#include "hot_values.h"
#include "indexed_format.h"
#include "record_order.h"
#include "summary.h"
#include "table_order.h"
#include "vtable_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned contprof_indexed_version_of_llvm(unsigned major) {
  // IndexedInstrProf::ProfVersion::CurrentVersion of LLVM 14 to 19.
  static const uint8_t VERSIONS[] = {7, 8, 9, 10, 11, 12};
  return major >= 14 && major <= 19 ? VERSIONS[major - 14] : 0;
}

// Whether the function is marked as hot or warm by its first counter alone, or by one that only
// LLVM 16 and later know.
static bool has_new_mark(const struct contprof_function *function) {
  return contprof_profile_is_pseudo(function) &&
         (function->counters[0] == CONTPROF_COUNT_WARM ||
          (function->counter_count > 1 && function->counters[1] != CONTPROF_COUNT_HOT));
}

unsigned contprof_indexed_version_for(const struct contprof_profile *profile) {
  unsigned version = CONTPROF_INDEXED_DEFAULT;
  if (profile->keeps_binary_ids)
    version = CONTPROF_INDEXED_WITH_BINARY_IDS;
  if (profile->variant & CONTPROF_VARIANT_TEMPORAL)
    version = CONTPROF_INDEXED_WITH_TEMPORAL;
  if (profile->vtables.count)
    return CONTPROF_INDEXED_WITH_VTABLES;
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    contprof_profile_send_ahead(profile, i);
    if (function->site_count[CONTPROF_VTABLES])
      return CONTPROF_INDEXED_WITH_VTABLES;
    if (has_new_mark(function) && version < CONTPROF_INDEXED_WITH_MARKS)
      version = CONTPROF_INDEXED_WITH_MARKS;
    if (function->bitmap_size)
      version = profile->bitmap_version > CONTPROF_INDEXED_WITH_BITMAPS
                    ? profile->bitmap_version
                    : CONTPROF_INDEXED_WITH_BITMAPS;
  }
  return version;
}

const char *contprof_indexed_loss(const struct contprof_profile *profile, unsigned version,
                                  char buffer[128]) {
  bool front_end = profile->function_count && !(profile->variant & CONTPROF_VARIANT_IR);
  bool ids = profile->binary_id_count && version < CONTPROF_INDEXED_WITH_BINARY_IDS;
  bool names = profile->vtables.count && version < CONTPROF_INDEXED_WITH_VTABLES;
  bool hashes = front_end && version < CONTPROF_INDEXED_WITH_HASHES;
  if (!ids && !names && !hashes)
    return NULL;
  snprintf(buffer, 128, "indexed version %u %s%s%s%s%s", version,
           ids || names ? "can't carry " : "",
           ids     ? "build-ids"
           : names ? "names of vtables"
                   : "",
           ids && names ? " and names of vtables" : "", (ids || names) && hashes ? "; it " : "",
           hashes ? "makes clang expect hashes of before clang 12" : "");
  return buffer;
}

static bool refuse(struct contprof_error *error, const char *format, unsigned version,
                   const char *name) {
  return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET, format, version,
                       name);
}

static bool check_functions(const struct contprof_profile *profile, unsigned version,
                            struct contprof_error *error) {
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    contprof_profile_send_ahead(profile, i);
    if (function->bitmap_size && version < CONTPROF_INDEXED_WITH_BITMAPS)
      return refuse(error, "indexed version %u can't carry MC/DC bitmaps, which %s has", version,
                    function->name);
    if (function->bitmap_size && profile->bitmap_version &&
        (version > CONTPROF_INDEXED_WITH_BITMAPS) !=
            (profile->bitmap_version > CONTPROF_INDEXED_WITH_BITMAPS))
      return refuse(error, "indexed version %u lays out MC/DC bitmaps otherwise than those of %s",
                    version, function->name);
    if (function->site_count[CONTPROF_VTABLES] && version < CONTPROF_INDEXED_WITH_VTABLES)
      return refuse(error, "indexed version %u can't carry vtable values, which %s has", version,
                    function->name);
  }
  return true;
}

static bool check(const struct contprof_profile *profile, unsigned version,
                  struct contprof_error *error) {
  if (version < CONTPROF_INDEXED_OLDEST_WRITTEN || version > CONTPROF_INDEXED_NEWEST)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "indexed version %u can't be written; %d to %d can", version,
                         CONTPROF_INDEXED_OLDEST_WRITTEN, CONTPROF_INDEXED_NEWEST);
  if (profile->variant & CONTPROF_VARIANT_MEMPROF)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "heap profiles can't be written");
  if ((profile->variant & CONTPROF_VARIANT_TEMPORAL) && version < CONTPROF_INDEXED_WITH_TEMPORAL)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "indexed version %u can't carry temporal traces", version);
  return check_functions(profile, version, error);
}

// What an indexed profile says of how it was made. CONTPROF_VARIANT_CORRELATE speaks of where a raw
// profile's names are, and the rest has been refused.
static uint64_t variant_of(const struct contprof_profile *profile) {
  return profile->variant &
         (CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS | CONTPROF_VARIANT_ENTRY_FIRST |
          CONTPROF_VARIANT_BYTE_COVERAGE | CONTPROF_VARIANT_ENTRY_ONLY | CONTPROF_VARIANT_TEMPORAL);
}

// --- header and summaries -----------------------------------------------------------------------

// Where the header's offsets stand, to be filled in when they are known.
struct offsets {
  size_t hash_table, binary_ids, temporal,
      vtables; // places in the output; 0 if the version has none
};

static size_t reserve(struct contprof_byte_writer *out) {
  contprof_put_u64(out, 0);
  return out->size - 8;
}

static struct offsets put_header(struct contprof_byte_writer *out, unsigned version,
                                 uint64_t variant) {
  struct offsets offsets = {0};
  contprof_put_u64(out, CONTPROF_INDEXED_MAGIC);
  contprof_put_u64(out, version | variant);
  contprof_put_u64(out, 0); // unused
  contprof_put_u64(out, CONTPROF_INDEXED_HASH_MD5);
  offsets.hash_table = reserve(out);
  if (version >= CONTPROF_INDEXED_WITH_MEMPROF)
    contprof_put_u64(out, 0); // no heap profiles
  if (version >= CONTPROF_INDEXED_WITH_BINARY_IDS)
    offsets.binary_ids = reserve(out);
  if (version >= CONTPROF_INDEXED_WITH_TEMPORAL)
    offsets.temporal = reserve(out);
  if (version >= CONTPROF_INDEXED_WITH_VTABLES)
    offsets.vtables = reserve(out);
  return offsets;
}

// They stand before the table, and are made beside it.
struct summaries {
  const struct contprof_profile *profile;
  struct contprof_summary plain, context_sensitive; // the second where the profile is of that kind
};

static bool has_two(const struct contprof_profile *profile) {
  return profile->variant & CONTPROF_VARIANT_CS;
}

static void summarise(void *context) {
  struct summaries *both = context;
  contprof_summarise(both->profile, CONTPROF_SUMMARY_PLAIN, &both->plain);
  if (has_two(both->profile))
    contprof_summarise(both->profile, CONTPROF_SUMMARY_CS, &both->context_sensitive);
}

// LLVM 14's and 15's summary has the number of functions with those that are marked.
static void put_summary(struct contprof_byte_writer *out, unsigned version,
                        const struct contprof_summary *of) {
  struct contprof_summary summary = *of;
  if (version < CONTPROF_INDEXED_WITH_MARKS)
    summary.function_count += summary.marked_count;
  contprof_put_u64(out, CONTPROF_INDEXED_SUMMARY_FIELDS);
  contprof_put_u64(out, summary.entry_count);
  contprof_put_u64(out, summary.function_count);
  contprof_put_u64(out, summary.counter_count);
  contprof_put_u64(out, summary.max_function_count);
  contprof_put_u64(out, summary.max_count);
  contprof_put_u64(out, summary.max_internal_count);
  contprof_put_u64(out, summary.total_count);
  for (size_t i = 0; i < summary.entry_count; i++) {
    contprof_put_u64(out, summary.entries[i].cutoff);
    contprof_put_u64(out, summary.entries[i].min_count);
    contprof_put_u64(out, summary.entries[i].counter_count);
  }
}

static void put_summaries(struct contprof_byte_writer *out, unsigned version,
                          struct summaries *both) {
  put_summary(out, version, &both->plain);
  if (has_two(both->profile))
    put_summary(out, version, &both->context_sensitive);
  contprof_summary_free(&both->plain);
  contprof_summary_free(&both->context_sensitive);
}

// --- records ------------------------------------------------------------------------------------

static uint8_t written_values(const struct contprof_value_site *site) {
  return (uint8_t)(site->count < CONTPROF_SITE_VALUES ? site->count : CONTPROF_SITE_VALUES);
}

static void put_site(struct contprof_byte_writer *out, const struct contprof_value_site *site) {
  struct contprof_value *values = contprof_hot_values(site);
  for (int i = 0; i < written_values(site); i++) {
    contprof_put_u64(out, values[i].value);
    contprof_put_u64(out, values[i].count);
  }
  free(values);
}

// A ValueProfRecord.
static void put_kind(struct contprof_byte_writer *out, const struct contprof_function *function,
                     uint32_t kind) {
  contprof_put_u32(out, kind);
  contprof_put_u32(out, function->site_count[kind]);
  for (uint32_t i = 0; i < function->site_count[kind]; i++)
    contprof_put_u8(out, written_values(&function->sites[kind][i]));
  for (uint32_t i = function->site_count[kind]; i % 8; i++)
    contprof_put_u8(out, 0);
  for (uint32_t i = 0; i < function->site_count[kind]; i++)
    put_site(out, &function->sites[kind][i]);
}

// A ValueProfData. Its size stands in its first four bytes, the number of kinds in the next.
static void put_values(struct contprof_byte_writer *out, const struct contprof_function *function) {
  size_t start = out->size;
  uint64_t kinds = 0;
  contprof_put_u64(out, 0);
  for (uint32_t kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind]) {
      put_kind(out, function, kind);
      kinds++;
    }
  contprof_patch_u64(out, start, (out->size - start) | kinds << 32);
}

static void put_function(struct contprof_byte_writer *out, unsigned version,
                         const struct contprof_function *function) {
  contprof_put_u64(out, function->hash);
  contprof_put_u64(out, function->counter_count);
  contprof_put_u64s(out, function->counters, function->counter_count);
  if (version >= CONTPROF_INDEXED_WITH_BITMAPS) {
    contprof_put_u64(out, function->bitmap_size);
    for (uint32_t i = 0; i < function->bitmap_size; i++)
      contprof_put_u64(out, function->bitmap[i]);
  }
  put_values(out, function);
}

// --- the hash table -----------------------------------------------------------------------------

struct table {
  const struct contprof_table_order *order;
  const struct contprof_function **same; // room for the functions of any name; in the order's arena
};

// Not to wait for each function in turn.
static void send_ahead(const struct contprof_table_order *order, size_t item) {
  enum { AHEAD = 10 };
  if (item + AHEAD < order->item_count)
    contprof_profile_send_for(order->items[item + AHEAD].function);
}

static void put_item(struct contprof_byte_writer *out, unsigned version, struct table *table,
                     const struct contprof_table_item *item) {
  const struct contprof_function **same = table->same;
  contprof_put_u64(out, item->hash);
  contprof_put_u64(out, item->function->name_length);
  size_t size_place = reserve(out);
  contprof_put_bytes(out, item->function->name, item->function->name_length);
  size_t start = out->size;
  memcpy(same, item->functions, item->count * sizeof *same);
  contprof_record_order(same, item->count, version >= CONTPROF_INDEXED_WITH_VTABLES);
  for (size_t i = 0; i < item->count; i++)
    put_function(out, version, same[i]);
  contprof_patch_u64(out, size_place, out->size - start);
}

// Writes the bucket whose items begin at *item, and moves that behind them. Returns the place of
// the bucket, 0 if it is empty.
static uint64_t put_bucket(struct contprof_byte_writer *out, unsigned version, struct table *table,
                           size_t bucket, size_t *item) {
  const struct contprof_table_order *order = table->order;
  uint64_t place = out->size;
  size_t end = *item;
  while (end < order->item_count && (order->items[end].hash & (order->bucket_count - 1)) == bucket)
    end++;
  if (end == *item)
    return 0;
  contprof_put_u16(out, (uint16_t)(end - *item));
  for (; *item < end; ++*item) {
    send_ahead(order, *item);
    put_item(out, version, table, &order->items[*item]);
  }
  return place;
}

// Returns the place of the table's index.
static uint64_t put_table(struct contprof_byte_writer *out, struct contprof_table_order *order,
                          unsigned version) {
  struct table table = {order,
                        contprof_arena_zeros(&order->arena, order->most, sizeof *table.same)};
  uint64_t *places = contprof_arena_zeros(&order->arena, order->bucket_count, sizeof *places);
  size_t item = 0;
  for (size_t i = 0; i < order->bucket_count; i++) {
    places[i] = put_bucket(out, version, &table, i, &item);
    contprof_byte_writer_hand_on(out);
  }
  contprof_put_padding(out, 8);
  uint64_t index = out->size;
  contprof_put_u64(out, order->bucket_count);
  contprof_put_u64(out, order->item_count);
  for (size_t i = 0; i < order->bucket_count; i++)
    contprof_put_u64(out, places[i]);
  return index;
}

// The summaries and the table behind them; returns the place of the table's index.
static uint64_t put_functions(struct contprof_byte_writer *out,
                              const struct contprof_profile *profile, unsigned version,
                              bool threaded) {
  struct summaries both = {.profile = profile};
  struct contprof_side_job summaries;
  struct contprof_table_order order;
  contprof_side_job_begin(&summaries, threaded && profile->function_count >= CONTPROF_PROFILE_LARGE,
                          summarise, &both);
  contprof_table_order_make(&order, profile);
  contprof_side_job_end(&summaries);
  put_summaries(out, version, &both);
  uint64_t index = put_table(out, &order, version);
  contprof_table_order_free(&order);
  return index;
}

// --- binary ids ---------------------------------------------------------------------------------

static int compare_ids(const void *left, const void *right) {
  const struct contprof_binary_id *a = left, *b = right;
  return contprof_compare_bytes(a->bytes, a->size, b->bytes, b->size);
}

// Sorted, as llvm-profdata writes them.
static void put_binary_ids(struct contprof_byte_writer *out,
                           const struct contprof_profile *profile) {
  struct contprof_arena arena = {0};
  size_t count = profile->binary_id_count, start = reserve(out);
  struct contprof_binary_id *ids = contprof_arena_zeros(&arena, count, sizeof *ids);
  if (count) {
    memcpy(ids, profile->binary_ids, count * sizeof *ids);
    qsort(ids, count, sizeof *ids, compare_ids);
  }
  for (size_t i = 0; i < count; i++) {
    contprof_put_u64(out, ids[i].size);
    contprof_put_bytes(out, ids[i].bytes, ids[i].size);
    contprof_put_padding(out, 8);
  }
  contprof_patch_u64(out, start, out->size - start - 8);
  contprof_arena_free(&arena);
}

static void put_traces(struct contprof_byte_writer *out, const struct contprof_profile *profile) {
  contprof_put_u64(out, profile->trace_count);
  contprof_put_u64(out, profile->trace_stream);
  for (size_t i = 0; i < profile->trace_count; i++) {
    const struct contprof_trace *trace = &profile->traces[i];
    contprof_put_u64(out, trace->weight);
    contprof_put_u64(out, trace->count);
    for (size_t j = 0; j < trace->count; j++)
      contprof_put_u64(out, trace->refs[j]);
  }
}

bool contprof_indexed_write(const struct contprof_profile *profile, unsigned version, bool threaded,
                            struct contprof_byte_writer *out, struct contprof_error *error) {
  if (!check(profile, version, error))
    return false;
  struct offsets offsets = put_header(out, version, variant_of(profile));
  contprof_patch_u64(out, offsets.hash_table, put_functions(out, profile, version, threaded));
  if (offsets.binary_ids) {
    contprof_patch_u64(out, offsets.binary_ids, out->size);
    put_binary_ids(out, profile);
  }
  if (offsets.vtables) {
    contprof_patch_u64(out, offsets.vtables, out->size);
    contprof_put_vtable_names(out, profile);
  }
  if (profile->variant & CONTPROF_VARIANT_TEMPORAL) {
    contprof_patch_u64(out, offsets.temporal, out->size);
    put_traces(out, profile);
  }
  return true;
}
