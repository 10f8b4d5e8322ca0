// Which values one site's slots hold, and what their counts say.
#include <criterion/criterion.h>
#include <pthread.h>

#include "runtime/value_slots.h"

enum { SLOTS = 4, ABSENT = 0 };
static struct contprof_slot slots[SLOTS];
static uint64_t credits[SLOTS];
static const struct contprof_site site = {.slots = slots, .credits = credits, .count = SLOTS};

static void count(uint64_t value, unsigned times) {
  while (times--)
    contprof_slots_count(&site, value, 1, 0);
}

static uint64_t count_of(uint64_t value) {
  for (unsigned i = 0; i < SLOTS; i++)
    if (slots[i].value == value)
      return slots[i].count;
  return ABSENT;
}

static bool all_distinct(void) {
  for (unsigned i = 0; i < SLOTS; i++)
    for (unsigned j = 0; j < i; j++)
      if (slots[i].value && slots[i].value == slots[j].value)
        return false;
  return true;
}

Test(value_slots, exact_while_there_are_slots) {
  for (unsigned round = 0; round < 10; round++)
    for (unsigned value = 1; value <= SLOTS; value++)
      count(value, value);
  for (unsigned value = 1; value <= SLOTS; value++)
    cr_assert_eq(count_of(value), 10 * value);
}

Test(value_slots, values_stand_in_the_order_of_first_sight) {
  static const uint64_t seen[] = {7, 3, 7, 7, 9, 3, 1, 9};
  static const uint64_t order[SLOTS] = {7, 3, 9, 1};
  for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
    count(seen[i], 1);
  for (unsigned i = 0; i < SLOTS; i++)
    cr_assert_eq(slots[i].value, order[i]);
}

// A site that has slots for all its values, which may be 0: no value replaces another there.
Test(value_slots, free_slots_may_hold_distinct_values) {
  struct contprof_site kept = {.slots = slots, .count = SLOTS, .first_free = 100};
  for (unsigned i = 0; i < SLOTS; i++)
    slots[i].value = 100 + i;
  for (unsigned i = 0; i < SLOTS; i++) {
    contprof_slots_count(&kept, 3 * i, 1 + i, 0);
    cr_assert(all_distinct());
  }
  contprof_slots_count(&kept, 7, 5, 0); // one too many
  for (unsigned i = 0; i < SLOTS; i++) {
    cr_assert_eq(slots[i].value, 3 * i);
    cr_assert_eq(slots[i].count, 1 + i);
  }
}

// As when another file has come under the slots between finding one and adding to it.
Test(value_slots, a_slot_that_is_no_longer_the_values_is_not_added_to) {
  slots[0] = (struct contprof_slot){.value = 8, .count = 3};
  cr_assert_not(contprof_slot_add(&slots[0], 7, 1, false));
  cr_assert_eq(slots[0].count, 3);
  cr_assert(contprof_slot_add(&slots[0], 8, 1, false));
  cr_assert_eq(slots[0].count, 4);
  cr_assert_not(contprof_slot_add(&slots[1], 7, 1, true));
  cr_assert_eq(slots[1].count, 0);
}

// So that who counts on by the same slot in a new file counts for the same value.
Test(value_slots, values_keep_their_slots_in_a_new_file) {
  static struct contprof_slot new_slots[SLOTS];
  static uint64_t new_credits[SLOTS];
  struct contprof_site next = {.slots = new_slots, .credits = new_credits, .count = SLOTS};
  count(7, 2);
  count(3, 1);
  contprof_slots_take_over(&next, &site);
  contprof_slots_count(&next, 3, 5, 0);
  contprof_slots_count(&next, 9, 1, 0);
  static const struct contprof_slot wanted[SLOTS] = {{7, 0}, {3, 5}, {9, 1}, {0, 0}};
  for (unsigned i = 0; i < SLOTS; i++) {
    cr_assert_eq(new_slots[i].value, wanted[i].value);
    cr_assert_eq(new_slots[i].count, wanted[i].count);
  }
}

// As one looks that is read while its first slot is being taken.
Test(value_slots, no_value_is_taken_over_past_a_free_slot) {
  static struct contprof_slot new_slots[SLOTS];
  struct contprof_site next = {.slots = new_slots, .credits = credits, .count = SLOTS};
  slots[1].value = 5;
  contprof_slots_take_over(&next, &site);
  for (unsigned i = 0; i < SLOTS; i++)
    cr_assert_eq(new_slots[i].value, 0);
}

// A call through a pointer to where the file begins: it crashes, and is not kept from that.
Test(value_slots, what_free_slots_hold_is_not_counted, .timeout = 60) {
  count(ABSENT, 1);
  cr_assert_eq(slots[0].count, 0);
  count(7, 2);
  count(ABSENT, 1);
  cr_assert_eq(count_of(7), 2);
  cr_assert_eq(slots[1].count, 0);
}

