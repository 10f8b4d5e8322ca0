// contprof combine: exact counts of some processes with samples of all.
#include "../combine/combination.h"
#include "../sample/sample_format.h"
#include "combine_report.h"
#include "merger.h"
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "sampled_side.h"
#include "text_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "Usage: contprof combine [OPTION]... --instr=INPUT --sample=INPUT -o OUT\n"
    "\n"
    "Makes one profile of exact counts, of some processes, and samples, of all: each\n"
    "function's counts are multiplied so that it is as hot as the samples say, and keep\n"
    "their inner proportions. Where both agree within what samples can tell, the counts\n"
    "stay, and come out as contprof merge writes them. docs/combine.md tells how.\n"
    "\n"
    "      --instr=INPUT           counts: what contprof merge takes, directories of raw\n"
    "                              profiles, too; may be given several times\n"
    "      --sample=INPUT          samples: a sample profile, perf's recording, or a\n"
    "                              directory of such; may be given several times\n"
    "      --binary=FILE           of recordings: the program that was recorded; of a fleet of\n"
    "                              several builds or programs, each\n"
    "      --debug-binary=FILE     its debug information, if the program does not say where\n"
    "  -o, --output=OUT            the profile; - is standard output (default). A file\n"
    "                              appears whole or not at all\n"
    "      --as=KIND               instr: an instrumentation profile (default). sample: the\n"
    "                              sample profile, with functions that only counts know\n"
    "      --explain               print what was known of each function that changes, and\n"
    "                              what was decided: to standard output, or standard error\n"
    "                              if the profile goes there\n"
    "      --tolerance=X           a factor of X, either way, is no difference (4;\n"
    "                              32 if the samples tell time alone)\n"
    "      --zero-counter-threshold=X\n"
    "                              drop the counts of a cold function of which a larger\n"
    "                              share is zero (0.7)\n"
    "      --suppl-min-size-threshold=N\n"
    "                              mark functions as hot if they have N counters or more (10)\n"
    "      --llvm=N                write what LLVM N, 14 to 19, reads (default: the oldest\n"
    "                              version that carries all, as contprof merge's)\n"
    "      --text                  write text\n"
    "  -h, --help                  this text\n"
    "\n"
    "Long options may be written with one dash. Exit status: 0 combined, 1 not (and OUT is\n"
    "as it was), 2 wrong command line.\n";

enum {
  OPTION_INSTR = 256,
  OPTION_SAMPLE,
  OPTION_BINARY,
  OPTION_DEBUG_BINARY,
  OPTION_AS,
  OPTION_EXPLAIN,
  OPTION_TOLERANCE,
  OPTION_ZERO_COUNTERS,
  OPTION_SIZE,
  OPTION_LLVM,
  OPTION_TEXT
};

static const struct option LONG_OPTIONS[] = {
    {"instr", required_argument, NULL, OPTION_INSTR},
    {"sample", required_argument, NULL, OPTION_SAMPLE},
    {"binary", required_argument, NULL, OPTION_BINARY},
    {"debug-binary", required_argument, NULL, OPTION_DEBUG_BINARY},
    {"output", required_argument, NULL, 'o'},
    {"o", required_argument, NULL, 'o'},
    {"as", required_argument, NULL, OPTION_AS},
    {"explain", optional_argument, NULL, OPTION_EXPLAIN},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"zero-counter-threshold", required_argument, NULL, OPTION_ZERO_COUNTERS},
    {"suppl-min-size-threshold", required_argument, NULL, OPTION_SIZE},
    {"llvm", required_argument, NULL, OPTION_LLVM},
    {"text", optional_argument, NULL, OPTION_TEXT},
    {"help", no_argument, NULL, 'h'},
    {0}};

struct options {
  struct contprof_merge_options merge; // of the counts: inputs, output, version, text
  struct contprof_combine_options combine;
  struct contprof_sampled sampled;
  bool as_sample;
  bool explain;
};

static bool *flag_of(int option, void *all) {
  struct options *options = all;
  return option == OPTION_EXPLAIN ? &options->explain
         : option == OPTION_TEXT  ? &options->merge.text
                                  : NULL;
}

static bool take_as(const char *argument, bool *as_sample, struct contprof_error *error) {
  *as_sample = strcmp(argument, "sample") == 0;
  return *as_sample || strcmp(argument, "instr") == 0 ||
         contprof_bad_argument(error, "as", argument, "instr or sample");
}

static bool take_tolerance(const char *argument, double *tolerance, struct contprof_error *error) {
  char *end;
  *tolerance = strtod(argument, &end);
  return (end != argument && !*end && *tolerance >= 1 && *tolerance <= 1e6) ||
         contprof_bad_argument(error, "tolerance", argument, "a factor from 1 to a million");
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct options *options = all;
  switch (option) {
  case 'o':
    options->merge.output = argument;
    return true;
  case OPTION_INSTR:
    contprof_inputs_add(&options->merge.inputs, argument, 1);
    return true;
  case OPTION_SAMPLE:
    contprof_inputs_add(&options->sampled.inputs, argument, 1);
    return true;
  case OPTION_BINARY:
    contprof_sampled_add_binary(&options->sampled, argument);
    return true;
  case OPTION_DEBUG_BINARY:
    options->sampled.debug_binary = argument;
    return true;
  case OPTION_AS:
    return take_as(argument, &options->as_sample, error);
  case OPTION_TOLERANCE:
    return take_tolerance(argument, &options->combine.tolerance, error);
  case OPTION_ZERO_COUNTERS:
    return contprof_share_argument("zero-counter-threshold", argument,
                                   &options->combine.zero_threshold, error);
  case OPTION_SIZE:
    return contprof_number_argument("suppl-min-size-threshold", argument,
                                    &options->combine.min_size, error);
  default:
    return contprof_llvm_argument(argument, &options->merge.llvm, error);
  }
}

