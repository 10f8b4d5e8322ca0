// Does every increment land at once? Counts in a loop without end and without calls; an alarm looks
// at the sum of the counters (see pass_stub.c) twice, and ends the loop. Exits 0 if the sum grew.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

uint64_t contprof_test_sum(void);

static volatile sig_atomic_t stop;
static uint64_t first_sum;

__attribute__((no_profile_instrument_function)) static void look(int signal) {
  (void)signal;
  uint64_t sum = contprof_test_sum();
  if (first_sum == 0) {
    first_sum = sum;
    return;
  }
  if (sum < first_sum + 1000) {
    static const char message[] = "pass_loop: the counters stood still during the loop\n";
    if (write(2, message, sizeof message - 1) > 0)
      _exit(3);
  }
  stop = 1;
}

__attribute__((noinline)) static unsigned spin(unsigned seed) {
  unsigned found = 0;
  while (!stop) {
    seed = seed * 1664525 + 1013904223;
    if (seed >> 28 == 7)
      found++;
    for (unsigned i = seed >> 29; i > 0; i--)
      found ^= i;
  }
  return found;
}

int main(void) {
  struct itimerval every = {{0, 50000}, {0, 50000}};
  signal(SIGALRM, look);
  setitimer(ITIMER_REAL, &every, NULL);
  return spin(1) == 0xffffffffu;
}
