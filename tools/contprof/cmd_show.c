// contprof show: what a profile holds, as text.
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "show_text.h"
#include "show_traces.h"
#include "text_report.h"
#include "verbs.h"

#include <stdio.h>

static const char HELP[] =
    "Usage: contprof show [OPTION]... FILE...\n"
    "\n"
    "Prints what raw, indexed and text profiles hold, in the words of llvm-profdata show.\n"
    "Live files of running processes can be shown too; - is standard input. Of several\n"
    "files each is shown in turn, under its name.\n"
    "\n"
    "      --all-functions         show every function\n"
    "      --function=TEXT         show the functions with TEXT in their name\n"
    "      --counts                with each function so shown, all its counts\n"
    "      --ic-targets            with each function, the targets of indirect calls\n"
    "      --memop-sizes           with each function, the sizes of memory operations\n"
    "      --show-vtables          with each function, the vtables of virtual calls\n"
    "      --topn=N                list the N hottest functions\n"
    "      --value-cutoff=N        leave out functions whose largest count is below N\n"
    "      --list-below-cutoff     list those functions, and no others\n"
    "      --covered               print the names of functions that ran, nothing else\n"
    "      --detailed-summary      how many counters make up which share of the total\n"
    "      --binary-ids            the build-ids of the programs\n"
    "      --profile-version       the version of the file's format\n"
    "      --temporal-profile-traces\n"
    "                              the orders in which functions first ran\n"
    "      --showcs                show context-sensitive functions instead of plain ones\n"
    "  -o, --output=OUT            write to OUT instead of standard output\n"
    "  -h, --help                  this text\n"
    "\n"
    "Long options may be written with one dash. Exit status: 0 shown, 1 a file is bad\n"
    "(the others are shown), 2 wrong command line.\n";

struct options {
  struct contprof_show_options show;
  const char *output; // "-" is standard output
  bool traces;        // show temporal traces too
};

enum {
  OPTION_ALL = 256,
  OPTION_FUNCTION,
  OPTION_COUNTS,
  OPTION_IC_TARGETS,
  OPTION_MEMOPS,
  OPTION_VTABLES,
  OPTION_TOPN,
  OPTION_CUTOFF,
  OPTION_BELOW,
  OPTION_COVERED,
  OPTION_DETAILED,
  OPTION_BINARY_IDS,
  OPTION_VERSION,
  OPTION_TRACES,
  OPTION_CS
};

static const struct option LONG_OPTIONS[] = {
    {"all-functions", no_argument, NULL, OPTION_ALL},
    {"function", required_argument, NULL, OPTION_FUNCTION},
    {"counts", no_argument, NULL, OPTION_COUNTS},
    {"ic-targets", no_argument, NULL, OPTION_IC_TARGETS},
    {"memop-sizes", no_argument, NULL, OPTION_MEMOPS},
    {"show-vtables", no_argument, NULL, OPTION_VTABLES},
    {"topn", required_argument, NULL, OPTION_TOPN},
    {"value-cutoff", required_argument, NULL, OPTION_CUTOFF},
    {"list-below-cutoff", no_argument, NULL, OPTION_BELOW},
    {"covered", no_argument, NULL, OPTION_COVERED},
    {"detailed-summary", no_argument, NULL, OPTION_DETAILED},
    {"binary-ids", no_argument, NULL, OPTION_BINARY_IDS},
    {"profile-version", no_argument, NULL, OPTION_VERSION},
    {"temporal-profile-traces", no_argument, NULL, OPTION_TRACES},
    {"showcs", no_argument, NULL, OPTION_CS},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0}};

// The flag an option without argument sets, or NULL.
static bool *flag_of(int option, struct options *options) {
  struct contprof_show_options *show = &options->show;
  switch (option) {
  case OPTION_ALL:
    return &show->all_functions;
  case OPTION_COUNTS:
    return &show->counts;
  case OPTION_IC_TARGETS:
    return &show->ic_targets;
  case OPTION_MEMOPS:
    return &show->memop_sizes;
  case OPTION_VTABLES:
    return &show->vtables;
  case OPTION_BELOW:
    return &show->list_below_cutoff;
  case OPTION_COVERED:
    return &show->covered;
  case OPTION_DETAILED:
    return &show->detailed_summary;
  case OPTION_BINARY_IDS:
    return &show->binary_ids;
  case OPTION_VERSION:
    return &show->profile_version;
  case OPTION_CS:
    return &show->context_sensitive;
  case OPTION_TRACES:
    return &options->traces;
  default:
    return NULL;
  }
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct options *options = all;
  bool *flag = flag_of(option, options);
  if (flag)
    return *flag = true;
  switch (option) {
  case 'o':
    options->output = argument;
    return true;
  case OPTION_FUNCTION:
    options->show.function = argument;
    return true;
  case OPTION_TOPN:
    return contprof_number_argument("topn", argument, &options->show.top_count, error);
  default:
    return contprof_number_argument("value-cutoff", argument, &options->show.value_cutoff, error);
  }
}

static const struct contprof_option_set SET = {.verb = "show",
                                               .short_options = ":o:h",
                                               .long_options = LONG_OPTIONS,
                                               .help = HELP,
                                               .take = take};

static bool show_file(FILE *to, const char *path, bool heading, const struct options *options) {
  struct contprof_profile profile = {0};
  if (!contprof_report_load(path, &profile))
    return false;
  if (heading)
    fprintf(to, "%s:\n", path);
  contprof_show_profile(to, &profile, &options->show);
  if (options->traces && !options->show.covered)
    contprof_show_traces(to, &profile);
  contprof_profile_free(&profile);
  return true;
}

// All good files are shown even when some are bad.
static int show_files(int count, char **paths, const struct options *options) {
  struct contprof_text_report report;
  int bad = 0;
  contprof_report_begin(&report);
  for (int i = 0; report.to && i < count; i++)
    bad += !show_file(report.to, paths[i], count > 1, options);
  bool written = contprof_report_write(&report, options->output, bad < count);
  return bad || !written ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
}

int contprof_cmd_show(int argc, char **argv) {
  struct options options = {.output = "-"};
  int status;
  if (!contprof_take_options(&SET, argc, argv, &options, &status))
    return status;
  if (optind == argc)
    return contprof_say_usage("show", "no profile to show");
  return show_files(argc - optind, argv + optind, &options);
}
