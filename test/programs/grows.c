// Has threads of its own counters for another program to watch (single_steps): calls work() 7
// times, and makes three threads that wait, one after the other, each between two traps. The
// indirect call is for instrumentation that records its targets.
#include "known.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { THREADS = 3, CALLS = 7 };

static volatile unsigned long sink;
static void (*volatile indirect)(unsigned);

KEEP void work(unsigned n) {
  sink += n;
}

static void *waiting(void *unused) {
  for (;;)
    pause();
  return unused;
}

int main(void) {
  pthread_t thread;
  indirect = work;
  for (unsigned i = 0; i < CALLS; i++)
    indirect(i);
  for (int i = 0; i < THREADS; i++) {
    raise(SIGTRAP);
    if (pthread_create(&thread, 0, waiting, 0))
      return 1;
    raise(SIGTRAP);
  }
  return 0;
}
