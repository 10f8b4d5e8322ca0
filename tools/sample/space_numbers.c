#include "space_numbers.h"

#include "../base/memory.h"

#include <stdlib.h>

struct contprof_space_slot {
  int32_t pid;
  uint64_t number; // 0: the slot is free
};

enum { FIRST_SLOTS = 64 };

// The slot of `pid`, or the free one where it belongs.
static struct contprof_space_slot *slot_of(const struct contprof_space_numbers *numbers,
                                           int32_t pid) {
  size_t mask = numbers->slot_count - 1;
  size_t slot = (uint32_t)pid * 0x9e3779b1u >> 7 & mask;
  while (numbers->slots[slot].number && numbers->slots[slot].pid != pid)
    slot = (slot + 1) & mask;
  return &numbers->slots[slot];
}

static void grow(struct contprof_space_numbers *numbers) {
  struct contprof_space_numbers larger = *numbers;
  larger.slot_count = numbers->slot_count ? 2 * numbers->slot_count : FIRST_SLOTS;
  larger.slots = contprof_need(calloc(larger.slot_count, sizeof *larger.slots));
  for (size_t i = 0; i < numbers->slot_count; i++)
    if (numbers->slots[i].number)
      *slot_of(&larger, numbers->slots[i].pid) = numbers->slots[i];
  free(numbers->slots);
  *numbers = larger;
}

uint64_t contprof_space_number(struct contprof_space_numbers *numbers, int32_t pid) {
  if (numbers->count * 2 >= numbers->slot_count)
    grow(numbers);
  struct contprof_space_slot *slot = slot_of(numbers, pid);
  if (!slot->number) {
    *slot = (struct contprof_space_slot){pid, ++numbers->last};
    numbers->count++;
  }
  return slot->number;
}

void contprof_space_changed(struct contprof_space_numbers *numbers, int32_t pid) {
  if (!numbers->slot_count)
    return;
  struct contprof_space_slot *slot = slot_of(numbers, pid);
  if (slot->number)
    slot->number = ++numbers->last;
}

void contprof_space_numbers_free(struct contprof_space_numbers *numbers) {
  free(numbers->slots);
  *numbers = (struct contprof_space_numbers){0};
}
