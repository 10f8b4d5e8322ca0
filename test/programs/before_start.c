// Two shared objects of which the first calls the second before that has started: -DFIRST has a
// constructor that calls early_call() of -DSECOND, which needs the first, so that the loader starts
// the first one before. -DRESOLVES is an object whose part_a is chosen by an instrumented resolver.
// Else: the program, which calls on and ends as its argument says.
#include "known.h"

#ifdef FIRST
void early_call(void);
int first_is_there = 1;

__attribute__((constructor)) static void begin(void) {
  for (int i = 0; i < 7; i++)
    early_call();
}
#elif defined SECOND
extern int first_is_there;
volatile int calls;

KEEP void early_call(void) {
  calls += first_is_there;
}
#elif defined RESOLVES
static volatile unsigned long sum;

KEEP void part_a_leaf(unsigned n) {
  sum += n;
}

static void chosen(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    part_a_leaf(i);
}

KEEP void (*resolve_part_a(void))(unsigned) {
  return chosen;
}

void part_a(unsigned times) __attribute__((ifunc("resolve_part_a")));
#else
#include "ending.h"

void early_call(void);
extern int first_is_there;

int main(int argc, char **argv) {
  for (int i = 0; i < argc + 1; i++)
    early_call();
  SAY_CALLS(early_call, 7 + argc + 1);
  SAY_CALLS(main, first_is_there);
  the_end(argv[1]);
}
#endif
