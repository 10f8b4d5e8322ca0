// One program in builds that differ as little as -DBUILD=1, 2... makes them: in a constant; with
// -DMORE in code without counters, too; with -DSHAPE in the shape of a function. Ends as its
// argument says.
#include "ending.h"
#include "known.h"

static volatile unsigned long sink;

KEEP void work(void) {
#ifdef SHAPE
  while (sink == 12345)
    sink += BUILD;
#else
  if (sink != 12345)
    sink += BUILD;
#endif
}

#ifdef MORE
KEEP __attribute__((no_profile_instrument_function, used)) void more(void) {
  for (unsigned i = 0; i < 2000; i++)
    sink *= i;
}
#endif

int main(int argc, char **argv) {
  (void)argc;
  for (int i = 0; i < 10; i++)
    work();
  the_end(argv[1]);
}
