// Threads that call the same hot functions: `hot_threads THREADS CALLS` shares the calls among the
// threads, and says how long they took from the first one's making to the last one's end, in
// nanoseconds, and what is counted. For `./run bench threads`.
#include "known.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 };

static volatile unsigned long results[MOST * 16]; // one for each thread, lines of the cache apart

// The finalizer of MurmurHash3, twice: some work between the counts, without a loop, since
// what counting in loops costs is another measurement's matter (overhead).
KEEP uint64_t digest(uint64_t n) {
#define MIX(n)                                                                                     \
  ((n) ^= (n) >> 33, (n) *= UINT64_C(0xff51afd7ed558ccd), (n) ^= (n) >> 33,                        \
   (n) *= UINT64_C(0xc4ceb9fe1a85ec53), (n) ^= (n) >> 33)
  MIX(n), MIX(n);
  return n;
}

// As a parser decides by the next character.
KEEP unsigned classify(uint64_t hash) {
  switch (hash & 7) {
  case 0:
    return (hash & 8) ? 1 : 2;
  case 1:
  case 2:
    return (hash & 16) ? 3 : 4;
  case 3:
    return 5;
  default:
    return (hash & 32) ? 6 : 7;
  }
}

KEEP unsigned step(uint64_t n) {
  return classify(digest(n));
}

struct share {
  unsigned index; // of the thread
  uint64_t calls; // of step()
};

static void *thread(void *argument) {
  const struct share *share = argument;
  unsigned long sum = 0;
  for (uint64_t n = 0; n < share->calls; n++)
    sum += step(n);
  results[share->index * 16] = sum;
  return NULL;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv) {
  pthread_t threads[MOST];
  struct share shares[MOST];
  unsigned count = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
  uint64_t calls = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
  if (!count || count > MOST)
    return 2;
  uint64_t start = now();
  for (unsigned i = 0; i < count; i++) {
    shares[i] = (struct share){i, calls / count};
    if (pthread_create(&threads[i], NULL, thread, &shares[i]))
      return 1;
  }
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  printf("time %llu\n", (unsigned long long)(now() - start));
  SAY_CALLS(step, calls / count * count);
}
