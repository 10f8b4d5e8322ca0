// contprof merge: many profiles into one.
#include "../base/output_file.h"
#include "../instr/indexed_writer.h"
#include "../instr/profile_sum.h"
#include "../instr/text_writer.h"
#include "inputs.h"
#include "messages.h"
#include "option_values.h"
#include "verbs.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "Usage: contprof merge [OPTION]... [-o OUT] INPUT...\n"
    "\n"
    "Merges profiles into one indexed profile, for clang -fprofile-use, llvm-cov and\n"
    "llvm-profdata. Inputs are raw profiles, live files of running processes among\n"
    "them, indexed profiles, and profiles as text. A directory stands for all\n"
    "*.profraw, *.profdata and *.proftext files in it and below; - is standard input.\n"
    "\n"
    "  -o, --output=OUT           the merged profile; - is standard output (default).\n"
    "                             A file appears whole or not at all\n"
    "  --weighted-input=W,INPUT   an input that counts W times\n"
    "  -f, --input-files=FILE     inputs listed in FILE, INPUT or W,INPUT a line\n"
    "  --failure-mode=any|all     any: one bad input is an error (default);\n"
    "                             all: bad inputs are skipped with a warning each\n"
    "  --llvm=N                   write what LLVM N reads (default: the oldest version,\n"
    "                             from LLVM 14's on, that carries all counts)\n"
    "  --indexed-version=N        write indexed version N\n"
    "  --text                     write text, as llvm-profdata merge --text does\n"
    "  --sparse                   leave out functions that never ran\n"
    "  -j, --num-threads=N        accepted; one thread is used\n"
    "  -h, --help                 this text\n"
    "\n"
    "Long options may be written with one dash. Exit status: 0 merged, 1 not (and OUT\n"
    "is as it was), 2 wrong command line.\n";

struct options {
  struct contprof_inputs inputs;
  const char *output;
  uint64_t llvm;            // major version; 0: not asked for
  uint64_t indexed_version; // 0: not asked for
  bool skip_bad;            // failure mode "all"
  bool text;
  bool sparse;
  bool help;
};

// What parse() makes of the command line.
enum outcome { PARSED, WRONG, FAILED };

enum {
  OPTION_WEIGHTED = 256,
  OPTION_FAILURE_MODE,
  OPTION_LLVM,
  OPTION_INDEXED,
  OPTION_TEXT,
  OPTION_SPARSE
};

