// The slots of one value site, and which values get one. No state of its own but the locks; all
// functions may run in several threads at once, and none waits, but where it says so.
//
// Slots are taken in order, each with one exchange, so that a value has one slot and no count is
// lost as long as there are slots: they hold the values in the order in which these were first
// seen, as LLVM's own lists do.
//
// Once all are taken, a value that has none may replace the one of lowest rank r, with probability
// 1 / (r + 1), and ranks r + 1 then: the randomized admission policy of Ben Basat et al. (INFOCOM
// 2017). Many cold values hardly ever throw one another out, so that what is lukewarm stays; hot
// ones get in after about r calls, however many of them come in turn. The count in the file is what
// was counted for that value in that slot, so never too high; it is exact for a value that came
// while a slot was free, and stayed.
#ifndef CONTPROF_RUNTIME_VALUE_SLOTS_H
#define CONTPROF_RUNTIME_VALUE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"

// As the raw format has it.
struct contprof_slot {
  uint64_t value; // as the kind has it; free: see contprof_free_value
  uint64_t count; // counts since the value got the slot
};

// Points into the image; owned by it.
struct contprof_site {
  struct contprof_slot *slots; // `count` of them
  uint64_t
      *credits;   // for each slot, its rank minus its count; NULL: there are slots for all values
  unsigned count; // 1 to 255; 0 counts nothing
  uint64_t first_free; // what the first slot holds while it is free; 0 if all do
};

// What a free slot holds: 0 in all of a site, or values that are nobody's and distinct, where
// readers refuse a site that has one twice.
static inline uint64_t contprof_free_value(const struct contprof_site *site, unsigned slot) {
  return site->first_free ? site->first_free + slot : 0;
}

// Counts `value` (that of no free slot) `by` times, at least once. `credit` is what its rank is
// ahead of `by`, usually 0. Where a free slot holds 0, that is not counted: no function is there,
// but a wild call may go there.
void contprof_slots_count(const struct contprof_site *site, uint64_t value, uint64_t by,
                          uint64_t credit);

// Where the C library tells whether the process has one thread: then it is not 0 there. An
// executable's start finds the place (start_executable.c). Before, in shared objects, and if the C
// library doesn't tell (musl, glibc before 2.32), the process is taken to have several threads.
extern CONTPROF_HIDDEN const char *contprof_one_thread;

// Adds `by`, in one instruction, so that no handler of a signal comes in between; where there may
// be other threads in an atomic one, which takes some twenty cycles more.
static inline void contprof_count_add(uint64_t *count, uint64_t by) {
#if defined(__x86_64__)
  if (*contprof_one_thread) {
    __asm__ volatile("addq %1, %0" : "+m"(*count) : "er"(by) : "cc", "memory");
    return;
  }
#endif
  __atomic_fetch_add(count, by, __ATOMIC_RELAXED);
}

// Adds `by` to the slot, which was the value's. False, and nothing is added, if it is free by now:
// in another file, which has taken the place of the first one in between (see live_switch.h). There
// it may be another's, too, which is seen where no value replaces another; where they do (`ranked`)
// it can't be taken back, since that one may have begun from 0 after it.
static inline bool contprof_slot_add(struct contprof_slot *slot, uint64_t value, uint64_t by,
                                     bool ranked) {
  contprof_count_add(&slot->count, by);
  if (ranked ? slot->value != 0 : slot->value == value)
    return true;
  contprof_count_add(&slot->count, -by);
  return false;
}

// Counts a value once that has one of these slots already, which is nearly always so; else false,
// and nothing is counted. `size` is theirs, in bytes, one slot at least. Inline: a program's hot
// loops call it. The first ones seen are mostly the frequent ones. Values are read as plain words,
// here and above, which is one instruction less each than compilers make of an atomic load.
static inline bool contprof_slots_count_known(char *slots, uint64_t size, uint64_t value,
                                              bool ranked) {
  struct contprof_slot *slot = (struct contprof_slot *)slots;
  struct contprof_slot *end = (struct contprof_slot *)(slots + size);
  do
    if (slot->value == value)
      return contprof_slot_add(slot, value, 1, ranked);
  while (++slot < end);
  return false;
}

// Sets all counts and ranks to 0. Values keep their slots, and lose them as the coldest would.
void contprof_slots_reset(const struct contprof_site *site);

// Gives the values of `from` the same slots in `site`, where nobody counts yet and all is free;
// their counts and ranks there are 0. No value may replace another in `from` meanwhile.
void contprof_slots_take_over(const struct contprof_site *site, const struct contprof_site *from);

// While held, no value replaces another; values that have a slot are counted on. For a change of
// the file under the slots. Waits for those who are replacing, a second at most.
void contprof_slots_hold(void);
void contprof_slots_release(void);

// Frees all locks in a forked child, where their holders do not exist.
void contprof_slots_after_fork(void);

#endif
