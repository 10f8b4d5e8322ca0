#include "sample_format.h"

#include "../base/file_view.h"
#include "../base/output_file.h"
#include "sample_binary.h"
#include "sample_sections.h"
#include "sample_text.h"

#include <string.h>

// --- reading ------------------------------------------------------------------------------------

static bool unsupported(const char *file, const char *what, struct contprof_error *error) {
  return contprof_fail(error, CONTPROF_UNSUPPORTED, file, NULL, 0, "%s are not supported", what);
}

// GCOVBuffer::readGCDAFormat: "adcg" of either byte order.
static bool is_gcc(const uint8_t *bytes, uint64_t size) {
  return size >= 4 && (memcmp(bytes, "adcg", 4) == 0 || memcmp(bytes, "gcda", 4) == 0);
}

bool contprof_is_sample(const uint8_t *bytes, uint64_t size) {
  return contprof_has_sample_magic(bytes, size, CONTPROF_MAGIC_EXTBINARY) ||
         contprof_has_sample_magic(bytes, size, CONTPROF_MAGIC_BINARY) ||
         contprof_is_sample_text(bytes, size);
}

static bool read_any(const uint8_t *bytes, uint64_t size, const char *file,
                     struct contprof_sample_profile *profile, struct contprof_error *error) {
  if (contprof_has_sample_magic(bytes, size, CONTPROF_MAGIC_EXTBINARY))
    return contprof_sample_extbinary_read(bytes, size, file, profile, error);
  if (contprof_has_sample_magic(bytes, size, CONTPROF_MAGIC_BINARY))
    return contprof_sample_binary_read(bytes, size, file, profile, error);
  if (contprof_has_sample_magic(bytes, size, CONTPROF_MAGIC_COMPACT))
    return unsupported(file, "sample profiles in compact binary format (LLVM 16 and before)",
                       error);
  if (is_gcc(bytes, size))
    return unsupported(file, "sample profiles in GCC's format", error);
  if (contprof_is_sample_text(bytes, size))
    return contprof_sample_text_read(bytes, size, file, profile, error);
  return contprof_fail(error, CONTPROF_UNSUPPORTED, file, NULL, 0, "it is no sample profile");
}

bool contprof_sample_read_bytes(const uint8_t *bytes, uint64_t size, const char *file,
                                struct contprof_sample_profile *profile,
                                struct contprof_error *error) {
  if (read_any(bytes, size, file, profile, error))
    return true;
  contprof_sample_profile_free(profile);
  return false;
}

bool contprof_sample_read(const char *path, struct contprof_sample_profile *profile,
                          struct contprof_error *error) {
  struct contprof_file_view view = {0};
  if (!contprof_file_open(path, &view, error))
    return false;
  bool ok = contprof_sample_read_bytes(view.bytes, view.size, path, profile, error);
  contprof_file_close(&view);
  return ok;
}

// --- writing ------------------------------------------------------------------------------------

static bool cannot_write(struct contprof_error *error, const char *what) {
  return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET, "%s", what);
}

// SampleProfileWriter::create; the split layout has no place for contexts.
bool contprof_sample_put(const struct contprof_sample_profile *profile,
                         const struct contprof_sample_write_options *options,
                         struct contprof_byte_writer *out, struct contprof_error *error) {
  bool has_more = profile->context_sensitive || profile->probe_based;
  switch (options->format) {
  case CONTPROF_SAMPLE_TEXT:
    contprof_sample_text_put(profile, out);
    return true;
  case CONTPROF_SAMPLE_BINARY:
    if (has_more)
      return cannot_write(error, "the binary format is not for context-sensitive or probe-based "
                                 "profiles; the extended binary and text formats are");
    contprof_sample_binary_put(profile, out);
    return true;
  case CONTPROF_SAMPLE_EXTBINARY:
    if (profile->context_sensitive && options->split_layout)
      return cannot_write(error, "the split layout is not for context-sensitive profiles");
    contprof_sample_extbinary_put(profile, options, out);
    return true;
  }
  return cannot_write(error, "no such format of sample profiles");
}

bool contprof_sample_write(const struct contprof_sample_profile *profile, const char *path,
                           const struct contprof_sample_write_options *options,
                           struct contprof_error *error) {
  struct contprof_byte_writer out = {0};
  bool ok = contprof_sample_put(profile, options, &out, error) &&
            contprof_output_write(path, out.bytes, out.size, error);
  contprof_byte_writer_free(&out);
  return ok;
}
