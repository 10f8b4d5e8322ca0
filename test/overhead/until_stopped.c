// Work for `./run bench overhead`: a server's loop, `while (!stop)`, whose end nothing on entry
// knows. What it serves asks for the stop, so that each run does the same.
//
//     until_stopped REQUESTS
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool stop;
static uint64_t requests;
static uint64_t answers[4];

static void serve(uint64_t request) {
  uint64_t mixed = (request ^ (request >> 7)) * 0x9e3779b97f4a7c15u;
  if (mixed >> 63)
    answers[0] += mixed;
  else if (mixed & 0x10000)
    answers[1] ^= mixed;
  else
    answers[2 + (mixed >> 62)]++;
}

static void run(uint64_t wanted) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    serve(requests);
    if (++requests == wanted)
      atomic_store_explicit(&stop, 1, memory_order_relaxed);
  }
}

int main(int argc, char **argv) {
  run(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  for (int i = 0; i < 4; i++)
    printf("%016llx\n", (unsigned long long)answers[i]);
}
