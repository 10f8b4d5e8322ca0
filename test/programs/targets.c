// Value sites: an indirect call that meets several functions, one of them not instrumented, and a
// memcpy of several sizes. What they see depends on the argument.
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static char from[256], to[256];

__attribute__((noinline)) static int next(int n) {
  return n + 1;
}

__attribute__((noinline)) int twice(int n) {
  return n * 2;
}

__attribute__((noinline)) int folded(int n) {
  return n % 3 ? -n : n;
}

int (*targets[])(int) = {next, twice, folded, abs};

__attribute__((noinline)) static int apply(int (*target)(int), int n) {
  return target(n);
}

__attribute__((noinline)) static void copy(size_t size) {
  memcpy(to, from, size);
  sink = to[0];
}

__attribute__((noinline)) int never(int n) {
  return n;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 10;
  for (int i = 0; i < rounds; i++) {
    sink += apply(targets[(i * i + rounds) % 4], i);
    copy((size_t)(i % 7) * 3);
  }
  return argc > 9 ? never(argc) : 0;
}