static const struct contprof_option_set SET = {.verb = "combine",
                                               .short_options = ":o:h",
                                               .long_options = LONG_OPTIONS,
                                               .help = HELP,
                                               .flag_of = flag_of,
                                               .take = take};

static bool write_samples(const struct options *options,
                          const struct contprof_sample_profile *sample) {
  const struct contprof_sample_write_options write = {
      .format = options->merge.text ? CONTPROF_SAMPLE_TEXT : CONTPROF_SAMPLE_EXTBINARY};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_write(sample, options->merge.output, &write, &error);
  if (!ok)
    contprof_say_failure(&error);
  return ok;
}

// Profiles with marks are written for LLVM 16 or later; of the versions before, each counter is a
// mark.
static void widen_marks(const struct contprof_merge_options *options,
                        struct contprof_profile *profile) {
  if (!options->llvm || options->llvm >= 16)
    return;
  for (size_t i = 0; i < profile->function_count; i++) {
    struct contprof_function *function = profile->functions[i];
    if (contprof_profile_is_pseudo(function))
      for (uint32_t j = 0; j < function->counter_count; j++)
        function->counters[j] = CONTPROF_COUNT_HOT;
  }
}

static bool combine(const struct options *options, struct contprof_profile *profile,
                    struct contprof_sample_profile *sample) {
  struct contprof_combination all;
  bool ok;
  contprof_combine(&all, profile, sample, &options->combine);
  if (options->explain)
    contprof_print_combination(strcmp(options->merge.output, "-") == 0 ? stderr : stdout, &all);
  if (options->as_sample) {
    size_t added = contprof_combine_into_samples(&all, profile, sample);
    if (options->explain)
      fprintf(strcmp(options->merge.output, "-") == 0 ? stderr : stdout,
              "added to the samples: %zu functions\n", added);
    ok = write_samples(options, sample);
  } else {
    contprof_combine_apply(&all, profile);
    widen_marks(&options->merge, profile);
    ok = contprof_merger_write_profile(&options->merge, profile, options->merge.output);
  }
  contprof_combination_free(&all);
  return ok;
}

static bool add_counts(const struct options *options, struct contprof_sample_profile *sample) {
  struct contprof_merger merger;
  size_t count = options->merge.inputs.count;
  bool ok = contprof_merger_begin(&merger, &options->merge) == CONTPROF_EXIT_OK &&
            contprof_merger_judge(&options->merge, contprof_merger_add(&merger, 0, count)) &&
            combine(options, contprof_merger_result(&merger), sample);
  contprof_merger_free(&merger);
  return ok;
}

// Samples first: they are one file or few, and what is wrong with the command line shows there.
static int run(const struct options *options) {
  struct contprof_sample_profile sample = {0};
  int status = contprof_sampled_read(&options->sampled, "combine", &sample);
  if (status == CONTPROF_EXIT_OK && !add_counts(options, &sample))
    status = CONTPROF_EXIT_FAILED;
  contprof_sample_profile_free(&sample);
  return status;
}

static int check(const struct options *options, bool operands) {
  if (operands)
    return contprof_say_usage("combine", "inputs are named by --instr and --sample");
  if (!options->merge.inputs.count)
    return contprof_say_usage("combine", "no counts; give --instr=INPUT");
  if (!options->sampled.inputs.count)
    return contprof_say_usage("combine", "no samples; give --sample=INPUT (of directories, what is "
                                         "named *.afdo, *.prof, *.profdata, *.proftext, *.data or "
                                         "perf.data.* is read)");
  if (options->as_sample && options->merge.llvm)
    return contprof_say_usage("combine", "--llvm and --as=sample exclude each other");
  return contprof_report_spares_terminal(options->merge.output, options->merge.text)
             ? CONTPROF_EXIT_OK
             : CONTPROF_EXIT_FAILED;
}

int contprof_cmd_combine(int argc, char **argv) {
  struct options options = {
      .merge = {.output = "-", .traces = {CONTPROF_TRACE_RESERVOIR, CONTPROF_TRACE_LENGTH}},
      .combine = {.min_size = CONTPROF_SUPPLEMENT_MIN_SIZE,
                  .zero_threshold = CONTPROF_SUPPLEMENT_ZERO_THRESHOLD,
                  .trusted = CONTPROF_COMBINE_TRUSTED}};
  int status;
  if (contprof_take_options(&SET, argc, argv, &options, &status)) {
    contprof_inputs_keep_kind(&options.merge.inputs, CONTPROF_INPUTS_COUNTS);
    contprof_inputs_keep_kind(&options.sampled.inputs, CONTPROF_INPUTS_SAMPLED);
    contprof_inputs_leave_out(&options.merge.inputs, options.merge.output, false);
    contprof_inputs_leave_out(&options.sampled.inputs, options.merge.output, false);
    // Sample profiles that come out again keep their counts, and may be replaced by what they
    // become.
    options.sampled.once = !options.as_sample;
    status = check(&options, optind < argc);
    if (status == CONTPROF_EXIT_OK)
      status = contprof_sampled_kept(&options.sampled, options.merge.output, options.as_sample)
                   ? run(&options)
                   : CONTPROF_EXIT_FAILED;
  }
  contprof_inputs_free(&options.merge.inputs);
  contprof_sampled_free(&options.sampled);
  return status;
}
