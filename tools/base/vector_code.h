// For functions of plain loops: the compiler makes vector code of them, once for any machine of the
// architecture and once for those with AVX2; which one runs is decided when the program is loaded.
#ifndef CONTPROF_BASE_VECTOR_CODE_H
#define CONTPROF_BASE_VECTOR_CODE_H

#include <stdint.h>

// ThreadSanitizer can't do with a choice that is made while the program is loaded; gcc and clang
// say in different ways that it is there.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define CONTPROF_SANITIZES_THREADS
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define CONTPROF_SANITIZES_THREADS
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(CONTPROF_SANITIZES_THREADS)
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
