// What stands in one address space at one moment: disjoint ranges of addresses, sorted. Lists are
// shared by forked processes until one of them changes, so a fork costs no copy. NULL is the empty
// list. Addresses are bytes; ends are not in their range. Not thread-safe.
#ifndef CONTPROF_SAMPLE_MAP_LIST_H
#define CONTPROF_SAMPLE_MAP_LIST_H

#include "address_space.h"

// A run of addresses about which one thing is known.
struct contprof_map_range {
  uint64_t start;
  uint64_t end;
  uint64_t slide;            // HERE: to be added, modulo 2^64, for the ELF file's own address
  uint32_t image;            // HERE, MISMATCH: its index
  enum contprof_where where; // HERE, OTHER or MISMATCH
};

struct contprof_map_list {
  size_t holders; // processes that have it
  size_t count;
  size_t room; // allocated entries of `ranges`
  struct contprof_map_range ranges[];
};

// One more holder of the list; returns it.
struct contprof_map_list *contprof_map_list_share(struct contprof_map_list *list);

// One holder less; without any it is freed.
void contprof_map_list_drop(struct contprof_map_list *list);

// Puts `range` (not empty) into *list in place of what it overlaps. A list with other holders is
// copied first: theirs stays as it is.
void contprof_map_list_put(struct contprof_map_list **list, const struct contprof_map_range *range);

// The index of the first range that ends after `address`; the list's count if there is none.
size_t contprof_map_list_seek(const struct contprof_map_list *list, uint64_t address);

// The range that holds `address`, or NULL. Holds until the list is changed.
const struct contprof_map_range *contprof_map_list_find(const struct contprof_map_list *list,
                                                        uint64_t address);

// True if the two say the same of an address that is in both.
static inline bool contprof_map_ranges_agree(const struct contprof_map_range *a,
                                             const struct contprof_map_range *b) {
  return a->where == b->where && a->image == b->image && a->slide == b->slide;
}

#endif
