// What start-up shares with programs that have none: those that define __llvm_profile_runtime
// themselves, as LLVM allows, and ask for their profile when they want it. They count in memory,
// where LLVM's functions find the counts, and have no live file.
#ifndef CONTPROF_RUNTIME_WITHOUT_START_UP_H
#define CONTPROF_RUNTIME_WITHOUT_START_UP_H

#include <stdbool.h>

#include "abi.h"

// Whether start.c is in the link; its definition wins over a weak one that says no. Not const: its
// value would be taken for known.
extern CONTPROF_HIDDEN bool contprof_has_start_up;

// Takes the file's name, and what it is filled with, from the environment (may be NULL) and the
// program.
void contprof_read_settings(char *const *environment);

// Lets the values be recorded into the module's live image, or its copy in memory.
void contprof_attach_values(void);

// Counts in memory from now on.
void contprof_stay_in_memory(void);

// To be called first by each of LLVM's functions, with the module locked: begins to count in memory
// where there is no start-up. Else, and the second time, does nothing.
void contprof_begin_when_asked(void);

// Has such a program's profile written at its end.
void contprof_write_when_it_ends(void);

#endif
