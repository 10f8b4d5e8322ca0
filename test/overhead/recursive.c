// Work for `./run bench overhead`: recursive calls, of a function with two branches and of two that
// call each other through a tree: counts at entries, which no loop could keep in a register.
//
//     recursive DEPTH
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint64_t odd(unsigned depth, uint64_t path);

static uint64_t even(unsigned depth, uint64_t path) {
  if (depth == 0)
    return path;
  return odd(depth - 1, path * 2) ^ odd(depth - 1, path * 2 + 1);
}

static uint64_t odd(unsigned depth, uint64_t path) {
  if (depth == 0 || path % 3 == 0)
    return path + 1;
  return even(depth - 1, path * 5) + even(depth - 1, path + 3);
}

int main(int argc, char **argv) {
  unsigned depth = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
  printf("%llu %llu\n", (unsigned long long)fibonacci(depth), (unsigned long long)even(depth, 1));
}
