// Decisions of several conditions, for MC/DC, with some of their combinations tried.
#include "ending.h"
#include "known.h"

static volatile int sink;

KEEP int decide(int a, int b, int c) {
  if ((a && b) || c)
    return 1;
  return 0;
}

KEEP int decide_more(int a, int b, int c, int d) {
  if (a || (b && (c || !d)))
    sink++;
  return sink;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  for (int i = 0; i < 6; i++) {
    decide(i & 1, i & 2, i & 4);
    decide_more(i & 4, i & 1, i & 2, i == 3);
  }
  SAY_CALLS(decide, 6);
  SAY_CALLS(decide_more, 6);
  the_end(argv[1]);
}
