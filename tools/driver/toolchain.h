// What this installation of contprof has for a version of clang and a target: which plugin, which
// runtime. The runtime for the machine that contprof runs on stands beside the plugins, that for
// another target in a directory named after it.
#ifndef CONTPROF_DRIVER_TOOLCHAIN_H
#define CONTPROF_DRIVER_TOOLCHAIN_H

#include "driver_plan.h"

// The directory of plugins and runtimes: ../lib/contprof as seen from the directory of `program`,
// the path of the running program.
const char *contprof_library_directory(const char *program, struct contprof_arena *arena);

struct contprof_toolchain_query {
  const char *directory;       // contprof_library_directory's
  const char *clang;           // path of the clang, for messages
  unsigned major;              // its version
  const char *target;          // what it compiles for, contprof_target_name's
  const char *native;          // this machine, one of contprof_targets
  struct contprof_needs needs; // which files must be there
  bool is_static;              // the link makes a static program
};

// Fills `toolchain`, and makes sure that the files needed are there; a target that contprof does
// not know is left to the plan to refuse. Fails with CONTPROF_UNSUPPORTED or CONTPROF_NOT_FOUND,
// naming the versions or the targets there are.
bool contprof_toolchain_open(const struct contprof_toolchain_query *query,
                             struct contprof_arena *arena, struct contprof_toolchain *toolchain,
                             struct contprof_error *error);

#endif
