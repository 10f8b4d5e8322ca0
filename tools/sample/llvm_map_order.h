// The order in which LLVM comes upon the functions of a sample profile where it walks its hash
// table of them: that of the metadata section, and, through merging, of the table that is made
// next.
//
// The table is libstdc++'s std::unordered_map from a 64-bit hash: of a name its first eight bytes
// of MD5, of a context llvm::hash_combine_range over its frames (llvm/ADT/Hashing.h, with the fixed
// seed of builds without ABI checks). What libstdc++'s order is follows from the order of
// insertion. Built with another C++ library, LLVM has another one; no reader minds.
#ifndef CONTPROF_SAMPLE_LLVM_MAP_ORDER_H
#define CONTPROF_SAMPLE_LLVM_MAP_ORDER_H

#include "sample_profile.h"

// The top-level functions, inserted as they stand in functions[], in the map's order.
// function_count of them, to be freed.
struct contprof_function_samples **
contprof_samples_in_map_order(const struct contprof_sample_profile *profile);

#endif
