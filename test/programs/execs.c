// Executes itself in the middle of its work. `execs HOW exec`: calls `before` ten times, and in the
// program that takes its place `after` twenty times. `execs HOW stay`: both in one.
#include "ending.h"
#include "known.h"

#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

KEEP void before(unsigned n) {
  sink += n;
}

KEEP void after(unsigned n) {
  sink -= n;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  if (strcmp(argv[2], "again") != 0)
    for (unsigned i = 0; i < 10; i++)
      before(i);
  if (strcmp(argv[2], "exec") == 0)
    return execl("/proc/self/exe", argv[0], argv[1], "again", (char *)0);
  for (unsigned i = 0; i < 20; i++)
    after(i);
  the_end(argv[1]);
}
