// From a parsed command line to the one clang is run with. Pure: tables and strings only.
#ifndef CONTPROF_DRIVER_PLAN_H
#define CONTPROF_DRIVER_PLAN_H

#include "command_line.h"

// What contprof has for the clang at hand. All strings must outlive the plan.
struct contprof_toolchain {
  const char *plugin;             // path of the compiler plugin
  const char *runtime;            // path of the archive every module links
  const char *executable_runtime; // path of the archive executables link besides
  const char *shards;             // path of that for executables with counts per thread, or NULL
  const char *include;            // directory of contprof.h; NULL if there is none
  const char *target;             // what is compiled for, contprof_target_name's
  unsigned major;                 // clang's major version
};

// What has to be added to a command line.
struct contprof_needs {
  bool plugin;     // code is generated, or linked, by passes
  bool link;       // there is a link step that takes a runtime
  bool executable; // ... and makes an executable
  bool shards;     // ... whose threads may have counters of their own
};

// What the command needs; all false when clang's command line needs no additions.
struct contprof_needs contprof_plan_needs(const struct contprof_command *command);

// Appends the words for clang (without argv[0]) to `out`. `toolchain` is looked at only as far as
// contprof_plan_needs says. Fails with CONTPROF_USAGE or CONTPROF_UNSUPPORTED on what can't work.
bool contprof_plan_words(const struct contprof_command *command,
                         const struct contprof_toolchain *toolchain, struct contprof_word_list *out,
                         struct contprof_error *error);

#endif
