// Processes that count at the same moment. `crowd HOW CHILDREN CALLS`: forks the children, and when
// stdin comes to its end all of them, and the parent, call `work` so often. All end that way, the
// children first.
#include "ending.h"
#include "known.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

KEEP void work(unsigned n) {
  sink += n;
}

static void work_at_the_signal(unsigned calls) {
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  for (unsigned i = 0; i < calls; i++)
    work(i);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  int children = atoi(argv[2]);
  unsigned calls = (unsigned)atoi(argv[3]);
  for (int i = 0; i < children; i++) {
    if (fork() == 0) {
      work_at_the_signal(calls);
      the_end(argv[1]);
    }
  }
  work_at_the_signal(calls);
  while (wait(0) > 0) {
  }
  the_end(argv[1]);
}
