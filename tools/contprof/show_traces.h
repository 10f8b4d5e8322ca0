// Prints the temporal traces of a profile as `llvm-profdata show --temporal-profile-traces` does,
// LLVM 19's text to the byte (llvm-profdata.cpp, showInstrProfile).
#ifndef CONTPROF_SHOW_TRACES_H
#define CONTPROF_SHOW_TRACES_H

#include "../instr/profile.h"

#include <stdio.h>

void contprof_show_traces(FILE *to, const struct contprof_profile *profile);

#endif
