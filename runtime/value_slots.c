#include "value_slots.h"

#include <string.h>

#include "platform.h"

// Who replaces a value holds its site's lock; counting takes none. Sites share locks.
enum { LOCKS = 64, PATIENCE = 1000000000 /* nanoseconds */ };
static char locks[LOCKS];

static const char several_threads = 0;
const char *contprof_one_thread = &several_threads;

static char *lock_of(const struct contprof_site *site) {
  return &locks[(uintptr_t)site->slots / sizeof *site->slots % LOCKS];
}

void contprof_slots_after_fork(void) {
  memset(locks, 0, sizeof locks);
}

// A replacement takes less than a microsecond. One that has not ended in a second never will: its
// thread was cancelled, or left by a jump out of a signal's handler.
void contprof_slots_hold(void) {
  uint64_t start = contprof_boot_clock();
  for (unsigned i = 0; i < LOCKS; i++)
    while (__atomic_test_and_set(&locks[i], __ATOMIC_ACQUIRE) &&
           contprof_boot_clock() - start < PATIENCE)
      contprof_yield();
}

void contprof_slots_release(void) {
  for (unsigned i = 0; i < LOCKS; i++)
    __atomic_clear(&locks[i], __ATOMIC_RELEASE);
}

static uint64_t load(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void add(uint64_t *word, uint64_t by) {
  __atomic_fetch_add(word, by, __ATOMIC_RELAXED);
}

// Whether the slot is the value's, now or already. What other threads do to it in between is seen.
static bool has_slot(const struct contprof_site *site, unsigned index, uint64_t value,
                     uint64_t credit) {
  struct contprof_slot *slot = &site->slots[index];
  uint64_t holder = load(&slot->value);
  if (holder == contprof_free_value(site, index) &&
      __atomic_compare_exchange_n(&slot->value, &holder, value, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED)) {
    if (credit && site->credits)
      add(&site->credits[index], credit);
    return true;
  }
  return holder == value;
}

// A slot that could not be added to is free again, or another's, in a new file: the value takes one
// there.
static bool count_in_own_slot(const struct contprof_site *site, uint64_t value, uint64_t by,
                              uint64_t credit) {
  for (unsigned i = 0; i < site->count; i++)
    while (has_slot(site, i, value, credit))
      if (contprof_slot_add(&site->slots[i], value, by, site->credits != NULL))
        return true;
  return false;
}

static uint64_t rank_of(const struct contprof_site *site, unsigned slot) {
  return load(&site->slots[slot].count) + load(&site->credits[slot]);
}

// The same numbers in every process: what one thread does is done again in the next run.
static uint64_t next_random(void) {
  static uint64_t state;
  uint64_t mixed = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15, __ATOMIC_RELAXED); // SplitMix64
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

static unsigned find_lowest(const struct contprof_site *site) {
  unsigned lowest = 0;
  for (unsigned i = 1; i < site->count; i++)
    if (rank_of(site, i) < rank_of(site, lowest))
      lowest = i;
  return lowest;
}

// The count goes before the value, so that nobody reads an old count beside a new value.
static void replace(const struct contprof_site *site, unsigned old, uint64_t value, uint64_t by,
                    uint64_t credit) {
  struct contprof_slot *slot = &site->slots[old];
  __atomic_store_n(&site->credits[old], rank_of(site, old) + credit, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
  __atomic_fetch_add(&slot->count, by, __ATOMIC_RELEASE);
}

static void count_new(const struct contprof_site *site, uint64_t value, uint64_t by,
                      uint64_t credit) {
  unsigned lowest = find_lowest(site);
  uint64_t weight, sum;
  if (__builtin_add_overflow(by, credit, &weight) ||
      __builtin_add_overflow(rank_of(site, lowest), weight, &sum))
    return;
  if (next_random() % sum < weight)
    replace(site, lowest, value, by, credit);
}

void contprof_slots_count(const struct contprof_site *site, uint64_t value, uint64_t by,
                          uint64_t credit) {
  char *lock = lock_of(site);
  if (!site->count || (site->credits && !value) || count_in_own_slot(site, value, by, credit) ||
      !site->credits || __atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
    return;
  if (!count_in_own_slot(site, value, by, credit)) // another thread may have let it in just now
    count_new(site, value, by, credit);
  __atomic_clear(lock, __ATOMIC_RELEASE);
}

// Slots are taken in order: what comes behind a free one has been taken since that was looked at.
// Taken over, it would leave a free one before it, which its value would take as a second.
void contprof_slots_take_over(const struct contprof_site *site, const struct contprof_site *from) {
  for (unsigned i = 0; i < site->count; i++) {
    uint64_t value = load(&from->slots[i].value);
    if (value == contprof_free_value(from, i))
      return;
    __atomic_store_n(&site->slots[i].value, value, __ATOMIC_RELAXED);
  }
}

// What is zero is not written, so that pages that nothing was counted in stay untouched.
static void set_to_zero(uint64_t *word) {
  if (load(word))
    __atomic_store_n(word, 0, __ATOMIC_RELAXED);
}

void contprof_slots_reset(const struct contprof_site *site) {
  for (unsigned i = 0; i < site->count; i++) {
    set_to_zero(&site->slots[i].count);
    if (site->credits)
      set_to_zero(&site->credits[i]);
  }
}
