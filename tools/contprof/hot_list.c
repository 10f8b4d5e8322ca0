#include "hot_list.h"

struct contprof_hot_list contprof_hot_list_new(uint64_t keep, size_t functions) {
  struct contprof_hot_list list = {.room = keep < functions ? (size_t)keep : functions};
  list.entries = contprof_arena_zeros(&list.arena, list.room + 1, sizeof *list.entries);
  return list;
}

// Moves `entry` up from the empty place `hole` (std::__push_heap).
static void sift_up(struct contprof_hot_entry *heap, size_t hole, struct contprof_hot_entry entry) {
  while (hole > 0 && heap[(hole - 1) / 2].count > entry.count) {
    heap[hole] = heap[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  heap[hole] = entry;
}

// Fills the hole at the root of a heap of `count` entries with `entry` (std::__adjust_heap): the
// hole goes down to a leaf along the colder children, of equals the second, then the entry up.
static void refill_root(struct contprof_hot_entry *heap, size_t count,
                        struct contprof_hot_entry entry) {
  size_t hole = 0;
  for (size_t child = 2; child <= count; child = 2 * hole + 2) {
    if (child == count || heap[child].count > heap[child - 1].count)
      child--;
    heap[hole] = heap[child];
    hole = child;
  }
  sift_up(heap, hole, entry);
}

// Takes the coldest entry out (std::pop_heap).
static struct contprof_hot_entry pop(struct contprof_hot_list *list) {
  struct contprof_hot_entry coldest = list->entries[0];
  list->count--;
  if (list->count)
    refill_root(list->entries, list->count, list->entries[list->count]);
  return coldest;
}

void contprof_hot_list_add(struct contprof_hot_list *list, const struct contprof_function *function,
                           uint64_t count) {
  if (!list->room || (list->count == list->room && list->entries[0].count >= count))
    return;
  if (list->count == list->room)
    pop(list);
  list->count++;
  sift_up(list->entries, list->count - 1,
          (struct contprof_hot_entry){.function = function, .count = count});
}

void contprof_hot_list_sort(struct contprof_hot_list *list) {
  size_t count = list->count;
  while (list->count) {
    struct contprof_hot_entry coldest = pop(list);
    list->entries[list->count] = coldest;
  }
  list->count = count;
}

void contprof_hot_list_free(struct contprof_hot_list *list) {
  contprof_arena_free(&list->arena);
  *list = (struct contprof_hot_list){0};
}
