#include "option_loop.h"

#include "messages.h"
#include "verbs.h"

#include <stdio.h>

int contprof_refuse_options(const struct contprof_option_set *set,
                            const struct contprof_error *error) {
  if (error->code == CONTPROF_USAGE)
    return contprof_say_usage(set->verb, "%s", error->message);
  contprof_say_failure(error);
  return CONTPROF_EXIT_FAILED;
}

static int print_help(const struct contprof_option_set *set) {
  return fputs(set->help, stdout) < 0 ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
}

bool contprof_take_options(const struct contprof_option_set *set, int argc, char **argv,
                           void *options, int *status) {
  struct contprof_error error;
  contprof_error_clear(&error);
  optind = 0; // also resets getopt's private state
  opterr = 0;
  for (int option; (option = getopt_long_only(argc, argv, set->short_options, set->long_options,
                                              NULL)) != -1;) {
    if (option == ':')
      *status = contprof_say_usage(set->verb, "%s needs an argument", argv[optind - 1]);
    else if (option == '?')
      *status =
          contprof_say_usage(set->verb, "%s is not an option of %s", argv[optind - 1], set->verb);
    else if (option == 'h')
      *status = print_help(set);
    else if (set->take(option, optarg, options, &error))
      continue;
    else
      *status = contprof_refuse_options(set, &error);
    return false;
  }
  return true;
}
