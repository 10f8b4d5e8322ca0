// What a program knows of its own counts, said on stdout for the test to compare. KEEP marks a
// function whose calls are all to be seen: it is neither inlined nor known to be without effect, so
// that each optimisation level counts the same calls.
#ifndef CONTPROF_TEST_KNOWN_H
#define CONTPROF_TEST_KNOWN_H

#include <stdio.h>

#define KEEP __attribute__((noinline))

// `function` has been entered `times` times.
#define SAY_CALLS(function, times) printf("calls %s %llu\n", #function, (unsigned long long)(times))

// Frontend instrumentation's counters of `function` after the first, in source order.
#define SAY_BLOCKS(function, list) printf("blocks %s %s\n", #function, list)

#endif
