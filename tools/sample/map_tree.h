// What stands in one address space at one moment: disjoint ranges of addresses, sorted. Trees share
// what is equal in them: a forked process begins with its parent's tree, and a change to one of
// them makes only the nodes anew that lead to it (path copying; Driscoll, Sarnak, Sleator and
// Tarjan, 1989). So memory grows with what has changed, by the logarithm of a tree's size for each
// change, however many processes there are. NULL is the empty tree. Addresses are bytes; ends are
// not in their range. Not thread-safe.
#ifndef CONTPROF_SAMPLE_MAP_TREE_H
#define CONTPROF_SAMPLE_MAP_TREE_H

#include "address_space.h"

// A run of addresses about which one thing is known.
struct contprof_map_range {
  uint64_t start;
  uint64_t end;
  uint64_t slide;            // HERE: to be added, modulo 2^64, for the ELF file's own address
  uint32_t image;            // HERE, MISMATCH: its index; OTHER: the file's, if files are noted
  enum contprof_where where; // HERE, OTHER or MISMATCH
};

// A tree, by its root: private but for `range`.
struct contprof_map_node {
  struct contprof_map_range range;
  struct contprof_map_node *left, *right; // of smaller and of greater addresses
  uint32_t holders;                       // parents and processes; 0: a free node
  uint8_t height; // 1 + that of the higher child; theirs differ by 1 at most
};

struct contprof_map_slab;

// Told of ranges that some tree has: that there is one more, or one less. Equal ranges that trees
// do not share are several.
typedef void contprof_map_watcher(void *context, const struct contprof_map_range *range, bool more);

// The nodes of some trees. A zeroed struct is usable.
struct contprof_map_nodes {
  struct contprof_map_slab *slabs; // private: newest first; owned
  struct contprof_map_node *free;  // private: those that were used before, by `left`
  size_t in_use;                   // nodes
  contprof_map_watcher *watcher;   // private, or NULL
  void *context;                   // private: its first argument
};

// Frees all trees.
void contprof_map_nodes_free(struct contprof_map_nodes *nodes);

// From now on tells `watcher` of all that comes and goes; first of what is there.
void contprof_map_nodes_watch(struct contprof_map_nodes *nodes, contprof_map_watcher *watcher,
                              void *context);

// One more holder of a tree; returns it.
struct contprof_map_node *contprof_map_tree_share(struct contprof_map_node *tree);

// One holder less; what nobody holds any more is freed.
void contprof_map_tree_drop(struct contprof_map_nodes *nodes, struct contprof_map_node *tree);

// Puts `range` (not empty) into *tree in place of what it overlaps. Neighbours of which the same is
// known become one. Trees of other holders stay as they are.
void contprof_map_tree_put(struct contprof_map_nodes *nodes, struct contprof_map_node **tree,
                           const struct contprof_map_range *range);

// The range that holds `address`, or NULL. Holds until the tree is changed.
const struct contprof_map_range *contprof_map_tree_find(const struct contprof_map_node *tree,
                                                        uint64_t address);

// True if the two say the same of an address that is in both.
static inline bool contprof_map_ranges_agree(const struct contprof_map_range *a,
                                             const struct contprof_map_range *b) {
  return a->where == b->where && a->image == b->image && a->slide == b->slide;
}

#endif
