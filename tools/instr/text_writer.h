// Writes the text form of instrumentation profiles, with the comments of llvm-profdata merge --text
// and byte for byte as that writes it. Source: InstrProfWriter::writeText in
// llvm/lib/ProfileData/InstrProfWriter.cpp; format in text_reader.h.
#ifndef CONTPROF_INSTR_TEXT_WRITER_H
#define CONTPROF_INSTR_TEXT_WRITER_H

#include "../base/byte_writer.h"
#include "profile.h"

// Appends the sorted `profile` to `out`. Fails with CONTPROF_UNSUPPORTED, and writes nothing, for
// what contprof knows no text of (heap profiles).
bool contprof_text_write(const struct contprof_profile *profile, struct contprof_byte_writer *out,
                         struct contprof_error *error);

#endif
