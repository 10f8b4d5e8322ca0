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

// Sets all counts and ranks to 0. Values keep their slots, and lose them as the coldest would.
void contprof_slots_reset(const struct contprof_site *site);

// While held, no value replaces another; values that have a slot are counted on. For a change of
// the file under the slots. Waits for those who are replacing, a second at most.
void contprof_slots_hold(void);
void contprof_slots_release(void);

// Frees all locks in a forked child, where their holders do not exist.
void contprof_slots_after_fork(void);

#endif
