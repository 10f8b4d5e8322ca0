// Reads LLVM raw profiles (.profraw), versions 8 (LLVM 14 to 17), 9 (18) and 10 (19, 20), of 32-
// and 64-bit programs in either byte order.
// Layouts: compiler-rt's profile/InstrProfData.inc, INSTR_PROF_RAW_HEADER and INSTR_PROF_DATA.
#ifndef CONTPROF_INSTR_RAW_READER_H
#define CONTPROF_INSTR_RAW_READER_H

#include "../base/file_view.h"
#include "profile.h"

// True if the bytes start with a raw profile's magic (either width, either byte order).
bool contprof_is_raw(const struct contprof_file_view *file);

// Reads every image in the file (they may follow each other, 8-byte aligned) into the empty
// `profile`. Anything wrong fails the whole file, with offset and section; the profile is then
// freed. Unused value slots (count 0) are dropped. Images and repeated functions are summed; those
// of one name and hash that differ in shape are counted in functions_dropped. Images of different
// kinds in one file are CONTPROF_MISMATCH.
bool contprof_raw_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                       struct contprof_error *error);

#endif
