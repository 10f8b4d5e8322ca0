// How a test program ends, chosen by its caller. ending.c is compiled without instrumentation, so
// that the counts up to the end are the same whichever way it goes. Never returns.
//
//   exit   exit(0), the only way that stock profiles survive
//   kill   SIGKILL to itself
//   _exit  _exit(0)
//   abort  SIGABRT
//   segv   a write to address 0
//   stdin  says "ready", reads stdin to its end, then exit(0)
//   wait   says "ready" on stdout and waits for a signal of others
#ifndef CONTPROF_TEST_ENDING_H
#define CONTPROF_TEST_ENDING_H

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((noreturn)) void the_end(const char *how);

#ifdef __cplusplus
}
#endif

#endif