// As credits of a damaged file may be.
Test(value_slots, one_of_impossible_rank_does_not_get_in) {
  for (unsigned value = 1; value <= SLOTS; value++)
    count(value, 1);
  contprof_slots_reset(&site);
  contprof_slots_count(&site, 100, 1, UINT64_MAX);
  cr_assert_eq(count_of(100), ABSENT);
  for (unsigned value = 1; value <= SLOTS; value++)
    cr_assert_eq(slots[value - 1].value, value);
}

// The unlocked addition of a process with one thread.
Test(value_slots, one_thread_counts_the_same) {
  static const char yes = 1;
  contprof_one_thread = &yes;
  count(5, 3);
  contprof_slots_count(&site, 5, 1000, 0);
  cr_assert_eq(count_of(5), 1003);
  cr_assert_not(contprof_slot_add(&slots[1], 7, 1, true));
  cr_assert_eq(slots[1].count, 0);
}

Test(value_slots, a_hot_value_among_many_cold_ones_stays_exact) {
  for (unsigned round = 0; round < 1000; round++) {
    count(1, 10);
    count(2, 5);
    count(100 + round, 1);
  }
  cr_assert_eq(count_of(1), 10000);
  cr_assert_eq(count_of(2), 5000);
  cr_assert(all_distinct());
}

// LLVM's own runtime loses both here: each throws the other out at a count of 1.
Test(value_slots, hot_values_that_alternate_late_get_in) {
  for (unsigned value = 1; value < SLOTS; value++)
    count(value, 500);
  for (unsigned round = 0; round < 10000; round++) {
    count(100, 1);
    count(101, 1);
  }
  cr_assert(count_of(100) >= 8000 && count_of(100) <= 10000);
  cr_assert(count_of(101) >= 8000 && count_of(101) <= 10000);
}

// A tenth of the calls goes to each of two values, the rest to values that come once. Before the
// two are ahead they may be thrown out once or twice.
Test(value_slots, lukewarm_ones_stay_among_cold_ones) {
  for (unsigned round = 0; round < 10000; round++) {
    count(1, 1);
    count(2, 1);
    for (unsigned i = 0; i < 8; i++)
      count(100 + 8 * round + i, 1);
  }
  cr_assert(count_of(1) >= 9900 && count_of(1) <= 10000);
  cr_assert(count_of(2) >= 9900 && count_of(2) <= 10000);
}

Test(value_slots, one_that_comes_late_among_cold_ones_gets_in) {
  for (unsigned i = 0; i < 20000; i++)
    count(100 + i, 1);
  for (unsigned round = 0; round < 5000; round++) {
    count(1, 1);
    count(100000 + round, 1);
  }
  cr_assert(count_of(1) >= 4000 && count_of(1) <= 5000);
}

Test(value_slots, a_count_is_never_too_high) {
  unsigned seen[50] = {0}, state = 1;
  for (unsigned i = 0; i < 20000; i++) {
    state = state * 1103515245 + 12345;
    unsigned value = 1 + (state >> 16) % 7 * ((state >> 20) % 7);
    seen[value]++;
    count(value, 1);
  }
  for (unsigned i = 0; i < SLOTS; i++)
    cr_assert(slots[i].count <= seen[slots[i].value]);
  cr_assert(all_distinct());
}

Test(value_slots, reset_leaves_room_for_others) {
  for (unsigned value = 1; value <= SLOTS; value++)
    count(value, 1000);
  contprof_slots_reset(&site);
  cr_assert_eq(slots[0].count, 0);
  for (unsigned value = 11; value <= 10 + SLOTS; value++)
    count(value, value);
  for (unsigned value = 11; value <= 10 + SLOTS; value++)
    cr_assert_eq(count_of(value), value);
}

static void *count_all(void *argument) {
  (void)argument;
  for (unsigned i = 0; i < 100000; i++)
    contprof_slots_count(&site, 1 + i % SLOTS, 1, 0);
  return NULL;
}

Test(value_slots, threads_lose_nothing_while_there_are_slots) {
  pthread_t threads[3];
  for (unsigned i = 0; i < 3; i++)
    cr_assert_eq(pthread_create(&threads[i], NULL, count_all, NULL), 0);
  for (unsigned i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  for (unsigned value = 1; value <= SLOTS; value++)
    cr_assert_eq(count_of(value), 3 * 100000 / SLOTS);
}

// As a handler that jumps out of a replacement does: the lock is never given back. Ends by itself,
// or by the test's time limit.
Test(value_slots, a_lock_that_is_left_taken_is_not_waited_for_forever, .timeout = 60) {
  contprof_slots_hold();
  contprof_slots_hold();
  contprof_slots_release();
  count(100, 1);
  cr_assert_eq(count_of(100), 1);
}
