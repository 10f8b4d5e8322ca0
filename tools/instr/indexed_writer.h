// Writes LLVM indexed profiles (.profdata), versions 5 (clang 8) to 12 (clang 19).
#ifndef CONTPROF_INSTR_INDEXED_WRITER_H
#define CONTPROF_INSTR_INDEXED_WRITER_H

#include "../base/byte_writer.h"
#include "profile.h"

// The indexed version that LLVM `major` (14 to 19) writes by default; 0 for one this build does
// not know.
unsigned contprof_indexed_version_of_llvm(unsigned major);

// The oldest version, from 7, that carries all of `profile`: 12 with vtables or LLVM 19's bitmaps,
// 11 with LLVM 18's, 10 with temporal traces, 9 with functions marked as hot or warm as LLVM 16
// does or with binary ids that it keeps, else 7. Other binary ids are written where the version has
// room for them (9 and up): those of a program by LLVM 14, which must be able to read its profile,
// can't be told from LLVM 16's.
unsigned contprof_indexed_version_for(const struct contprof_profile *profile);

// What `profile` has, besides counts, that is lost or not understood in that version, as a
// sentence; NULL if nothing. Fits 128 bytes; in `buffer`.
const char *contprof_indexed_loss(const struct contprof_profile *profile, unsigned version,
                                  char buffer[128]);

// Writes the sorted profile as `version`; if `threaded`, a large one in two threads. Fails with
// CONTPROF_UNSUPPORTED, naming what, when that version can't carry something in it.
bool contprof_indexed_write(const struct contprof_profile *profile, unsigned version, bool threaded,
                            struct contprof_byte_writer *out, struct contprof_error *error);

#endif
