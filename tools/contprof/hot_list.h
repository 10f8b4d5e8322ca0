// The hottest of a row of functions. Of several with the same count, those are kept, and in that
// order, which llvm-profdata has: it uses libstdc++'s priority_queue, whose order among equals
// follows from its heap's steps, and so from the order in which the functions come.
#ifndef CONTPROF_HOT_LIST_H
#define CONTPROF_HOT_LIST_H

#include "../base/arena.h"
#include "../instr/profile.h"

struct contprof_hot_entry {
  const struct contprof_function *function; // not owned
  uint64_t count;                           // its largest
};

struct contprof_hot_list {
  struct contprof_hot_entry *entries; // a heap with the coldest first; in the arena
  size_t count;                       // at most `room`
  size_t room;                        // how many to keep
  struct contprof_arena arena;        // private
};

// An empty list that will keep `keep` of at most `functions` functions.
struct contprof_hot_list contprof_hot_list_new(uint64_t keep, size_t functions);

void contprof_hot_list_add(struct contprof_hot_list *list, const struct contprof_function *function,
                           uint64_t count);

// Puts the entries in order, hottest first; nothing can be added afterwards.
void contprof_hot_list_sort(struct contprof_hot_list *list);

void contprof_hot_list_free(struct contprof_hot_list *list);

#endif
