// Writes the text form of instrumentation profiles, with the comments of llvm-profdata merge --text
// and byte for byte as that writes it. Source: InstrProfWriter::writeText in
// llvm/lib/ProfileData/InstrProfWriter.cpp; format in text_reader.h.
#ifndef CONTPROF_INSTR_TEXT_WRITER_H
#define CONTPROF_INSTR_TEXT_WRITER_H

#include "../base/byte_writer.h"
#include "profile.h"
#include "ref_index.h"

// Appends the sorted `profile` to `out`. Fails with CONTPROF_UNSUPPORTED, and writes nothing, for
// what contprof knows no text of (heap profiles).
bool contprof_text_write(const struct contprof_profile *profile, struct contprof_byte_writer *out,
                         struct contprof_error *error);

// What values are written with: the names of a profile. Neither is owned.
struct contprof_text_names {
  struct contprof_ref_index functions;
  const struct contprof_name_table *vtables;
};

// Appends one function. Its sites' values come hottest first, as in a merged profile, or, with
// `as_read`, as show prints them (contprof_values_as_read).
void contprof_text_write_function(struct contprof_byte_writer *out,
                                  const struct contprof_text_names *names,
                                  const struct contprof_function *function, bool as_read);

#endif
