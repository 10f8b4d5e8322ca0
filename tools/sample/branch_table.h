// Branches of processes, each placed once: what the samples of a recording come to in memory, since
// the same few branches make up all of them. Keyed by the raw addresses and a number of the address
// space, which changes with each change of that space. Not thread-safe.
#ifndef CONTPROF_SAMPLE_BRANCH_TABLE_H
#define CONTPROF_SAMPLE_BRANCH_TABLE_H

#include "perf_event.h"

// No binary: the address is outside of the wanted ones, or at no instruction.
#define CONTPROF_OUTSIDE UINT32_MAX

// One end of a branch.
struct contprof_branch_end {
  uint64_t address; // raw
  uint64_t place;   // in its binary's own addresses
  uint32_t binary;  // its index, or CONTPROF_OUTSIDE
  uint8_t where;    // enum contprof_where
};

struct contprof_placed_branch {
  struct contprof_branch_end from;
  struct contprof_branch_end to;
  uint64_t space; // number of the address space
  uint64_t count; // the caller's own; 0 of a new one
};

// A zeroed struct is empty.
struct contprof_branch_table {
  struct contprof_placed_branch *branches; // `count` of them; owned
  uint64_t *slots;                         // private: 1 + index into branches, above it a part of
                                           // the hash; or 0; owned
  size_t slot_count;                       // private: a power of two, or 0
  size_t count;
  size_t room; // private
};

// The index of the branch in `table`, which is put there with nothing but its key if need be: then
// *is_new is true.
uint32_t contprof_branch_find(struct contprof_branch_table *table, uint64_t space, uint64_t from,
                              uint64_t to, bool *is_new);

// Makes ready for looking up `count` branches of an address space: fetches their places in the
// table from memory, all at once, where looking each up would wait for each.
void contprof_branches_expect(const struct contprof_branch_table *table, uint64_t space,
                              const struct contprof_branch *branches, size_t count);

// Empties the table and gives back its memory.
void contprof_branch_table_clear(struct contprof_branch_table *table);

#endif
