// What this installation of contprof has for a version of clang: which plugin, which runtime.
#ifndef CONTPROF_DRIVER_TOOLCHAIN_H
#define CONTPROF_DRIVER_TOOLCHAIN_H

#include "driver_plan.h"

// The directory of plugins and runtimes: ../lib/contprof as seen from the directory of `program`,
// the path of the running program.
const char *contprof_library_directory(const char *program, struct contprof_arena *arena);

// Fills `toolchain` for the `major` version of the clang at `clang`, and makes sure that the files
// that `needs` names are there. Fails with CONTPROF_UNSUPPORTED, naming the versions there are, or
// CONTPROF_NOT_FOUND.
bool contprof_toolchain_open(const char *directory, const char *clang, unsigned major,
                             struct contprof_needs needs, struct contprof_arena *arena,
                             struct contprof_toolchain *toolchain, struct contprof_error *error);

#endif
