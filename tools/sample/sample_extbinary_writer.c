#include "../base/memory.h"
#include "llvm_map_order.h"
#include "sample_binary.h"
#include "sample_body_writer.h"
#include "sample_sections.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAX_SECTIONS = 8, ENTRY_BYTES = 32 };

// The order of sections in the table, in which they are read, and in the file: where functions are
// is known when they are written, but is read before them (ExtBinaryHdrLayoutTable,
// writeDefaultLayout, writeCtxSplitLayout in llvm/ProfileData/SampleProfWriter.h and .cpp).
struct layout {
  size_t count;
  uint64_t types[MAX_SECTIONS];
  size_t written[MAX_SECTIONS]; // places in `types`, in the order of the file
};

static const struct layout DEFAULT_LAYOUT = {7,
                                             {CONTPROF_SECTION_SUMMARY, CONTPROF_SECTION_NAMES,
                                              CONTPROF_SECTION_CONTEXTS, CONTPROF_SECTION_OFFSETS,
                                              CONTPROF_SECTION_SAMPLES, CONTPROF_SECTION_SYMBOLS,
                                              CONTPROF_SECTION_METADATA},
                                             {0, 1, 2, 4, 5, 3, 6}};

// Sections 4 and 5 have the functions that nothing is inlined into.
static const struct layout SPLIT_LAYOUT = {8,
                                           {CONTPROF_SECTION_SUMMARY, CONTPROF_SECTION_NAMES,
                                            CONTPROF_SECTION_OFFSETS, CONTPROF_SECTION_SAMPLES,
                                            CONTPROF_SECTION_OFFSETS, CONTPROF_SECTION_SAMPLES,
                                            CONTPROF_SECTION_SYMBOLS, CONTPROF_SECTION_METADATA},
                                           {0, 1, 3, 2, 5, 4, 6, 7}};

enum { FLAT_OFFSETS = 4, FLAT_SAMPLES = 5 };

struct ext_writer {
  struct contprof_body_writer bodies;
  const struct contprof_sample_profile *profile;
  const struct contprof_sample_write_options *options;
  const struct layout *layout;
  struct contprof_sample_section table[MAX_SECTIONS]; // in the table's order
  struct contprof_function_samples **sorted;          // all functions; owned
  struct contprof_function_samples **written;         // of the last samples' section; owned
  uint64_t *offsets;                                  // of those in the section; owned
  size_t written_count;
};

// --- sections -----------------------------------------------------------------------------------

static uint64_t summary_flags(const struct contprof_sample_profile *profile) {
  return (profile->partial ? CONTPROF_SUMMARY_PARTIAL : 0) |
         (profile->context_sensitive ? CONTPROF_SUMMARY_CONTEXT : 0) |
         (profile->preinlined ? CONTPROF_SUMMARY_PREINLINED : 0) |
         (profile->fs_discriminators ? CONTPROF_SUMMARY_FS : 0);
}

static uint64_t put_names(const struct ext_writer *writer, struct contprof_byte_writer *out) {
  if (writer->options->md5_names) {
    contprof_put_hash_table(&writer->bodies, out);
    return CONTPROF_NAMES_MD5 | CONTPROF_NAMES_FIXED_MD5;
  }
  contprof_put_name_table(&writer->bodies, out);
  for (size_t i = 0; i < writer->bodies.name_count; i++)
    if (writer->bodies.names[i]->text && strstr(writer->bodies.names[i]->text, ".__uniq."))
      return CONTPROF_NAMES_UNIQUE;
  return 0;
}

static bool belongs(const struct ext_writer *writer, size_t place,
                    const struct contprof_function_samples *function) {
  return writer->layout != &SPLIT_LAYOUT ||
         (function->callsite_count == 0) == (place == FLAT_SAMPLES);
}

static void put_functions(struct ext_writer *writer, size_t place,
                          struct contprof_byte_writer *out) {
  size_t start = out->size;
  writer->written_count = 0;
  for (size_t i = 0; i < writer->profile->function_count; i++) {
    if (!belongs(writer, place, writer->sorted[i]))
      continue;
    writer->written[writer->written_count] = writer->sorted[i];
    writer->offsets[writer->written_count++] = out->size - start;
    contprof_put_function(&writer->bodies, writer->sorted[i], out);
  }
}

