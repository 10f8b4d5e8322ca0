// Counts indirect calls of ever other functions, which a timer's signal leaves by a jump, JUMPS
// times; then starts a new file. Says what the second file holds; ends by SIGKILL.
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

enum { JUMPS = 200, TARGETS = 40 };

static volatile int sink;
static sigjmp_buf start;

#define ONE(n)                                                                                     \
  KEEP void target##n(void) {                                                                      \
    sink += n;                                                                                     \
  }
#define TEN(n)                                                                                     \
  ONE(n##0)                                                                                        \
  ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
TEN(1)
TEN(2)
TEN(3)
TEN(4)
#undef ONE
#define ONE(n) target##n,
static void (*volatile targets[TARGETS])(void) = {TEN(1) TEN(2) TEN(3) TEN(4)};

static void on_signal(int number) {
  (void)number;
  siglongjmp(start, 1);
}

KEEP void apply(void (*target)(void)) {
  target();
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal};
  struct itimerval never = {{0, 0}, {0, 0}};
  volatile int jumps = 0;
  sigaction(SIGALRM, &action, NULL);
  if (sigsetjmp(start, 1))
    jumps++;
  if (jumps < JUMPS) {
    struct itimerval once = {{0, 0}, {0, 200 + jumps % 7 * 10}};
    setitimer(ITIMER_REAL, &once, NULL);
    for (;;)
      for (int i = 0; i < TARGETS; i++)
        apply(targets[i]);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  if (contprof_rotate("after.profraw") != 0)
    return 3;
  for (int i = 0; i < TARGETS; i++)
    apply(targets[i]);
  SAY_CALLS(apply, TARGETS);
  fflush(stdout);
  the_end("kill");
}
