// contprof <verb>: finds the verb and runs it.
#include "messages.h"
#include "verbs.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct verb {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv);
};

static const struct verb VERBS[] = {
    {"combine", "bring counts and samples together", contprof_cmd_combine},
    {"merge", "merge profiles into one for the compiler", contprof_cmd_merge},
    {"overlap", "tell how alike two profiles are", contprof_cmd_overlap},
    {"sample", "make profiles for the compiler of perf's samples", contprof_cmd_sample},
    {"show", "print what a profile holds", contprof_cmd_show},
    {"sync", "bring live files to stable storage", contprof_cmd_sync},
};

enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS };

static void print_verbs(FILE *to) {
  fputs("Usage: contprof VERB [ARGUMENT]...\n\nVerbs:\n", to);
  for (int i = 0; i < VERB_COUNT; i++)
    fprintf(to, "  %-8s %s\n", VERBS[i].name, VERBS[i].summary);
  fputs("\ncontprof VERB --help tells more; contprof --version prints the version.\n", to);
}

static const struct verb *find_verb(const char *name) {
  for (int i = 0; i < VERB_COUNT; i++)
    if (strcmp(VERBS[i].name, name) == 0)
      return &VERBS[i];
  return NULL;
}

static int unknown_verb(const char *name) {
  if (strcmp(name, "order") == 0) {
    contprof_say_error("contprof has no order; use llvm-profdata order on what contprof merge "
                       "writes: temporal traces are kept");
    return CONTPROF_EXIT_USAGE;
  }
  contprof_say_error("%s is not a verb", name);
  print_verbs(stderr);
  return CONTPROF_EXIT_USAGE;
}

static bool is_option(const char *argument, const char *name) {
  while (*argument == '-')
    argument++;
  return strcmp(argument, name) == 0;
}

// Options of contprof itself, and `help [VERB]`.
static int run_option(int argc, char **argv) {
  if (is_option(argv[1], "version")) {
    puts("contprof " CONTPROF_VERSION);
    return CONTPROF_EXIT_OK;
  }
  const struct verb *verb = argc > 2 ? find_verb(argv[2]) : NULL;
  if (verb)
    return verb->run(2, (char *[]){argv[2], "--help", NULL});
  if (argc > 2)
    return unknown_verb(argv[2]);
  print_verbs(stdout);
  return CONTPROF_EXIT_OK;
}

#ifdef __GLIBC__
enum { LARGE_ARRAY = 1 << 20 }; // bytes
#endif

int main(int argc, char **argv) {
  // A limit on file sizes is an error to report and clean up after, as a full disk is.
  signal(SIGXFSZ, SIG_IGN);
#ifdef __GLIBC__
  // Large arrays grow by remapping, and their memory goes back at once. glibc would raise this
  // bound with the first large file, and copy them from then on.
  mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
#endif
  if (argc < 2) {
    contprof_say_error("no verb given");
    print_verbs(stderr);
    return CONTPROF_EXIT_USAGE;
  }
  const struct verb *verb = find_verb(argv[1]);
  int status;
  if (verb)
    status = verb->run(argc - 1, argv + 1);
  else if (is_option(argv[1], "help") || strcmp(argv[1], "-h") == 0 ||
           (argv[1][0] == '-' && is_option(argv[1], "version")))
    status = run_option(argc, argv);
  else
    status = unknown_verb(argv[1]);
  if (fflush(stdout) != 0 && status == CONTPROF_EXIT_OK) {
    contprof_say_error("can't write to standard output");
    status = CONTPROF_EXIT_FAILED;
  }
  return status;
}
