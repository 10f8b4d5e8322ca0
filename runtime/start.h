// The order of start-up and of the end.
#ifndef CONTPROF_RUNTIME_START_H
#define CONTPROF_RUNTIME_START_H

#include "abi.h"

// Starts counting into the live file, once; later calls do nothing. `environment` may be NULL. Does
// nothing in a program that defines __llvm_profile_runtime itself and so has no start-up: each file
// that calls it from outside start.c has a weak definition that does nothing, since gold gives an
// undefined weak symbol that is hidden the program's base for its address, which is not null.
void contprof_start(char *const *environment);
#define CONTPROF_NO_START_UP                                                                       \
  CONTPROF_WEAK_HIDDEN void contprof_start(char *const *environment) {                             \
    (void)environment;                                                                             \
  }

// Counts from now on into the live file that has been made, with what was counted until now.
void contprof_go_live(void);

// Starts again under the pattern of the module after a failure, or the first time.
void contprof_begin(void);

#endif
