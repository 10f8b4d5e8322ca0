// Counts at its caller's pace: for each byte of stdin calls `step` a hundred times and answers with
// that byte. `paced HOW`: ends that way at the end of stdin.
#include "ending.h"
#include "known.h"

#include <unistd.h>

static volatile unsigned long sink;

KEEP void step(unsigned n) {
  sink += n;
}

int main(int argc, char **argv) {
  char byte;
  if (argc != 2)
    return 2;
  while (read(0, &byte, 1) > 0) {
    for (unsigned i = 0; i < 100; i++)
      step(i);
    if (write(1, &byte, 1) != 1)
      return 1;
  }
  the_end(argv[1]);
}
