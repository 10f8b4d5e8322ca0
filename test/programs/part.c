// One part of a program, compiled with -DPART=a, b...: linked in, or a shared object, or opened
// with dlopen. part_<x>(n) enters part_<x>_leaf n times.
#include "known.h"

#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define ENTRY JOIN(part_, PART, )
#define LEAF JOIN(part_, PART, _leaf)

static volatile unsigned long sink;

KEEP void LEAF(unsigned n) {
  sink += n;
}

KEEP void ENTRY(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    LEAF(i);
}
