// The order in which llvm-profdata writes functions of one name: that of the container it keeps
// them in, a hash table over the functions' hashes. Readers don't care; equal bytes do. Source:
// InstrProfWriter::ProfilingData, an llvm::SmallDenseMap<uint64_t, InstrProfRecord>, in
// llvm/ProfileData/InstrProfWriter.h; the table in llvm/ADT/DenseMap.h.
#ifndef CONTPROF_INSTR_RECORD_ORDER_H
#define CONTPROF_INSTR_RECORD_ORDER_H

#include "profile.h"

// Puts the `count` functions, sorted by hash, into that order, LLVM 19's or that of the
// versions before. llvm-profdata's depends on the order
// of its inputs where two hashes fall into one bucket; ours, on the hashes alone.
void contprof_record_order(const struct contprof_function **functions, size_t count, bool since_19);

#endif
