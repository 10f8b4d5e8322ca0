// Sample profiles as files: text, binary and extended binary, by LLVM's formats. What is written
// has the bytes that LLVM 19's writers give it. GCC's format is told from the others and refused,
// and so is the compact binary format that LLVM had up to 16. See docs/sample-formats.md. Rules:
// llvm/lib/ProfileData/SampleProfReader.cpp, SampleProfWriter.cpp;
// include/llvm/ProfileData/SampleProf.h.
#ifndef CONTPROF_SAMPLE_FORMAT_H
#define CONTPROF_SAMPLE_FORMAT_H

#include "../base/byte_writer.h"
#include "sample_profile.h"

enum contprof_sample_format {
  CONTPROF_SAMPLE_TEXT,
  CONTPROF_SAMPLE_BINARY,
  CONTPROF_SAMPLE_EXTBINARY,
};

// But for `format` all of it is for the extended binary format alone, and passed over in others.
struct contprof_sample_write_options {
  enum contprof_sample_format format;
  bool md5_names;    // --use-md5
  bool compress;     // all sections (--compress-all-sections)
  bool split_layout; // functions with inlined ones apart from the others (LLVM's CtxSplitLayout)
};

// Whether the bytes, the beginning of a file that may be longer, are of a sample profile in a format
// that is read.
bool contprof_is_sample(const uint8_t *bytes, uint64_t size);

// Reads `path` ("-" is standard input), of whichever format, and adds nothing to what `profile`
// (empty before) then holds. Returns false with `error` set (file, offset or line, reason) if it is
// damaged; the profile is then empty.
bool contprof_sample_read(const char *path, struct contprof_sample_profile *profile,
                          struct contprof_error *error);

// The same from memory; `file` is for messages. The bytes need not outlive the call.
bool contprof_sample_read_bytes(const uint8_t *bytes, uint64_t size, const char *file,
                                struct contprof_sample_profile *profile,
                                struct contprof_error *error);

// The bytes that contprof_sample_write writes are added to `out`. Fails where LLVM does: binary is
// not for context-sensitive or probe-based profiles, a split layout not for context-sensitive ones.
bool contprof_sample_put(const struct contprof_sample_profile *profile,
                         const struct contprof_sample_write_options *options,
                         struct contprof_byte_writer *out, struct contprof_error *error);

// Writes the profile to `path` ("-" is standard output), whole or not at all.
bool contprof_sample_write(const struct contprof_sample_profile *profile, const char *path,
                           const struct contprof_sample_write_options *options,
                           struct contprof_error *error);

#endif