static const struct option LONG_OPTIONS[] = {
    {"output", required_argument, NULL, 'o'},
    {"input-files", required_argument, NULL, 'f'},
    {"weighted-input", required_argument, NULL, OPTION_WEIGHTED},
    {"failure-mode", required_argument, NULL, OPTION_FAILURE_MODE},
    {"llvm", required_argument, NULL, OPTION_LLVM},
    {"indexed-version", required_argument, NULL, OPTION_INDEXED},
    {"text", no_argument, NULL, OPTION_TEXT},
    {"sparse", no_argument, NULL, OPTION_SPARSE},
    {"num-threads", required_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {0}};

static bool parse_llvm(const char *text, struct options *options, struct contprof_error *error) {
  if (!contprof_number_argument("llvm", text, &options->llvm, error))
    return false;
  if (options->llvm <= 999 && contprof_indexed_version_of_llvm((unsigned)options->llvm))
    return true;
  return contprof_bad_argument(error, "llvm", text, "an LLVM version from 14 to 19");
}

static bool parse_failure_mode(const char *text, struct options *options,
                               struct contprof_error *error) {
  options->skip_bad = strcmp(text, "all") == 0;
  if (options->skip_bad || strcmp(text, "any") == 0)
    return true;
  return contprof_bad_argument(error, "failure-mode", text, "any or all");
}

// Returns false with `error` set if the option's argument is no good.
static bool parse_option(int option, struct options *options, struct contprof_error *error) {
  uint64_t threads;
  switch (option) {
  case 'o':
    options->output = optarg;
    return true;
  case 'f':
    return contprof_inputs_add_listed(&options->inputs, optarg, error);
  case 'j':
    return contprof_number_argument("num-threads", optarg, &threads, error);
  case OPTION_WEIGHTED:
    return contprof_inputs_add_weighted(&options->inputs, optarg, error);
  case OPTION_FAILURE_MODE:
    return parse_failure_mode(optarg, options, error);
  case OPTION_LLVM:
    return parse_llvm(optarg, options, error);
  case OPTION_INDEXED:
    return contprof_number_argument("indexed-version", optarg, &options->indexed_version, error);
  case OPTION_TEXT:
    return options->text = true;
  case OPTION_SPARSE:
    return options->sparse = true;
  default:
    return options->help = true;
  }
}

static enum outcome refuse(const struct contprof_error *error) {
  if (error->code != CONTPROF_USAGE) {
    contprof_say_failure(error);
    return FAILED;
  }
  contprof_say_usage("merge", "%s", error->message);
  return WRONG;
}

static enum outcome check(const struct options *options) {
  if (!options->inputs.count) {
    contprof_say_usage("merge", "no input files");
    return WRONG;
  }
  if (options->llvm && options->indexed_version) {
    contprof_say_usage("merge", "--llvm and --indexed-version exclude each other");
    return WRONG;
  }
  if (options->text && (options->llvm || options->indexed_version)) {
    contprof_say_usage("merge", "--text and %s exclude each other",
                       options->llvm ? "--llvm" : "--indexed-version");
    return WRONG;
  }
  if (!options->text && strcmp(options->output, "-") == 0 && isatty(STDOUT_FILENO)) {
    contprof_say_error("a profile is not written to a terminal; give -o OUT");
    return FAILED;
  }
  return PARSED;
}

static enum outcome parse(int argc, char **argv, struct options *options) {
  struct contprof_error error;
  contprof_error_clear(&error);
  optind = 0; // also resets getopt's private state
  opterr = 0;
  for (int option; (option = getopt_long_only(argc, argv, ":o:f:j:h", LONG_OPTIONS, NULL)) != -1;) {
    if (option == '?' || option == ':') {
      contprof_say_usage("merge", "%s %s", argv[optind - 1],
                         option == ':' ? "needs an argument" : "is not an option of merge");
      return WRONG;
    }
    if (!parse_option(option, options, &error))
      return refuse(&error);
    if (options->help)
      return PARSED;
  }
  for (int i = optind; i < argc; i++)
    if (!contprof_inputs_add(&options->inputs, argv[i], 1, &error))
      return refuse(&error);
  return check(options);
}

static void say_saturated(const char *path, const struct contprof_merge_report *report) {
  if (report->functions_saturated)
    contprof_say_warning("%s: in %" PRIu64 " functions, the first %s, counts reached the largest "
                         "number there is",
                         path, report->functions_saturated, report->first_saturated->name);
}

static void say_bent(const char *path, const struct contprof_sum_report *report) {
  if (report->functions_dropped)
    contprof_say_warning("%s: %" PRIu64 " functions left out: the file holds them in other shapes",
                         path, report->functions_dropped);
  if (report->merge.functions_dropped)
    contprof_say_warning("%s: %" PRIu64 " functions left out, the first %s: the inputs before have "
                         "them with other numbers of counters or value sites",
                         path, report->merge.functions_dropped, report->merge.first_dropped->name);
  say_saturated(path, &report->merge);
}

static bool add_input(struct contprof_profile_sum *sum, const struct contprof_input *input) {
  struct contprof_sum_report report;
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_profile_sum_add(sum, input->path, input->weight, &report, &error);
  if (ok)
    say_bent(input->path, &report);
  else
    contprof_say_skipped(&error);
  return ok;
}

// All inputs are tried even if one bad one is enough to fail: so that all the bad are named.
static bool add_inputs(struct contprof_profile_sum *sum, const struct options *options) {
  size_t bad = 0, count = options->inputs.count;
  for (size_t i = 0; i < count; i++)
    bad += !add_input(sum, &options->inputs.inputs[i]);
  if (bad == count)
    contprof_say_error(count == 1 ? "no profile can be merged"
                                  : "no profile can be merged: all inputs are bad");
  else if (bad && options->skip_bad)
    contprof_say_warning("%zu of %zu inputs skipped", bad, count);
  else if (bad)
    contprof_say_error("%zu of %zu inputs can't be merged; --failure-mode=all would skip them", bad,
                       count);
  return bad < count && (!bad || options->skip_bad);
}

static unsigned choose_version(const struct contprof_profile *merged,
                               const struct options *options) {
  if (options->indexed_version)
    return options->indexed_version <= UINT16_MAX ? (unsigned)options->indexed_version : 0;
  if (options->llvm)
    return contprof_indexed_version_of_llvm((unsigned)options->llvm);
  return contprof_indexed_version_for(merged);
}

static bool write_profile(struct contprof_profile *merged, const struct options *options) {
  struct contprof_byte_writer bytes = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_profile_sort(merged);
  if (options->sparse)
    contprof_profile_drop_zeros(merged);
  bool ok = (options->text ? contprof_text_write(merged, &bytes, &error)
                           : contprof_indexed_write(merged, choose_version(merged, options), &bytes,
                                                    &error)) &&
            contprof_output_write(options->output, bytes.bytes, bytes.size, &error);
  if (!ok)
    contprof_say_failure(&error);
  contprof_byte_writer_free(&bytes);
  return ok;
}

static bool finish(struct contprof_profile_sum *sum) {
  struct contprof_merge_report report = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_profile_sum_finish(sum, &report, &error);
  if (!ok)
    contprof_say_failure(&error);
  say_saturated("the sum", &report);
  return ok;
}

static int merge(const struct options *options) {
  struct contprof_profile_sum sum = {0};
  bool ok = add_inputs(&sum, options) && finish(&sum) && write_profile(&sum.profile, options);
  contprof_profile_sum_free(&sum);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}

int contprof_cmd_merge(int argc, char **argv) {
  struct options options = {.output = "-"};
  enum outcome outcome = parse(argc, argv, &options);
  int status = outcome == WRONG ? CONTPROF_EXIT_USAGE : CONTPROF_EXIT_FAILED;
  if (outcome == PARSED && options.help)
    status = fputs(HELP, stdout) < 0 ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
  else if (outcome == PARSED)
    status = merge(&options);
  contprof_inputs_free(&options.inputs);
  return status;
}
