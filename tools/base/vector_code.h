// For functions of plain loops: the compiler makes vector code of them, once for any machine of the
// architecture and once for those with AVX2; which one runs is decided when the program is loaded.
#ifndef CONTPROF_BASE_VECTOR_CODE_H
#define CONTPROF_BASE_VECTOR_CODE_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_THREAD__)
#define CONTPROF_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define CONTPROF_VECTOR
#endif

#endif
