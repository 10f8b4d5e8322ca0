// For functions of plain loops: the compiler makes vector code of them, once for any machine of the
// architecture and once for those with AVX2; which one runs is decided when the program is loaded.
#ifndef CONTPROF_BASE_VECTOR_CODE_H
#define CONTPROF_BASE_VECTOR_CODE_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_THREAD__)
#define CONTPROF_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define CONTPROF_VECTOR
#endif

enum { CONTPROF_LINE = 64 }; // bytes of a cache line; where it is another, all works as well

// For a sweep through memory that no cache holds, once for each line: asks for what comes a page
// later, since processors look ahead by themselves, but not beyond a page. Any address will do.
static inline void contprof_sweep_at(const void *at) {
  __builtin_prefetch((const void *)((uintptr_t)at + 4096));
}

#endif
