#include "../base/memory.h"
#include "sample_binary.h"
#include "sample_body_reader.h"
#include "sample_sections.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Sections shrink to a fifth or so. Deflate could shrink nothing but zeros to 1/1032, and so make a
// small file cost much memory; what is larger than this is taken for damaged.
enum { MAX_COMPRESSION = 64, INFLATED_ANYWAY = 4 << 20 };

static const char *section_name(uint64_t type) {
  switch (type) {
  case CONTPROF_SECTION_SUMMARY:
    return "summary";
  case CONTPROF_SECTION_NAMES:
    return "name table";
  case CONTPROF_SECTION_SYMBOLS:
    return "symbol list";
  case CONTPROF_SECTION_METADATA:
    return "metadata";
  case CONTPROF_SECTION_CONTEXTS:
    return "context table";
  case CONTPROF_SECTION_SAMPLES:
    return "functions";
  default:
    return "section";
  }
}

// --- sections -----------------------------------------------------------------------------------

static bool take_summary(struct contprof_body_reader *reader, struct contprof_cursor *section,
                         uint64_t flags) {
  struct contprof_sample_profile *profile = reader->profile;
  profile->partial |= (flags & CONTPROF_SUMMARY_PARTIAL) != 0;
  profile->context_sensitive |= (flags & CONTPROF_SUMMARY_CONTEXT) != 0;
  profile->preinlined |= (flags & CONTPROF_SUMMARY_PREINLINED) != 0;
  profile->fs_discriminators |= (flags & CONTPROF_SUMMARY_FS) != 0;
  return contprof_take_sample_summary(section);
}

static bool take_names(struct contprof_body_reader *reader, struct contprof_cursor *section,
                       uint64_t flags) {
  bool hashes = flags & (CONTPROF_NAMES_MD5 | CONTPROF_NAMES_FIXED_MD5);
  reader->profile->md5_names |= hashes;
  reader->profile->unique_suffixes |= (flags & CONTPROF_NAMES_UNIQUE) != 0;
  return contprof_take_name_table(reader, section,
                                  flags & CONTPROF_NAMES_FIXED_MD5 ? CONTPROF_NAMES_AS_FIXED_HASHES
                                  : hashes                         ? CONTPROF_NAMES_AS_HASHES
                                                                   : CONTPROF_NAMES_AS_TEXT);
}

static bool take_symbols(struct contprof_body_reader *reader, struct contprof_cursor *section) {
  uint64_t size = contprof_cursor_left(section);
  const char *text = (const char *)contprof_take_bytes(section, size), *end = text + size;
  if (size && end[-1] != 0)
    return contprof_cursor_corrupt(section, "the last name has no end");
  while (text < end) {
    size_t length = strlen(text);
    contprof_symbols_add(reader->profile, text, length);
    text += length + 1;
  }
  contprof_symbols_sort(reader->profile);
  return true;
}

// --- metadata -----------------------------------------------------------------------------------

