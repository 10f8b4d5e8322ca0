// Calls part a 10 times and part b 20 times, each with 3 calls of its leaf. The parts are shared
// objects or objects of the executable, as the test links them.
#include "ending.h"
#include "known.h"

void part_a(unsigned times);
void part_b(unsigned times);

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  for (unsigned i = 0; i < 10; i++)
    part_a(3);
  for (unsigned i = 0; i < 20; i++)
    part_b(3);
  SAY_CALLS(main, 1);
  SAY_CALLS(part_a, 10);
  SAY_CALLS(part_a_leaf, 30);
  SAY_CALLS(part_b, 20);
  SAY_CALLS(part_b_leaf, 60);
  the_end(argv[1]);
}
