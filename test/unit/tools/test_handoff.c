// All items come, once and in order, whichever thread takes them, and the producer waits.
#include "tools/base/handoff.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <pthread.h>
#include <stdint.h>

enum { AT_ONCE = 7 };

struct taken {
  uint64_t next;     // the item that is due
  size_t calls;      // of `take`
  bool out_of_order; // another one came
  pthread_t thread;  // that took the last ones
};

static void take(void *context, const void *items, size_t count) {
  struct taken *taken = context;
  const uint64_t *numbers = items;
  for (size_t i = 0; i < count; i++)
    taken->out_of_order |= numbers[i] != taken->next++;
  taken->out_of_order |= count > AT_ONCE || count == 0;
  taken->calls++;
  taken->thread = pthread_self();
}

struct run {
  uint64_t items;
  bool threaded;
};

ParameterizedTestParameters(handoff, all_come_in_order) {
  static struct run runs[] = {{0, false},     {1, false}, {7, false}, {8, false},
                              {10000, false}, {0, true},  {1, true},  {7, true},
                              {28, true},     {29, true}, {35, true}, {100000, true}};
  return cr_make_param_array(struct run, runs, sizeof runs / sizeof *runs);
}

ParameterizedTest(struct run *run, handoff, all_come_in_order) {
  struct taken taken = {.thread = pthread_self()};
  struct contprof_handoff *handoff =
      contprof_handoff_new(sizeof(uint64_t), AT_ONCE, run->threaded, take, &taken);
  for (uint64_t i = 0; i < run->items; i++)
    *(uint64_t *)contprof_handoff_next(handoff) = i;
  contprof_handoff_end(handoff);
  cr_expect_eq(taken.next, run->items);
  cr_expect_not(taken.out_of_order);
  cr_expect_eq(taken.calls, (run->items + AT_ONCE - 1) / AT_ONCE);
  cr_expect_eq(!pthread_equal(taken.thread, pthread_self()), run->threaded && run->items);
}

Test(handoff, none_can_be_ended) {
  contprof_handoff_end(NULL);
}
