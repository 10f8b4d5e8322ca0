#include "branch_table.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

// Each word by another odd constant, and the high bits folded down, where the table looks.
static uint64_t hash_of(uint64_t space, uint64_t from, uint64_t to) {
  uint64_t hash = (from + space * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32 ^ to) * 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 29;
}

static uint64_t hash_of_branch(const struct contprof_placed_branch *branch) {
  return hash_of(branch->space, branch->from.address, branch->to.address);
}

// What a slot holds for a branch: so that the branch itself, which is far off in memory, is not
// looked at where another one stands in the slot.
static uint64_t slot_for(uint64_t hash, uint32_t index) {
  return (hash >> 32 << 32) + index + 1;
}

static const struct contprof_placed_branch *branch_of(const struct contprof_branch_table *table,
                                                      uint64_t slot) {
  return &table->branches[(uint32_t)slot - 1];
}

static void put(struct contprof_branch_table *table, uint32_t index) {
  size_t mask = table->slot_count - 1;
  uint64_t hash = hash_of_branch(&table->branches[index]);
  size_t at = hash & mask;
  while (table->slots[at])
    at = (at + 1) & mask;
  table->slots[at] = slot_for(hash, index);
}

static void grow(struct contprof_branch_table *table) {
  table->slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS;
  free(table->slots);
  table->slots = contprof_need(calloc(table->slot_count, sizeof *table->slots));
  for (size_t i = 0; i < table->count; i++)
    put(table, (uint32_t)i);
}

static uint32_t append(struct contprof_branch_table *table, uint64_t space, uint64_t from,
                       uint64_t to) {
  if (table->count == table->room) {
    table->room = table->room ? 2 * table->room : FIRST_SLOTS;
    table->branches = contprof_need_array(table->branches, table->room, sizeof *table->branches);
  }
  table->branches[table->count] =
      (struct contprof_placed_branch){.from.address = from, .to.address = to, .space = space};
  return (uint32_t)table->count++;
}

uint32_t contprof_branch_find(struct contprof_branch_table *table, uint64_t space, uint64_t from,
                              uint64_t to, bool *is_new) {
  if (table->count * 2 >= table->slot_count)
    grow(table);
  size_t mask = table->slot_count - 1;
  uint64_t hash = hash_of(space, from, to);
  size_t at = hash & mask;
  for (uint64_t slot; (slot = table->slots[at]) != 0; at = (at + 1) & mask) {
    if ((slot ^ hash) >> 32)
      continue;
    const struct contprof_placed_branch *branch = branch_of(table, slot);
    if (branch->from.address == from && branch->to.address == to && branch->space == space) {
      *is_new = false;
      return (uint32_t)slot - 1;
    }
  }
  uint32_t index = append(table, space, from, to);
  table->slots[at] = slot_for(hash, index);
  *is_new = true;
  return index;
}

void contprof_branches_expect(const struct contprof_branch_table *table, uint64_t space,
                              const struct contprof_branch *branches, size_t count) {
  enum { AT_ONCE = 64 };
  size_t slots[AT_ONCE];
  if (!table->slot_count)
    return;
  count = count < AT_ONCE ? count : AT_ONCE;
  for (size_t i = 0; i < count; i++) {
    slots[i] = hash_of(space, branches[i].from, branches[i].to) & (table->slot_count - 1);
    __builtin_prefetch(&table->slots[slots[i]]);
  }
  for (size_t i = 0; i < count; i++)
    if (table->slots[slots[i]]) {
      // Both its ends: it may lie across two cache lines.
      const struct contprof_placed_branch *branch = branch_of(table, table->slots[slots[i]]);
      __builtin_prefetch(branch, 1);
      __builtin_prefetch(&branch->count, 1);
    }
}

void contprof_branch_table_clear(struct contprof_branch_table *table) {
  free(table->branches);
  free(table->slots);
  *table = (struct contprof_branch_table){0};
}
