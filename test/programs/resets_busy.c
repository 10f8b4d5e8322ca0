// __llvm_profile_reset_counters beside threads that count as fast as they can, ROUNDS times:
// `resets_busy ROUNDS [FILENAME]`; with FILENAME the live file moves there and back, which resets
// nothing. Each thread counts in a function of its own, and says so before and after the last
// reset: `between LOWEST HIGHEST FUNCTION`. Ends by SIGKILL.
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2 };

static _Bool stop;
static unsigned long long counted[THREADS];

#define WORK(n)                                                                                    \
  KEEP void work_##n(void) {                                                                       \
    __asm__ volatile("");                                                                          \
  }                                                                                                \
  static void *thread_##n(void *unused) {                                                          \
    for (unsigned long long i = 1; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {               \
      work_##n();                                                                                  \
      __atomic_store_n(&counted[n], i, __ATOMIC_RELEASE);                                          \
    }                                                                                              \
    return unused;                                                                                 \
  }
WORK(0)
WORK(1)

static void *(*const bodies[THREADS])(void *) = {thread_0, thread_1};

static unsigned long long so_far(int thread) {
  return __atomic_load_n(&counted[thread], __ATOMIC_ACQUIRE);
}

static void change(const char *name, int round) {
  if (name)
    __llvm_profile_set_filename(round % 2 ? NULL : name);
  else
    __llvm_profile_reset_counters();
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  unsigned long long before[THREADS] = {0}, after[THREADS] = {0};
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, bodies[i], 0);
  for (int round = 0; argc > 1 && round < atoi(argv[1]); round++) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
    for (int i = 0; i < THREADS && argc < 3; i++)
      before[i] = so_far(i);
    change(argv[2], round);
    for (int i = 0; i < THREADS && argc < 3; i++)
      after[i] = so_far(i) + 1; // one more may have been counted already
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], 0);
    printf("between %llu %llu work_%d\n", counted[i] > after[i] ? counted[i] - after[i] : 0,
           counted[i] - before[i], i);
  }
  the_end("kill");
}
