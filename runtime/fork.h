// fork gives the child its own live file, mapped over the parent's mapping before any instrumented
// code of the program runs in it. vfork, posix_spawn and raw clone run no handlers: their children
// count into the parent's file until they exec.
#ifndef CONTPROF_RUNTIME_FORK_H
#define CONTPROF_RUNTIME_FORK_H

// Registers the handlers. Called first thing at start, so that the child's handler runs before the
// program's own.
void contprof_watch_forks(void);

#endif
