// Reads LLVM indexed profiles (.profdata), versions 4 to 12.
// Layout: llvm/ProfileData/InstrProf.h (IndexedInstrProf), llvm/Support/OnDiskHashTable.h.
#ifndef CONTPROF_INSTR_INDEXED_READER_H
#define CONTPROF_INSTR_INDEXED_READER_H

#include "../base/file_view.h"
#include "profile.h"

// True if the bytes start with an indexed profile's magic.
bool contprof_is_indexed(const struct contprof_file_view *file);

// Reads the file into the empty `profile`. Anything wrong fails the whole file, with offset and
// section; the profile is then freed.
bool contprof_indexed_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                           struct contprof_error *error);

#endif
