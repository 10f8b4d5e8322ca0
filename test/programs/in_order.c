// Functions that first run in an order that is not theirs in the file. `kill` or `exit` ends it.
#include "ending.h"

static volatile int sink;

#define STEP(name)                                                                                 \
  __attribute__((noinline)) void name(void) {                                                      \
    sink++;                                                                                        \
  }
STEP(third)
STEP(first)
STEP(never)
STEP(second)
STEP(last)

int main(int argc, char **argv) {
  first();
  second();
  for (int i = 0; i < 3; i++)
    third();
  first();
  if (argc > 5)
    never();
  last();
  the_end(argv[1]);
}
