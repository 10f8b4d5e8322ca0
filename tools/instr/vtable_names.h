// Names of vtables in indexed profiles: one blob of names (../base/names.h), compressed by zlib as
// well as it can. Source: InstrProfWriter::writeVTableNames, LLVM 19. Since that writes the names
// in the order of a hash table, and this in the order of their bytes, profiles with two names
// differ.
#ifndef CONTPROF_INSTR_VTABLE_NAMES_H
#define CONTPROF_INSTR_VTABLE_NAMES_H

#include "../base/byte_writer.h"
#include "profile.h"

// Appends the section of the profile's vtable names: its size, and the blob if there are names.
void contprof_put_vtable_names(struct contprof_byte_writer *out,
                               const struct contprof_profile *profile);

#endif