static struct contprof_function_samples *
inlinee_at(const struct contprof_function_samples *function, struct contprof_sample_line line,
           const struct contprof_sample_name *name) {
  size_t low = 0, high = function ? function->callsite_count : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (contprof_sample_line_compare(function->callsites[middle].line, line) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (!function || low == function->callsite_count ||
      contprof_sample_line_compare(function->callsites[low].line, line) != 0)
    return NULL;
  const struct contprof_callsite *site = &function->callsites[low];
  for (uint32_t i = 0; i < site->inlinee_count; i++)
    if (site->inlinees[i]->name == name)
      return site->inlinees[i];
  return NULL;
}

static bool take_metadata_of(struct contprof_body_reader *reader, struct contprof_cursor *section,
                             uint64_t flags, struct contprof_function_samples *function,
                             size_t depth);

static bool take_inlined_metadata(struct contprof_body_reader *reader,
                                  struct contprof_cursor *section, uint64_t flags,
                                  const struct contprof_function_samples *function, size_t depth) {
  if (depth == CONTPROF_INLINE_DEPTH)
    return contprof_cursor_corrupt(section, "more than %d functions inlined into one another",
                                   CONTPROF_INLINE_DEPTH);
  uint64_t count = contprof_take_uleb128(section);
  for (uint64_t i = 0; i < count && contprof_cursor_ok(section); i++) {
    struct contprof_sample_line line = contprof_take_line(section);
    const struct contprof_sample_name *name = contprof_take_name(reader, section);
    if (!contprof_cursor_ok(section) ||
        !take_metadata_of(reader, section, flags, inlinee_at(function, line, name), depth + 1))
      return false;
  }
  return contprof_cursor_ok(section);
}

// `function` is NULL for one that there are no samples of.
static bool take_metadata_of(struct contprof_body_reader *reader, struct contprof_cursor *section,
                             uint64_t flags, struct contprof_function_samples *function,
                             size_t depth) {
  if (flags & CONTPROF_METADATA_PROBES) {
    uint64_t hash = contprof_take_uleb128(section);
    if (function)
      function->cfg_hash = hash;
  }
  if (flags & CONTPROF_METADATA_ATTRIBUTES) {
    uint64_t attributes = contprof_take_uleb128(section);
    if (attributes > UINT32_MAX)
      return contprof_cursor_corrupt(section, "attributes of more than 32 bits");
    if (function)
      function->attributes = (uint32_t)attributes;
  }
  return reader->profile->context_sensitive ||
         take_inlined_metadata(reader, section, flags, function, depth);
}

// Functions' lines have to be in their place first.
static bool take_metadata(struct contprof_body_reader *reader, struct contprof_cursor *section,
                          uint64_t flags) {
  struct contprof_function_samples *function;
  contprof_builder_finish(&reader->builder);
  reader->builder = contprof_builder_for(reader->profile);
  reader->profile->probe_based |= (flags & CONTPROF_METADATA_PROBES) != 0;
  while (contprof_cursor_ok(section) && contprof_cursor_left(section))
    if (!contprof_take_function_key(reader, section, false, &function) ||
        !take_metadata_of(reader, section, flags, function, 1))
      return false;
  return contprof_cursor_ok(section);
}

// --- the file -----------------------------------------------------------------------------------

static bool take_section(struct contprof_body_reader *reader,
                         const struct contprof_sample_section *entry,
                         struct contprof_cursor *section) {
  switch (entry->type) {
  case CONTPROF_SECTION_SUMMARY:
    return take_summary(reader, section, entry->flags);
  case CONTPROF_SECTION_NAMES:
    return take_names(reader, section, entry->flags);
  case CONTPROF_SECTION_SYMBOLS:
    return take_symbols(reader, section);
  case CONTPROF_SECTION_METADATA:
    return take_metadata(reader, section, entry->flags);
  case CONTPROF_SECTION_CONTEXTS:
    return contprof_take_context_table(reader, section);
  case CONTPROF_SECTION_SAMPLES:
    return contprof_take_functions(reader, section);
  default: // where each function is, for those that want few; and what is not known
    return contprof_skip(section, contprof_cursor_left(section));
  }
}

static bool take_whole_section(struct contprof_body_reader *reader,
                               const struct contprof_sample_section *entry,
                               struct contprof_cursor *section) {
  section->section = section_name(entry->type);
  if (!take_section(reader, entry, section))
    return false;
  if (contprof_cursor_left(section))
    return contprof_cursor_corrupt(section, "%" PRIu64 " bytes behind the end of the section",
                                   contprof_cursor_left(section));
  return true;
}

// Offsets in messages are those in the file where there are any, and in what the section inflates
// to otherwise.
static bool take_compressed(struct contprof_body_reader *reader,
                            const struct contprof_sample_section *entry,
                            struct contprof_cursor *section) {
  uint64_t size = contprof_take_uleb128(section), packed = contprof_take_uleb128(section);
  const uint8_t *bytes = contprof_take_bytes(section, packed);
  if (!bytes)
    return false;
  if (size > INFLATED_ANYWAY && (size - INFLATED_ANYWAY) / MAX_COMPRESSION > packed)
    return contprof_cursor_corrupt(section, "%" PRIu64 " bytes can't inflate to %" PRIu64, packed,
                                   size);
  uint8_t *inflated = contprof_need(malloc(size + 1));
  uLongf got = size;
  int status = uncompress(inflated, &got, bytes, packed);
  bool ok = status == Z_OK && got == size;
  if (!ok)
    contprof_cursor_corrupt(section, "the section can't be inflated (zlib's error %d)", status);
  struct contprof_cursor inner =
      contprof_cursor_over(inflated, size, 0, section->file, section->section, section->error);
  ok = ok && take_whole_section(reader, entry, &inner);
  free(inflated);
  return ok;
}

// Sections that overlap could make a small file inflate to any size.
static bool sizes_fit(struct contprof_cursor *file,
                      const struct contprof_sample_sections *sections) {
  uint64_t left = file->size;
  for (size_t i = 0; i < sections->count; i++) {
    if (sections->sections[i].size > left)
      return contprof_cursor_corrupt(file, "sections overlap");
    left -= sections->sections[i].size;
  }
  return true;
}

static bool take_sections(struct contprof_body_reader *reader, struct contprof_cursor *file,
                          const struct contprof_sample_sections *sections) {
  for (size_t i = 0; i < sections->count; i++) {
    const struct contprof_sample_section *entry = &sections->sections[i];
    if (!entry->size)
      continue;
    if (!contprof_seek(file, entry->offset))
      return false;
    struct contprof_cursor section =
        contprof_take_sub(file, entry->size, section_name(entry->type));
    if (!(entry->flags & CONTPROF_FLAG_COMPRESSED ? take_compressed(reader, entry, &section)
                                                  : take_whole_section(reader, entry, &section)))
      return false;
  }
  return true;
}

bool contprof_sample_extbinary_read(const uint8_t *bytes, uint64_t size, const char *file,
                                    struct contprof_sample_profile *profile,
                                    struct contprof_error *error) {
  struct contprof_cursor cursor = contprof_cursor_over(bytes, size, 0, file, "header", error);
  struct contprof_sample_sections sections;
  struct contprof_body_reader reader = contprof_body_reader_for(profile);
  bool ok = contprof_sample_sections_read(&cursor, &sections) && sizes_fit(&cursor, &sections) &&
            take_sections(&reader, &cursor, &sections);
  contprof_sample_sections_free(&sections);
  contprof_body_reader_free(&reader);
  return ok;
}
