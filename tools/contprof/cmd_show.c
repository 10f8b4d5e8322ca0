// contprof show: what a profile holds, as text.
#include "../base/line_reader.h"
#include "../base/memory.h"
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "show_samples.h"
#include "show_sections.h"
#include "show_text.h"
#include "show_traces.h"
#include "text_report.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "Usage: contprof show [OPTION]... FILE...\n"
    "\n"
    "Prints what raw, indexed and text profiles hold, with --sample sample profiles, in\n"
    "the words of llvm-profdata show. Live files of running processes can be shown too;\n"
    "- is standard input. Of several files each is shown in turn, under its name.\n"
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
    "      --detailed-summary-cutoffs=N,...\n"
    "                              the shares, in millionths, instead of LLVM's own\n"
    "      --text                  print the functions so shown as text profiles have\n"
    "                              them, and nothing else\n"
    "      --binary-ids            the build-ids of the programs\n"
    "      --profile-version       the version of the file's format\n"
    "      --temporal-profile-traces\n"
    "                              the orders in which functions first ran\n"
    "      --showcs                show context-sensitive functions instead of plain ones\n"
    "      --show-format=text      accepted; it is the default\n"
    "      --instr                 accepted; it is the default\n"
    "\n"
    "      --sample                the files are sample profiles: show their functions, all\n"
    "                              or with --function=NAME the one of that name, and with\n"
    "      --detailed-summary      how many lines make up which share of the samples\n"
    "      --hot-func-list, --topn=N\n"
    "                              the hot functions, N of them\n"
    "      --show-prof-sym-list    the list of functions that the program has\n"
    "      --show-sec-info-only    nothing but the sections of an extended binary profile\n"
    "      --json, --show-format=json\n"
    "                              the functions as JSON\n"
    "      --profile-isfs, --fs-discriminator-pass=PASS\n"
    "                              as in contprof merge\n"
    "\n"
    "  -o, --output=OUT            write to OUT instead of standard output\n"
    "  -h, --help                  this text\n"
    "\n"
    "Long options may be written with one dash, and --FLAG=false takes --FLAG back.\n"
    "Exit status: 0 shown, 1 a file is bad (the others are shown), 2 wrong command line.\n";

struct options {
  struct contprof_show_options show;
  const char *output; // "-" is standard output
  uint32_t *cutoffs;  // of the detailed summary, show.cutoffs.count of them; owned
  bool traces;        // show temporal traces too
  struct contprof_show_samples_options samples;
  struct contprof_sample_load load;
  bool sample;   // show sample profiles
  bool sections; // of sample profiles, nothing but the sections
  bool json;     // which there is of sample profiles alone
  bool ignored;  // what has no meaning here
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
  OPTION_CS,
  OPTION_TEXT,
  OPTION_CUTOFFS,
  OPTION_FORMAT,
  OPTION_JSON,
  OPTION_SAMPLE,
  OPTION_HOT,
  OPTION_SYMBOLS,
  OPTION_SECTIONS,
  OPTION_IS_FS,
  OPTION_FS_PASS,
  OPTION_IGNORED
};

static const struct option LONG_OPTIONS[] = {
    {"all-functions", optional_argument, NULL, OPTION_ALL},
    {"function", required_argument, NULL, OPTION_FUNCTION},
    {"counts", optional_argument, NULL, OPTION_COUNTS},
    {"ic-targets", optional_argument, NULL, OPTION_IC_TARGETS},
    {"memop-sizes", optional_argument, NULL, OPTION_MEMOPS},
    {"show-vtables", optional_argument, NULL, OPTION_VTABLES},
    {"topn", required_argument, NULL, OPTION_TOPN},
    {"value-cutoff", required_argument, NULL, OPTION_CUTOFF},
    {"list-below-cutoff", optional_argument, NULL, OPTION_BELOW},
    {"covered", optional_argument, NULL, OPTION_COVERED},
    {"detailed-summary", optional_argument, NULL, OPTION_DETAILED},
    {"binary-ids", optional_argument, NULL, OPTION_BINARY_IDS},
    {"profile-version", optional_argument, NULL, OPTION_VERSION},
    {"temporal-profile-traces", optional_argument, NULL, OPTION_TRACES},
    {"showcs", optional_argument, NULL, OPTION_CS},
    {"text", optional_argument, NULL, OPTION_TEXT},
    {"detailed-summary-cutoffs", required_argument, NULL, OPTION_CUTOFFS},
    {"show-format", required_argument, NULL, OPTION_FORMAT},
    {"json", optional_argument, NULL, OPTION_JSON},
    {"instr", optional_argument, NULL, OPTION_IGNORED},
    {"sample", optional_argument, NULL, OPTION_SAMPLE},
    {"hot-func-list", optional_argument, NULL, OPTION_HOT},
    {"show-prof-sym-list", optional_argument, NULL, OPTION_SYMBOLS},
    {"show-sec-info-only", optional_argument, NULL, OPTION_SECTIONS},
    {"profile-isfs", optional_argument, NULL, OPTION_IS_FS},
    {"fs-discriminator-pass", required_argument, NULL, OPTION_FS_PASS},
    {"output", required_argument, NULL, 'o'},
    {"o", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0}};

