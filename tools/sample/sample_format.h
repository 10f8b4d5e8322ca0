// Sample profiles as files: text, binary and extended binary, by LLVM's formats.
// Rules: llvm/lib/ProfileData/SampleProfReader.cpp, SampleProfWriter.cpp;
// include/llvm/ProfileData/SampleProf.h.
#ifndef CONTPROF_SAMPLE_FORMAT_H
#define CONTPROF_SAMPLE_FORMAT_H

#include "sample_profile.h"

#include <stdio.h>

enum contprof_sample_format {
  CONTPROF_SAMPLE_TEXT,
  CONTPROF_SAMPLE_BINARY,
  CONTPROF_SAMPLE_EXTBINARY,
};

struct contprof_sample_write_options {
  enum contprof_sample_format format;
  bool md5_names;    // extended binary alone: --use-md5
  bool compress;     // extended binary alone: all sections (--compress-all-sections)
  bool split_layout; // extended binary alone: --split-layout
};

// Reads `path` ("-" is standard input), of whichever format, and adds nothing to what `profile`
// (empty before) then holds. Returns false with `error` set (file, offset or line, reason) if it is
// damaged; the profile is then empty.
bool contprof_sample_read(const char *path, struct contprof_sample_profile *profile,
                          struct contprof_error *error);

// The same from memory; `file` is for messages. The bytes need not outlive the call.
bool contprof_sample_read_bytes(const uint8_t *bytes, uint64_t size, const char *file,
                                struct contprof_sample_profile *profile,
                                struct contprof_error *error);

// Writes the profile to `path` ("-" is standard output), whole or not at all.
bool contprof_sample_write(const struct contprof_sample_profile *profile, const char *path,
                           const struct contprof_sample_write_options *options,
                           struct contprof_error *error);

#endif
