#include "text_writer.h"

#include "hot_values.h"
#include "ref_index.h"
#include "text_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const KIND_NAMES[CONTPROF_VALUE_KINDS] = {"IPVK_IndirectCallTarget",
                                                             "IPVK_MemOPSize", "IPVK_VTableTarget"};

static void put_text(struct contprof_byte_writer *out, const char *text) {
  contprof_put_bytes(out, text, strlen(text));
}

// "BEFORE", the number, a newline.
static void put_number(struct contprof_byte_writer *out, const char *before, uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64 "\n", number);
  put_text(out, before);
  contprof_put_bytes(out, digits, (size_t)length);
}

static void put_flags(struct contprof_byte_writer *out, uint64_t variant) {
  if (variant & CONTPROF_VARIANT_CS)
    put_text(out, "# CSIR level Instrumentation Flag\n:csir\n");
  else if (variant & CONTPROF_VARIANT_IR)
    put_text(out, "# IR level Instrumentation Flag\n:ir\n");
  if (variant & CONTPROF_VARIANT_ENTRY_FIRST)
    put_text(out, "# Always instrument the function entry block\n:entry_first\n");
  if (variant & CONTPROF_VARIANT_BYTE_COVERAGE)
    put_text(out, "# Instrument block coverage\n:single_byte_coverage\n");
}

static void put_bitmap(struct contprof_byte_writer *out, const struct contprof_function *function) {
  char line[16];
  put_number(out, "# Num Bitmap Bytes:\n$", function->bitmap_size);
  put_text(out, "# Bitmap Byte Values:\n");
  for (uint32_t i = 0; i < function->bitmap_size; i++) {
    snprintf(line, sizeof line, "0x%x\n", function->bitmap[i]);
    put_text(out, line);
  }
  put_text(out, "\n");
}

// What values and traces mean by their references.
// Returns false, having put nothing, if there is no such name.
static bool put_name(struct contprof_byte_writer *out, const struct contprof_text_names *names,
                     uint64_t ref) {
  const struct contprof_function *function = contprof_ref_index_find(&names->functions, ref);
  const struct contprof_name *vtable = contprof_name_table_find(names->vtables, ref);
  if (function)
    contprof_put_bytes(out, function->name, function->name_length);
  else if (vtable)
    contprof_put_bytes(out, vtable->text, vtable->length);
  return function || vtable;
}

// A value, without its count.
static void put_value(struct contprof_byte_writer *out, const struct contprof_text_names *names,
                      unsigned kind, uint64_t value) {
  char digits[24];
  if (kind == CONTPROF_MEMOP_SIZES) {
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    put_text(out, digits);
    return;
  }
  if (!put_name(out, names, value))
    put_text(out, CONTPROF_TEXT_EXTERNAL);
}

static void put_kind(struct contprof_byte_writer *out, const struct contprof_text_names *names,
                     const struct contprof_function *function, unsigned kind, bool as_read) {
  put_text(out, "# ValueKind = ");
  put_text(out, KIND_NAMES[kind]);
  put_number(out, ":\n", kind);
  put_number(out, "# NumValueSites:\n", function->site_count[kind]);
  for (uint32_t i = 0; i < function->site_count[kind]; i++) {
    const struct contprof_value_site *site = &function->sites[kind][i];
    struct contprof_value *values =
        as_read ? contprof_values_as_read(site) : contprof_hot_values(site);
    uint32_t count = site->count < CONTPROF_SITE_VALUES ? site->count : CONTPROF_SITE_VALUES;
    put_number(out, "", count);
    for (uint32_t j = 0; j < count; j++) {
      put_value(out, names, kind, values[j].value);
      put_number(out, ":", values[j].count);
    }
    free(values);
  }
}

static void put_values(struct contprof_byte_writer *out, const struct contprof_text_names *names,
                       const struct contprof_function *function, bool as_read) {
  uint64_t kinds = 0;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    kinds += function->site_count[kind] > 0;
  if (kinds)
    put_number(out, "# Num Value Kinds:\n", kinds);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind])
      put_kind(out, names, function, kind, as_read);
}

void contprof_text_write_function(struct contprof_byte_writer *out,
                                  const struct contprof_text_names *names,
                                  const struct contprof_function *function, bool as_read) {
  contprof_put_bytes(out, function->name, function->name_length);
  put_number(out, "\n# Func Hash:\n", function->hash);
  put_number(out, "# Num Counters:\n", function->counter_count);
  put_text(out, "# Counter Values:\n");
  for (uint32_t i = 0; i < function->counter_count; i++)
    put_number(out, "", function->counters[i]);
  if (function->bitmap_size)
    put_bitmap(out, function);
  put_values(out, names, function, as_read);
  put_text(out, "\n");
}

// A function that is not in the profile is a name without text; readers skip it.
static void put_traces(struct contprof_byte_writer *out, const struct contprof_text_names *names,
                       const struct contprof_profile *profile) {
  put_text(out, ":temporal_prof_traces\n");
  put_number(out, "# Num Temporal Profile Traces:\n", profile->trace_count);
  put_number(out, "# Temporal Profile Trace Stream Size:\n", profile->trace_stream);
  for (size_t i = 0; i < profile->trace_count; i++) {
    const struct contprof_trace *trace = &profile->traces[i];
    put_number(out, "# Weight:\n", trace->weight);
    for (size_t j = 0; j < trace->count; j++) {
      put_name(out, names, trace->refs[j]);
      put_text(out, ",");
    }
    put_text(out, "\n");
  }
  put_text(out, "\n");
}

bool contprof_text_write(const struct contprof_profile *profile, struct contprof_byte_writer *out,
                         struct contprof_error *error) {
  if (profile->variant & CONTPROF_VARIANT_MEMPROF)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "heap profiles can't be written");
  struct contprof_text_names names = {contprof_ref_index_of(profile), &profile->vtables};
  put_flags(out, profile->variant);
  if (profile->variant & CONTPROF_VARIANT_TEMPORAL)
    put_traces(out, &names, profile);
  for (size_t i = 0; i < profile->function_count; i++) {
    contprof_text_write_function(out, &names, profile->functions[i], false);
    contprof_byte_writer_hand_on(out);
  }
  contprof_ref_index_free(&names.functions);
  return true;
}
