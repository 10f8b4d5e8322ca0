#include "profile_wire.h"

#include "../base/cursor.h"
#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

void contprof_wire_put_text(struct contprof_byte_writer *out, const void *text, size_t length) {
  contprof_put_u64(out, length);
  contprof_put_bytes(out, text, length);
}

const char *contprof_wire_take_text(struct contprof_cursor *in, size_t *length) {
  uint64_t size = contprof_take_u64(in);
  const char *text = (const char *)contprof_take_bytes(in, size);
  *length = text ? (size_t)size : 0;
  return text ? text : "";
}

static struct contprof_cursor begin(const struct contprof_byte_writer *wire,
                                    struct contprof_error *error) {
  contprof_error_clear(error);
  return contprof_cursor_over(wire->bytes, wire->size, 0, "another rank", "profile", error);
}

// --- sites --------------------------------------------------------------------------------------

static void put_site(const struct contprof_value_site *site, struct contprof_byte_writer *out) {
  contprof_put_u8(out, site->sorted);
  contprof_put_u32(out, site->count);
  for (uint32_t i = 0; i < site->count; i++) {
    contprof_put_u64(out, site->values[i].value);
    contprof_put_u64(out, site->values[i].count);
  }
}

static void put_sites(const struct contprof_function *function, struct contprof_byte_writer *out) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++)
      put_site(&function->sites[kind][i], out);
}

// Its values are to be freed.
static struct contprof_value_site take_site(struct contprof_cursor *in) {
  struct contprof_value_site site = {0};
  site.sorted = contprof_take_u8(in);
  site.count = contprof_take_u32(in);
  if (site.count > contprof_cursor_left(in) / (2 * sizeof(uint64_t))) {
    contprof_cursor_corrupt(in, "values are missing");
    site.count = 0;
  }
  site.values = contprof_need_array(NULL, (size_t)site.count + 1, sizeof *site.values);
  for (uint32_t i = 0; i < site.count; i++) {
    site.values[i].value = contprof_take_u64(in);
    site.values[i].count = contprof_take_u64(in);
  }
  return site;
}

void contprof_wire_put_values(const struct contprof_profile *profile,
                              struct contprof_byte_writer *out) {
  for (size_t i = 0; i < profile->function_count; i++)
    put_sites(profile->functions[i], out);
}

static bool add_sites(struct contprof_profile *into, struct contprof_function *function,
                      struct contprof_cursor *in) {
  bool fits = true;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++) {
      struct contprof_value_site site = take_site(in);
      fits &= contprof_profile_unite_site(into, &function->sites[kind][i], &site, 1);
      free(site.values);
    }
  return fits;
}

bool contprof_wire_add_values(struct contprof_profile *into,
                              const struct contprof_byte_writer *wire) {
  struct contprof_error error;
  struct contprof_cursor in = begin(wire, &error);
  bool fits = true;
  for (size_t i = 0; i < into->function_count; i++)
    fits &= add_sites(into, into->functions[i], &in);
  return fits && contprof_cursor_ok(&in);
}

// --- writing ------------------------------------------------------------------------------------

static void put_function(const struct contprof_function *function,
                         struct contprof_byte_writer *out) {
  contprof_wire_put_text(out, function->name, function->name_length);
  contprof_put_u64(out, function->name_ref);
  contprof_put_u64(out, function->hash);
  contprof_put_u32(out, function->counter_count);
  contprof_put_u32(out, function->bitmap_size);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    contprof_put_u32(out, function->site_count[kind]);
  contprof_put_bytes(out, function->counters, function->counter_count * sizeof *function->counters);
  contprof_put_bytes(out, function->bitmap, function->bitmap_size);
  put_sites(function, out);
}

static void put_traces(const struct contprof_profile *profile, struct contprof_byte_writer *out) {
  contprof_put_u64(out, profile->trace_stream);
  contprof_put_u64(out, profile->trace_count);
  for (size_t i = 0; i < profile->trace_count; i++) {
    const struct contprof_trace *trace = &profile->traces[i];
    contprof_put_u64(out, trace->weight);
    contprof_wire_put_text(out, trace->refs, trace->count * sizeof *trace->refs);
  }
}

static void put_names(const struct contprof_profile *profile, struct contprof_byte_writer *out) {
  contprof_put_u64(out, profile->keeps_binary_ids);
  contprof_put_u64(out, profile->binary_id_count);
  for (size_t i = 0; i < profile->binary_id_count; i++)
    contprof_wire_put_text(out, profile->binary_ids[i].bytes, profile->binary_ids[i].size);
  contprof_put_u64(out, profile->vtables.count);
  for (size_t i = 0; i < profile->vtables.count; i++) {
    contprof_put_u64(out, profile->vtables.names[i].ref);
    contprof_wire_put_text(out, profile->vtables.names[i].text, profile->vtables.names[i].length);
  }
}

