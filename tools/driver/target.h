// What is compiled for: LLVM's target triples, and which of them contprof has a runtime for. Pure.
#ifndef CONTPROF_DRIVER_TARGET_H
#define CONTPROF_DRIVER_TARGET_H

#include "command_line.h"

// The targets that the plugin and the runtime know, by the names that directories of runtimes have:
// "x86_64-linux-gnu"... Ends with NULL.
extern const char *const contprof_targets[];

// The name of what `command` compiles for, one of contprof_targets or, for what contprof does not
// know, a name to tell the user; it lives as long as the arguments. `default_triple` is clang's
// own, for where the command line names none.
const char *contprof_target_name(const struct contprof_command *command,
                                 const char *default_triple);

bool contprof_target_is_known(const char *name);

// Whether the target has segment mode.
bool contprof_target_has_segments(const char *name);

// The triple that the name of a clang begins with, "aarch64-linux-gnu" in
// aarch64-linux-gnu-clang-19;
// "" if there is none. clang takes it for its default where LLVM knows it.
const char *contprof_target_of_program(const char *path, struct contprof_arena *arena);

#endif
