#include "thread_owners.h"

#include "../base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 64 }; // a power of two

struct contprof_thread_owner {
  int32_t tid; // -1: the slot is free
  int32_t pid;
};

// The slot that holds the thread, or the free one where it belongs.
static struct contprof_thread_owner *slot_of(const struct contprof_thread_owners *owners,
                                             int32_t tid) {
  size_t mask = owners->slot_count - 1;
  size_t at = (uint32_t)tid * UINT32_C(0x9e3779b1) >> 7 & mask;
  while (owners->slots[at].tid != tid && owners->slots[at].tid >= 0)
    at = (at + 1) & mask;
  return &owners->slots[at];
}

static void grow(struct contprof_thread_owners *owners) {
  struct contprof_thread_owners larger = *owners;
  larger.slot_count = owners->slot_count ? owners->slot_count * 2 : FIRST_SLOTS;
  larger.slots = contprof_need_array(NULL, larger.slot_count, sizeof *larger.slots);
  for (size_t i = 0; i < larger.slot_count; i++)
    larger.slots[i] = (struct contprof_thread_owner){-1, -1};
  for (size_t i = 0; i < owners->slot_count; i++)
    if (owners->slots[i].tid >= 0)
      *slot_of(&larger, owners->slots[i].tid) = owners->slots[i];
  free(owners->slots);
  *owners = larger;
}

void contprof_thread_owners_set(struct contprof_thread_owners *owners, int32_t tid, int32_t pid) {
  if (tid < 0 || pid < 0)
    return;
  if (owners->count >= owners->slot_count / 2)
    grow(owners);
  struct contprof_thread_owner *slot = slot_of(owners, tid);
  owners->count += slot->tid < 0;
  *slot = (struct contprof_thread_owner){tid, pid};
}

int32_t contprof_thread_owner(const struct contprof_thread_owners *owners, int32_t tid) {
  if (tid < 0 || !owners->count)
    return tid;
  const struct contprof_thread_owner *slot = slot_of(owners, tid);
  return slot->tid < 0 ? tid : slot->pid;
}

void contprof_thread_owners_free(struct contprof_thread_owners *owners) {
  free(owners->slots);
  *owners = (struct contprof_thread_owners){0};
}
