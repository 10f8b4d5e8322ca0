// The loop over a verb's options, the same for all of them: getopt's, with long options also after
// a single dash, as llvm-profdata takes them, and in any order with the other arguments. Uses
// getopt's global state: one command line at a time.
#ifndef CONTPROF_OPTION_LOOP_H
#define CONTPROF_OPTION_LOOP_H

#include "../base/error.h"

#include <getopt.h>

// What a verb knows. Strings and tables are the verb's own, and outlive the loop.
struct contprof_option_set {
  const char *verb;                  // its name, for messages
  const char *short_options;         // getopt's, with ':' first
  const struct option *long_options; // `flag` unused; 'h' is the help, whatever its name
  const char *help;                  // what 'h' prints
  // The flag that an option sets, or NULL if it is none. In long_options it has an optional
  // argument: as with LLVM's tools, --flag=false takes it back.
  bool *(*flag_of)(int option, void *options);
  // Takes an option that is no flag; `argument` (a part of the command line) is NULL if it has
  // none. Returns false with `error` set if that is no good: CONTPROF_USAGE for a wrong command
  // line.
  bool (*take)(int option, const char *argument, void *options, struct contprof_error *error);
};

// Hands the options to set->take, with `options`. Returns true if there were none but good ones;
// the arguments that are no options then begin at argv[optind]. Else help has been printed or an
// error said, and the verb is to return *status.
bool contprof_take_options(const struct contprof_option_set *set, int argc, char **argv,
                           void *options, int *status);

#endif