void contprof_wire_put(const struct contprof_profile *profile, struct contprof_byte_writer *out) {
  contprof_put_u64(out, profile->variant);
  contprof_put_u64(out, profile->bitmap_version);
  contprof_put_u64(out, profile->format);
  contprof_put_u64(out, profile->version);
  put_names(profile, out);
  put_traces(profile, out);
  contprof_put_u64(out, profile->function_count);
  for (size_t i = 0; i < profile->function_count; i++)
    put_function(profile->functions[i], out);
}

// --- reading ------------------------------------------------------------------------------------

static void copy(void *to, struct contprof_cursor *in, uint64_t size) {
  const uint8_t *bytes = contprof_take_bytes(in, size);
  if (bytes && size)
    memcpy(to, bytes, size);
}

static void take_sites(struct contprof_profile *profile, struct contprof_function *function,
                       struct contprof_cursor *in) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++) {
      struct contprof_value_site site = take_site(in);
      contprof_profile_copy_site(profile, &function->sites[kind][i], &site, 1);
      free(site.values);
    }
}

static void take_function(struct contprof_profile *profile, struct contprof_cursor *in) {
  struct contprof_function like = {0};
  like.name = contprof_wire_take_text(in, &like.name_length);
  like.name_ref = contprof_take_u64(in);
  like.hash = contprof_take_u64(in);
  like.counter_count = contprof_take_u32(in);
  like.bitmap_size = contprof_take_u32(in);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    like.site_count[kind] = contprof_take_u32(in);
  if (!contprof_cursor_ok(in))
    return;
  struct contprof_function *function = contprof_profile_add_like(profile, &like);
  copy(function->counters, in, function->counter_count * sizeof *function->counters);
  copy(function->bitmap, in, function->bitmap_size);
  take_sites(profile, function, in);
}

static void take_traces(struct contprof_profile *profile, struct contprof_cursor *in) {
  profile->trace_stream = contprof_take_u64(in);
  uint64_t count = contprof_take_u64(in);
  for (uint64_t i = 0; i < count && contprof_cursor_ok(in); i++) {
    uint64_t weight = contprof_take_u64(in);
    uint64_t size = contprof_take_u64(in);
    uint64_t *refs = contprof_need_array(NULL, (size_t)(size / sizeof *refs) + 1, sizeof *refs);
    copy(refs, in, size);
    contprof_profile_add_trace(profile, weight, refs, size / sizeof *refs);
    free(refs);
  }
}

static void take_names(struct contprof_profile *profile, struct contprof_cursor *in) {
  size_t length;
  profile->keeps_binary_ids = contprof_take_u64(in);
  uint64_t count = contprof_take_u64(in);
  for (uint64_t i = 0; i < count && contprof_cursor_ok(in); i++) {
    const char *id = contprof_wire_take_text(in, &length);
    contprof_profile_add_binary_id(profile, (const uint8_t *)id, length);
  }
  count = contprof_take_u64(in);
  for (uint64_t i = 0; i < count && contprof_cursor_ok(in); i++) {
    struct contprof_name name = {.ref = contprof_take_u64(in)};
    name.text = contprof_wire_take_text(in, &name.length);
    contprof_name_table_add(&profile->vtables, &name);
  }
}

// But for `format`, since its counts are sums, which a raw profile's are not judged as.
static enum contprof_format take(struct contprof_profile *profile, struct contprof_cursor *in) {
  profile->variant = contprof_take_u64(in);
  profile->bitmap_version = (unsigned)contprof_take_u64(in);
  enum contprof_format format = (enum contprof_format)contprof_take_u64(in);
  profile->version = contprof_take_u64(in);
  take_names(profile, in);
  take_traces(profile, in);
  uint64_t count = contprof_take_u64(in);
  for (uint64_t i = 0; i < count && contprof_cursor_ok(in); i++)
    take_function(profile, in);
  return format;
}

bool contprof_wire_merge(struct contprof_profile *into, const struct contprof_byte_writer *wire) {
  struct contprof_merge_report report = {0};
  struct contprof_profile from = {0};
  struct contprof_error error;
  struct contprof_cursor in = begin(wire, &error);
  enum contprof_format format = take(&from, &in);
  const struct contprof_renames *renames = into->renames;
  into->renames = NULL;
  bool ok = contprof_cursor_ok(&in) && from.trace_stream <= into->trace_limits->reservoir &&
            contprof_profile_merge(into, &from, 1, &report, "another rank's", &error) &&
            !report.functions_dropped && !report.functions_saturated;
  into->renames = renames;
  if (into->format == CONTPROF_FORMAT_NONE) {
    into->format = format;
    into->version = from.version;
  }
  contprof_profile_free(&from);
  return ok;
}