struct placed {
  const struct contprof_function_samples *function;
  uint64_t offset;
};

static int by_context(const void *left, const void *right) {
  const struct placed *a = left, *b = right;
  return contprof_samples_compare(a->function, b->function);
}

// Where each function is in the samples' section before: in the order of contexts, so that those
// that begin alike stand together, or in the order written.
static uint64_t put_offsets(const struct ext_writer *writer, struct contprof_byte_writer *out) {
  bool ordered = writer->profile->context_sensitive;
  struct placed *all = contprof_need_array(NULL, writer->written_count + 1, sizeof *all);
  for (size_t i = 0; i < writer->written_count; i++)
    all[i] = (struct placed){writer->written[i], writer->offsets[i]};
  if (ordered)
    qsort(all, writer->written_count, sizeof *all, by_context);
  contprof_put_uleb128(out, writer->written_count);
  for (size_t i = 0; i < writer->written_count; i++) {
    contprof_put_function_key(&writer->bodies, all[i].function, out);
    contprof_put_uleb128(out, all[i].offset);
  }
  free(all);
  return ordered ? CONTPROF_OFFSETS_ORDERED : 0;
}

static void put_symbols(const struct contprof_sample_profile *profile,
                        struct contprof_byte_writer *out) {
  for (size_t i = 0; i < profile->symbol_count; i++)
    contprof_put_bytes(out, profile->symbols[i], strlen(profile->symbols[i]) + 1);
}

// --- metadata -----------------------------------------------------------------------------------

static uint64_t metadata_flags(const struct contprof_sample_profile *profile) {
  return (profile->probe_based ? CONTPROF_METADATA_PROBES : 0) |
         (profile->context_sensitive || profile->preinlined ? CONTPROF_METADATA_ATTRIBUTES : 0);
}

static void put_metadata_of(const struct ext_writer *writer,
                            const struct contprof_function_samples *function,
                            struct contprof_byte_writer *out);

static void put_inlined_metadata(const struct ext_writer *writer,
                                 const struct contprof_function_samples *function,
                                 struct contprof_byte_writer *out) {
  uint64_t count = 0;
  for (size_t i = 0; i < function->callsite_count; i++)
    count += function->callsites[i].inlinee_count;
  contprof_put_uleb128(out, count);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      contprof_put_uleb128(out, function->callsites[i].line.offset);
      contprof_put_uleb128(out, function->callsites[i].line.discriminator);
      put_metadata_of(writer, function->callsites[i].inlinees[j], out);
    }
}

static void put_metadata_of(const struct ext_writer *writer,
                            const struct contprof_function_samples *function,
                            struct contprof_byte_writer *out) {
  uint64_t flags = metadata_flags(writer->profile);
  contprof_put_function_key(&writer->bodies, function, out);
  if (flags & CONTPROF_METADATA_PROBES)
    contprof_put_uleb128(out, function->cfg_hash);
  if (flags & CONTPROF_METADATA_ATTRIBUTES)
    contprof_put_uleb128(out, function->attributes);
  if (!writer->profile->context_sensitive)
    put_inlined_metadata(writer, function, out);
}

static uint64_t put_metadata(const struct ext_writer *writer, struct contprof_byte_writer *out) {
  uint64_t flags = metadata_flags(writer->profile);
  if (!flags)
    return 0;
  struct contprof_function_samples **functions = contprof_samples_in_map_order(writer->profile);
  for (size_t i = 0; i < writer->profile->function_count; i++)
    put_metadata_of(writer, functions[i], out);
  free(functions);
  return flags;
}

// --- the file -----------------------------------------------------------------------------------

