// Threads that count as fast as they can, each in a function of its own, while main starts a new
// file ROUNDS times: `rotates ROUNDS [PATTERN]`. With PATTERN every second rotation goes there, the
// others to the pattern of the start. Says what each thread has counted, which is what all files
// hold together; ends by SIGKILL.
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 3, BURST = 100 };

static _Bool stop;
static int started;
static unsigned long long counted[THREADS];
static void (*volatile targets[THREADS])(void);
static char *volatile buffers[2];

#define WORK(n)                                                                                    \
  KEEP void target_##n(void) {                                                                     \
    __asm__ volatile("");                                                                          \
  }                                                                                                \
  KEEP void work_##n(unsigned size) {                                                              \
    targets[n]();                                                                                  \
    __builtin_memcpy(buffers[0] + 4096 * n, buffers[1] + 4096 * n, size);                          \
    __asm__ volatile("" ::: "memory");                                                             \
  }                                                                                                \
  static void *thread_##n(void *unused) {                                                          \
    __atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);                                             \
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {                                            \
      for (unsigned i = 0; i < BURST; i++)                                                         \
        work_##n(n + 1);                                                                           \
      counted[n] += BURST;                                                                         \
    }                                                                                              \
    return unused;                                                                                 \
  }
WORK(0)
WORK(1)
WORK(2)

static void *(*const bodies[THREADS])(void *) = {thread_0, thread_1, thread_2};

// Rotations of different distance: several in a time slice, and fewer.
static int rotate(int rounds, const char *pattern) {
  for (int i = 0; i < rounds; i++) {
    struct timespec pause = {0, i % 7 * 100000};
    const char *start = getenv("LLVM_PROFILE_FILE");
    int error = contprof_rotate(!pattern ? NULL : i % 2 ? start : pattern);
    if (error) {
      fprintf(stderr, "rotation %d: error %d\n", i, error);
      return 3;
    }
    nanosleep(&pause, NULL);
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  static char bytes[2][4096 * THREADS];
  if (argc < 2)
    return 2;
  buffers[0] = bytes[0], buffers[1] = bytes[1];
  targets[0] = target_0, targets[1] = target_1, targets[2] = target_2;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, bodies[i], 0);
  while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < THREADS) {
  }
  int status = rotate(atoi(argv[1]), argv[2]);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  if (status)
    return status;
  SAY_CALLS(work_0, counted[0]);
  SAY_CALLS(work_1, counted[1]);
  SAY_CALLS(work_2, counted[2]);
  SAY_CALLS(target_0, counted[0]);
  SAY_CALLS(target_1, counted[1]);
  SAY_CALLS(target_2, counted[2]);
  the_end("kill");
}
