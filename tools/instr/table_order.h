// The order in which an indexed profile's hash table has its items: that of LLVM's
// OnDiskChainedHashTableGenerator, so that llvm-profdata, from 19 on, writes the same bytes of the
// same names. Source: llvm/include/llvm/Support/OnDiskHashTable.h.
#ifndef CONTPROF_INSTR_TABLE_ORDER_H
#define CONTPROF_INSTR_TABLE_ORDER_H

#include "profile.h"

// A name's functions.
struct contprof_table_item {
  uint64_t hash;                                    // of the name
  const struct contprof_function *function;         // the first
  const struct contprof_function *const *functions; // all, in the profile's order; not owned
  size_t count;                                     // of them, at least 1
};

struct contprof_table_order {
  struct contprof_table_item *items; // item_count of them, bucket by bucket; in the arena
  size_t item_count;
  size_t bucket_count; // a power of two: an item's bucket is what remains of its hash
  size_t most;         // functions that any item has
  struct contprof_arena arena;
};

// Of the sorted profile, which must outlive it, unchanged.
void contprof_table_order_make(struct contprof_table_order *order,
                               const struct contprof_profile *profile);

void contprof_table_order_free(struct contprof_table_order *order);

#endif
