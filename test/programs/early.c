// Code that runs before and after what most runtimes think is the program: an entry of
// .preinit_array, constructors of the highest priority that a program may have, destructors. With
// -DLIBRARY a shared object, which can't have the first; with -DPREINIT_IN_MAIN that is called in
// main, so that nothing counts before the runtime starts.
#include "known.h"

static volatile unsigned long sink;

#ifdef LIBRARY
#define NAME(x) library_##x
#else
#define NAME(x) program_##x
#endif

KEEP void NAME(early_leaf)(unsigned n) {
  sink += n;
}

__attribute__((constructor(101))) void NAME(first_constructor)(void) {
  for (unsigned i = 0; i < 5; i++)
    NAME(early_leaf)(i);
}

__attribute__((constructor)) void NAME(constructor)(void) {
  for (unsigned i = 0; i < 6; i++)
    NAME(early_leaf)(i);
}

#ifdef LIBRARY

KEEP void library_entry(void) {
  sink++;
}

#else

#include "ending.h"

void library_entry(void);

KEEP void program_preinit(void) {
  for (unsigned i = 0; i < 4; i++)
    program_early_leaf(i);
}

#ifndef PREINIT_IN_MAIN
__attribute__((section(".preinit_array"), used)) static void (*preinit)(void) = program_preinit;
#endif

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  library_entry();
#ifdef PREINIT_IN_MAIN
  program_preinit();
#endif
  SAY_CALLS(program_early_leaf, 4 + 5 + 6);
  SAY_CALLS(program_preinit, 1);
  SAY_CALLS(program_first_constructor, 1);
  SAY_CALLS(program_constructor, 1);
  SAY_CALLS(library_early_leaf, 5 + 6);
  SAY_CALLS(library_first_constructor, 1);
  SAY_CALLS(library_constructor, 1);
  SAY_CALLS(library_entry, 1);
  SAY_CALLS(main, 1);
  the_end(argv[1]);
}

#endif
