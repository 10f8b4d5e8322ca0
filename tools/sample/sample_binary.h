// Sample profiles in LLVM's binary and extended binary formats. Private to sample_format.c and
// tests.
//
// Numbers are ULEB128 but where it is said. The binary format is a magic, the version, a summary, a
// table of names and functions up to the file's end. The extended one has these as sections, and
// more of them; see sample_sections.h. A function is its head samples, then name (or context) and
// total samples, the number of body samples, each with line offset, discriminator, count and call
// targets, and the number of functions inlined, each with line offset, discriminator and itself
// without the head samples.
// Source: llvm/lib/ProfileData/SampleProfReader.cpp, SampleProfWriter.cpp.
#ifndef CONTPROF_SAMPLE_SAMPLE_BINARY_H
#define CONTPROF_SAMPLE_SAMPLE_BINARY_H

#include "../base/byte_writer.h"
#include "sample_format.h"

// Add what the file holds to the profile. Return false with `error` set if it is damaged; the
// profile then holds a part of it.
bool contprof_sample_binary_read(const uint8_t *bytes, uint64_t size, const char *file,
                                 struct contprof_sample_profile *profile,
                                 struct contprof_error *error);
bool contprof_sample_extbinary_read(const uint8_t *bytes, uint64_t size, const char *file,
                                    struct contprof_sample_profile *profile,
                                    struct contprof_error *error);

// The profile is one that the format is for; see contprof_sample_put.
void contprof_sample_binary_put(const struct contprof_sample_profile *profile,
                                struct contprof_byte_writer *out);
void contprof_sample_extbinary_put(const struct contprof_sample_profile *profile,
                                   const struct contprof_sample_write_options *options,
                                   struct contprof_byte_writer *out);

#endif
