// The slots of one value site, and which values get one. No state of its own but the locks; all
// functions may run in several threads at once, and none waits, but where it says so.
//
// A slot with value 0 is free; slots are taken in order, each with one exchange, so that a value
// has one slot and no count is lost as long as there are slots. Once all are taken, a value that
// has none may replace the one of lowest rank r, with probability 1 / (r + 1), and ranks r + 1
// then: the randomized admission policy of Ben Basat et al. (INFOCOM 2017). Many cold values hardly
// ever throw one another out, so that what is lukewarm stays; hot ones get in after about r calls,
// however many of them come in turn. The count in the file is what was counted for that value in
// that slot, so never too high; it is exact for a value that came while a slot was free, and
// stayed.
#ifndef CONTPROF_RUNTIME_VALUE_SLOTS_H
#define CONTPROF_RUNTIME_VALUE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

// As the raw format has it.
struct contprof_slot {
  uint64_t value; // as the kind has it; 0: free
  uint64_t count; // counts since the value got the slot
};

// Points into the image; owned by it.
struct contprof_site {
  struct contprof_slot *slots; // `count` of them
  uint64_t *credits;           // for each slot, its rank minus its count; NULL for a reset alone
  unsigned count;              // 1 to 255; 0 counts nothing
};

// Counts `value` (not 0) `by` times. `credit` is what its rank is ahead of `by`, usually 0.
void contprof_slots_count(const struct contprof_site *site, uint64_t value, uint64_t by,
                          uint64_t credit);

// Adds `by` to the slot, unless nobody has it any more: one that was the value's and is free by now
// is in another file, which has taken the place of the first one in between (see live_switch.h).
static inline bool contprof_slot_add(struct contprof_slot *slot, uint64_t by) {
  __atomic_fetch_add(&slot->count, by, __ATOMIC_RELAXED);
  if (__atomic_load_n(&slot->value, __ATOMIC_RELAXED))
    return true;
  __atomic_fetch_add(&slot->count, -by, __ATOMIC_RELAXED);
  return false;
}

// Counts a value (not 0) once that has one of these slots already, which is nearly always so; else
// false, and nothing is counted. `size` is theirs, in bytes, one slot at least. Inline: a program's
// hot loops call it.
static inline bool contprof_slots_count_known(char *slots, uint64_t size, uint64_t value) {
  struct contprof_slot *slot = (struct contprof_slot *)slots;
  struct contprof_slot *end = (struct contprof_slot *)(slots + size);
  do
    if (__atomic_load_n(&slot->value, __ATOMIC_RELAXED) == value)
      return contprof_slot_add(slot, 1);
  while (++slot < end);
  return false;
}

// Sets all counts and ranks to 0. Values keep their slots, and lose them as the coldest would.
void contprof_slots_reset(const struct contprof_site *site);

// While held, no value replaces another; values that have a slot are counted on. For a change of
// the file under the slots. Waits for those who are replacing, a second at most.
void contprof_slots_hold(void);
void contprof_slots_release(void);

// Frees all locks in a forked child, where their holders do not exist.
void contprof_slots_after_fork(void);

#endif