// The flag an option without argument sets, or NULL.
static bool *flag_of(int option, void *all) {
  struct options *options = all;
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
  case OPTION_TEXT:
    return &show->text;
  case OPTION_JSON:
    return &options->json;
  case OPTION_SAMPLE:
    return &options->sample;
  case OPTION_HOT:
    return &options->samples.hot_functions;
  case OPTION_SYMBOLS:
    return &options->samples.symbols;
  case OPTION_SECTIONS:
    return &options->sections;
  case OPTION_IS_FS:
    return &options->load.flow_sensitive;
  case OPTION_IGNORED:
    return &options->ignored;
  default:
    return NULL;
  }
}

static int rising(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

// Adds to those given before, in order, as llvm-profdata does.
static bool add_cutoffs(const char *list, struct options *options, struct contprof_error *error) {
  struct contprof_cutoffs *cutoffs = &options->show.cutoffs;
  for (const char *rest = list, *end;; rest = end + 1) {
    uint64_t cutoff;
    end = strchrnul(rest, ',');
    if (!contprof_parse_number(rest, (size_t)(end - rest), 10, &cutoff) || cutoff > 999999)
      return contprof_bad_argument(error, "detailed-summary-cutoffs", list,
                                   "millionths from 0 to 999999, separated by commas");
    options->cutoffs =
        contprof_need_array(options->cutoffs, cutoffs->count + 1, sizeof *options->cutoffs);
    options->cutoffs[cutoffs->count++] = (uint32_t)cutoff;
    if (!*end)
      break;
  }
  qsort(options->cutoffs, cutoffs->count, sizeof *options->cutoffs, rising);
  cutoffs->cutoffs = options->cutoffs;
  return true;
}

static bool take_format(const char *format, struct options *options, struct contprof_error *error) {
  options->json |= strcmp(format, "json") == 0;
  return options->json || strcmp(format, "text") == 0 ||
         contprof_bad_argument(error, "show-format", format, "text or json");
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct options *options = all;
  switch (option) {
  case 'o':
    options->output = argument;
    return true;
  case OPTION_FUNCTION:
    options->show.function = argument;
    return true;
  case OPTION_CUTOFFS:
    return add_cutoffs(argument, options, error);
  case OPTION_FS_PASS:
    return contprof_sample_load_pass(argument, &options->load, error);
  case OPTION_FORMAT:
    return take_format(argument, options, error);
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
                                               .flag_of = flag_of,
                                               .take = take};

static bool show_sections(FILE *to, const char *path, bool heading) {
  struct contprof_file_view file;
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_file_open(path, &file, &error);
  if (ok && heading)
    fprintf(to, "%s:\n", path);
  ok = ok && contprof_show_sections(to, &file, &error);
  contprof_file_close(&file);
  if (!ok)
    contprof_say_failure(&error);
  return ok;
}

// The options that both kinds of profiles have are those of the other kind.
static bool show_sample_file(FILE *to, const char *path, bool heading,
                             const struct options *options) {
  struct contprof_show_samples_options samples = options->samples;
  struct contprof_sample_profile profile = {0};
  samples.function = options->show.function;
  samples.top_count = options->show.top_count;
  samples.all_functions = options->show.all_functions;
  samples.detailed_summary = options->show.detailed_summary;
  samples.json = options->json;
  if (options->sections)
    return show_sections(to, path, heading);
  if (!contprof_report_load_samples(path, &options->load, &profile))
    return false;
  if (heading)
    fprintf(to, "%s:\n", path);
  contprof_show_samples(to, &profile, &samples);
  contprof_sample_profile_free(&profile);
  return true;
}

static bool show_file(FILE *to, const char *path, bool heading, const struct options *options) {
  struct contprof_profile profile = {0};
  if (!contprof_report_load(path, &profile))
    return false;
  if (heading)
    fprintf(to, "%s:\n", path);
  contprof_show_profile(to, &profile, &options->show);
  if (options->traces && !options->show.covered && !options->show.text)
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
    bad += options->sample ? !show_sample_file(report.to, paths[i], count > 1, options)
                           : !show_file(report.to, paths[i], count > 1, options);
  bool written = contprof_report_write(&report, options->output, bad < count);
  return bad || !written ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
}

// Returns the exit status, not CONTPROF_EXIT_OK if that can't be done.
static int check(int count, char **paths, const struct options *options) {
  if (!count)
    return contprof_say_usage("show", "no profile to show");
  if (!contprof_report_keeps_inputs(count, paths, options->output))
    return CONTPROF_EXIT_FAILED;
  if (options->json && !options->sample) {
    contprof_say_error("JSON output is not supported for instr profiles");
    return CONTPROF_EXIT_FAILED;
  }
  bool one = options->show.function && *options->show.function && !options->show.all_functions;
  if (options->json && one) {
    contprof_say_error("JSON is for all functions; --function chooses one");
    return CONTPROF_EXIT_FAILED;
  }
  if (options->show.all_functions && options->show.function && *options->show.function)
    contprof_say_warning("--function is ignored: all functions are shown");
  return CONTPROF_EXIT_OK;
}

int contprof_cmd_show(int argc, char **argv) {
  struct options options = {.output = "-"};
  int status;
  if (contprof_take_options(&SET, argc, argv, &options, &status)) {
    status = check(argc - optind, argv + optind, &options);
    if (status == CONTPROF_EXIT_OK)
      status = show_files(argc - optind, argv + optind, &options);
  }
  free(options.cutoffs);
  return status;
}