// Writes what is in the section of that place and returns the flags of its type.
static uint64_t put_content(struct ext_writer *writer, size_t place,
                            struct contprof_byte_writer *out) {
  switch (writer->layout->types[place]) {
  case CONTPROF_SECTION_SUMMARY:
    contprof_put_sample_summary(writer->profile, out);
    return summary_flags(writer->profile);
  case CONTPROF_SECTION_NAMES:
    return put_names(writer, out);
  case CONTPROF_SECTION_CONTEXTS:
    contprof_put_context_table(&writer->bodies, out);
    return 0;
  case CONTPROF_SECTION_SAMPLES:
    put_functions(writer, place, out);
    return 0;
  case CONTPROF_SECTION_OFFSETS:
    return put_offsets(writer, out);
  case CONTPROF_SECTION_SYMBOLS:
    put_symbols(writer->profile, out);
    return 0;
  default:
    return put_metadata(writer, out);
  }
}

// An empty section stays empty; others are two sizes and the bytes, compressed as LLVM does it
// (compression::zlib::BestSizeCompression).
static void put_compressed(const struct contprof_byte_writer *content,
                           struct contprof_byte_writer *out) {
  if (!content->size)
    return;
  uLongf size = compressBound(content->size);
  uint8_t *packed = contprof_need(malloc(size));
  if (compress2(packed, &size, content->bytes, content->size, Z_BEST_COMPRESSION) != Z_OK)
    contprof_need(NULL);
  contprof_put_uleb128(out, content->size);
  contprof_put_uleb128(out, size);
  contprof_put_bytes(out, packed, size);
  free(packed);
}

static void put_section(struct ext_writer *writer, size_t place, size_t file_start,
                        struct contprof_byte_writer *out) {
  struct contprof_sample_section *entry = &writer->table[place];
  struct contprof_byte_writer content = {0};
  bool compress = writer->options->compress,
       flat = writer->layout == &SPLIT_LAYOUT && (place == FLAT_OFFSETS || place == FLAT_SAMPLES);
  size_t start = out->size;
  uint64_t flags = put_content(writer, place, compress ? &content : out);
  if (compress)
    put_compressed(&content, out);
  contprof_byte_writer_free(&content);
  *entry = (struct contprof_sample_section){
      .type = writer->layout->types[place],
      .flags = flags | (compress ? CONTPROF_FLAG_COMPRESSED : 0) | (flat ? CONTPROF_FLAG_FLAT : 0),
      .offset = start - file_start,
      .size = out->size - start};
}

static void patch_table(const struct ext_writer *writer, size_t at,
                        struct contprof_byte_writer *out) {
  for (size_t i = 0; i < writer->layout->count; i++, at += ENTRY_BYTES) {
    contprof_patch_u64(out, at, writer->table[i].type);
    contprof_patch_u64(out, at + 8, writer->table[i].flags);
    contprof_patch_u64(out, at + 16, writer->table[i].offset);
    contprof_patch_u64(out, at + 24, writer->table[i].size);
  }
}

static void put_file(struct ext_writer *writer, struct contprof_byte_writer *out) {
  size_t file_start = out->size;
  contprof_put_uleb128(out, CONTPROF_SAMPLE_MAGIC | CONTPROF_MAGIC_EXTBINARY);
  contprof_put_uleb128(out, CONTPROF_SAMPLE_VERSION);
  contprof_put_u64(out, writer->layout->count);
  size_t table = out->size;
  for (size_t i = 0; i < writer->layout->count * ENTRY_BYTES / 8; i++)
    contprof_put_u64(out, 0);
  for (size_t i = 0; i < writer->layout->count; i++)
    put_section(writer, writer->layout->written[i], file_start, out);
  patch_table(writer, table, out);
}

void contprof_sample_extbinary_put(const struct contprof_sample_profile *profile,
                                   const struct contprof_sample_write_options *options,
                                   struct contprof_byte_writer *out) {
  size_t room = profile->function_count + 1;
  struct ext_writer writer = {.bodies = contprof_body_writer_for(profile),
                              .profile = profile,
                              .options = options,
                              .layout = options->split_layout ? &SPLIT_LAYOUT : &DEFAULT_LAYOUT,
                              .sorted = contprof_samples_sorted(profile)};
  writer.written = contprof_need_array(NULL, room, sizeof *writer.written);
  writer.offsets = contprof_need_array(NULL, room, sizeof *writer.offsets);
  put_file(&writer, out);
  free(writer.sorted);
  free(writer.written);
  free(writer.offsets);
  contprof_body_writer_free(&writer.bodies);
}
