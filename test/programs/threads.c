// Four threads that call the same function at the same time. Exact with -fprofile-update=atomic.
#include "ending.h"
#include "known.h"

#include <pthread.h>

enum { THREADS = 4, CALLS = 200000 };

static _Thread_local volatile unsigned long sink;

KEEP void shared_leaf(unsigned n) {
  sink += n;
}

static void *thread(void *unused) {
  for (unsigned i = 0; i < CALLS; i++)
    shared_leaf(i);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2)
    return 2;
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, thread, 0);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  SAY_CALLS(shared_leaf, THREADS * CALLS);
  the_end(argv[1]);
}
