#include "option_loop.h"

#include "messages.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

// Says why the verb can't do what was asked, and returns its exit status.
static int refuse(const struct contprof_option_set *set, const struct contprof_error *error) {
  if (error->code == CONTPROF_USAGE)
    return contprof_say_usage(set->verb, "%s", error->message);
  contprof_say_failure(error);
  return CONTPROF_EXIT_FAILED;
}

static int print_help(const struct contprof_option_set *set) {
  return fputs(set->help, stdout) < 0 ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
}

// The words of cl::parser<bool> in llvm/lib/Support/CommandLine.cpp.
static bool set_flag(const char *text, const char *argument, bool *flag,
                     struct contprof_error *error) {
  static const char *const TRUE[] = {"", "true", "TRUE", "True", "1"};
  static const char *const FALSE[] = {"false", "FALSE", "False", "0"};
  *flag = true;
  if (!argument)
    return true;
  for (size_t i = 0; i < sizeof TRUE / sizeof *TRUE; i++)
    if (strcmp(argument, TRUE[i]) == 0)
      return true;
  *flag = false;
  for (size_t i = 0; i < sizeof FALSE / sizeof *FALSE; i++)
    if (strcmp(argument, FALSE[i]) == 0)
      return true;
  return contprof_fail(error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                       "%s: expected true or false", text);
}

static bool take_one(const struct contprof_option_set *set, int option, const char *text,
                     void *options, struct contprof_error *error) {
  bool *flag = set->flag_of ? set->flag_of(option, options) : NULL;
  return flag ? set_flag(text, optarg, flag, error) : set->take(option, optarg, options, error);
}

// What getopt has just read, as it was written. Its argument may have followed it.
static const char *written(char **argv) {
  const char *last = argv[optind - 1];
  return optarg && optarg == last ? argv[optind - 2] : last;
}

static bool is_whole_name(const struct option *option, char **argv) {
  const char *text = written(argv);
  text += strspn(text, "-");
  size_t length = strlen(option->name);
  return strncmp(text, option->name, length) == 0 && (!text[length] || text[length] == '=');
}

// getopt's, but for abbreviations of long options, which LLVM's tools do not take either: an option
// that one verb lacks must not become another one that happens to begin so.
static int next_option(const struct contprof_option_set *set, int argc, char **argv) {
  int index = -1;
  int option = getopt_long_only(argc, argv, set->short_options, set->long_options, &index);
  if (option != -1 && option != '?' && option != ':' && index >= 0 &&
      !is_whole_name(&set->long_options[index], argv))
    return '?';
  return option;
}

bool contprof_take_options(const struct contprof_option_set *set, int argc, char **argv,
                           void *options, int *status) {
  struct contprof_error error;
  contprof_error_clear(&error);
  optind = 0; // also resets getopt's private state
  opterr = 0;
  for (int option; (option = next_option(set, argc, argv)) != -1;) {
    if (option == ':')
      *status = contprof_say_usage(set->verb, "%s needs an argument", argv[optind - 1]);
    else if (option == '?')
      *status =
          contprof_say_usage(set->verb, "%s is not an option of %s", written(argv), set->verb);
    else if (option == 'h')
      *status = print_help(set);
    else if (take_one(set, option, written(argv), options, &error))
      continue;
    else
      *status = refuse(set, &error);
    return false;
  }
  return true;
}
