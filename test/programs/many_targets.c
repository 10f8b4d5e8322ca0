// One indirect call that meets as many functions as the words of its command line say, in their
// order: `FIRST-LAST*ROUNDS` calls the functions numbered so in turn, ROUNDS times round. The word
// `kill` ends it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile int sink;

#define ONE(n)                                                                                     \
  __attribute__((noinline)) void target##n(void) {                                                 \
    sink += n;                                                                                     \
  }
#define TEN(n)                                                                                     \
  ONE(n##0)                                                                                        \
  ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
TEN(1)
TEN(2)
TEN(3)
TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)

#undef ONE
#define ONE(n) target##n,
    void (*volatile targets[])(void) = {TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8)
                                            TEN(9)};

__attribute__((noinline)) void apply(void (*target)(void)) {
  target();
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int first, last, rounds;
    if (strcmp(argv[i], "kill") == 0)
      return raise(SIGKILL);
    if (sscanf(argv[i], "%d-%d*%d", &first, &last, &rounds) != 3)
      return 2;
    while (rounds--)
      for (int n = first; n <= last; n++)
        apply(targets[n - 10]);
  }
  return 0;
}
