// Calls, loops, branches, a switch and recursion with known counts, below 1000 so that llvm-cov
// writes them out. A line whose comment says "runs: N" is executed N times; the test holds llvm-cov
// to that.
#include "ending.h"
#include "known.h"

enum { ROUNDS = 100, DEPTH = 12 };

static volatile unsigned sink;

KEEP void leaf(unsigned n) {
  sink += n; // runs: 34
}

KEEP void rounds(unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (i % 3 == 0)
      leaf(i); // runs: 34
    else
      sink += i; // runs: 66
  }
}

KEEP unsigned descend(unsigned depth) {
  if (depth == 0)
    return sink;                 // runs: 1
  return 1 + descend(depth - 1); // runs: 12
}

KEEP void choose(unsigned which) {
  switch (which % 5) {
  case 0:
    sink += 1; // runs: 20
    break;
  case 1:
  case 2:
    sink += 2; // runs: 40
    break;
  default:
    sink += 3; // runs: 40
  }
}

KEEP int both(unsigned a, unsigned b) {
  return a > 10 && b > 10 ? 1 : 0; // runs: 100
}

KEEP void never(void) {
  sink = 0; // runs: 0
}

static void say_what_was_done(void) {
  SAY_CALLS(main, 1);
  SAY_CALLS(leaf, (ROUNDS + 2) / 3);
  SAY_CALLS(rounds, 1);
  SAY_CALLS(descend, DEPTH + 1);
  SAY_CALLS(choose, ROUNDS);
  SAY_CALLS(both, ROUNDS);
  SAY_CALLS(never, 0);
  SAY_BLOCKS(leaf, "[]");
  SAY_BLOCKS(rounds, "[100, 34]");
  SAY_BLOCKS(descend, "[1]");
}

int main(int argc, char **argv) {
  rounds(ROUNDS);
  descend(DEPTH); // runs: 1
  for (unsigned i = 0; i < ROUNDS; i++) {
    choose(i); // runs: 100
    both(i, ROUNDS - i);
  }
  if (argc > 5)
    never(); // runs: 0
  say_what_was_done();
  the_end(argv[1]);
}
