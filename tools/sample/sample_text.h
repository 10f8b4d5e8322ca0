// Sample profiles as text. Private to sample_format.c and tests.
//
// A line that begins without a space opens a function, NAME:TOTAL:HEAD or [CONTEXT]:TOTAL:HEAD.
// Lines below it are indented by as many spaces as functions are open: LINE[.DISCRIMINATOR]: COUNT[
// TARGET:COUNT]... is a body sample, LINE[.DISCRIMINATOR]: NAME:TOTAL opens an inlined function,
// and !CFGChecksum: N and !Attributes: N, behind all others, tell of the function itself. Names may
// hold any characters, colons and spaces too; they don't begin with a digit where they could be a
// count. Source: llvm/lib/ProfileData/SampleProfReader.cpp (SampleProfileReaderText).
#ifndef CONTPROF_SAMPLE_SAMPLE_TEXT_H
#define CONTPROF_SAMPLE_SAMPLE_TEXT_H

#include "../base/byte_writer.h"
#include "sample_profile.h"

// Whether the first line that tells something opens a function.
bool contprof_is_sample_text(const uint8_t *bytes, uint64_t size);

// Adds what the text holds to the profile. Returns false with `error` set if it is no such text;
// the profile then holds a part of it.
bool contprof_sample_text_read(const uint8_t *bytes, uint64_t size, const char *file,
                               struct contprof_sample_profile *profile,
                               struct contprof_error *error);

void contprof_sample_text_put(const struct contprof_sample_profile *profile,
                              struct contprof_byte_writer *out);

#endif
