// The order of start-up and of the end.
#ifndef CONTPROF_RUNTIME_START_H
#define CONTPROF_RUNTIME_START_H

#include "abi.h"

// Starts counting into the live file, once; later calls do nothing. `environment` may be NULL.
// Declared weak: a program that defines __llvm_profile_runtime itself has no start-up.
extern void contprof_start(char *const *environment) CONTPROF_WEAK_HIDDEN;

// Starts again under the pattern of the module after a failure, or the first time.
void contprof_begin(void);

#endif
