// contprof overlap: how alike two profiles are, in the words of llvm-profdata overlap.
#include "../instr/overlap.h"
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "overlap_mixed.h"
#include "overlap_samples.h"
#include "text_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: contprof overlap [OPTION]... BASE TEST\n"
    "\n"
    "Prints how alike two profiles are, in the words of llvm-profdata overlap: each count\n"
    "as a share of its profile's total, the smaller of the two taken, and those summed.\n"
    "100% means that the compiler learns the same from both. The profiles are raw ones,\n"
    "live files of running processes among them, indexed ones, or text; with --sample\n"
    "sample profiles; - is standard input.\n"
    "\n"
    "If one is a sample profile and the other is not, how alike the heat of functions is\n"
    "on both sides, and which functions are hot on one alone; without the options below.\n"
    "\n"
    "      --function=TEXT         tell of the functions with TEXT in their name as well\n"
    "      --value-cutoff=N        and of those whose largest count in TEST is N or more\n"
    "      --cs                    of IR profiles, take the context-sensitive functions'\n"
    "                              counts for the totals instead of the plain ones'\n"
    "      --sample                the profiles are sample profiles\n"
    "      --similarity-cutoff=N   of sample profiles, tell of functions that are less alike\n"
    "                              than N millionths\n"
    "      --profile-isfs, --fs-discriminator-pass=PASS\n"
    "                              of sample profiles, as in contprof merge\n"
    "      --instr                 accepted; it is the default\n"
    "  -o, --output=OUT            write to OUT instead of standard output\n"
    "  -h, --help                  this text\n"
    "\n"
    "Long options may be written with one dash. Exit status: 0 compared, 1 a file is bad,\n"
    "2 wrong command line.\n";

struct options {
  const char *output;   // "-" is standard output
  const char *function; // tell of functions with this in their name; "" for none
  uint64_t cutoff;      // and of those with a count of this or more
  uint64_t similarity;  // and of those of sample profiles less alike than so many millionths
  struct contprof_sample_load load;
  bool context_sensitive; // totals of context-sensitive functions
  bool sample;            // they are sample profiles
  bool ignored;           // what has no meaning here
};

enum {
  OPTION_CS = 256,
  OPTION_CUTOFF,
  OPTION_FUNCTION,
  OPTION_SIMILARITY,
  OPTION_SAMPLE,
  OPTION_IS_FS,
  OPTION_FS_PASS,
  OPTION_INSTR
};

static const struct option LONG_OPTIONS[] = {
    {"cs", optional_argument, NULL, OPTION_CS},
    {"value-cutoff", required_argument, NULL, OPTION_CUTOFF},
    {"function", required_argument, NULL, OPTION_FUNCTION},
    {"similarity-cutoff", required_argument, NULL, OPTION_SIMILARITY},
    {"sample", optional_argument, NULL, OPTION_SAMPLE},
    {"profile-isfs", optional_argument, NULL, OPTION_IS_FS},
    {"fs-discriminator-pass", required_argument, NULL, OPTION_FS_PASS},
    {"instr", optional_argument, NULL, OPTION_INSTR},
    {"output", required_argument, NULL, 'o'},
    {"o", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0}};

static bool *flag_of(int option, void *all) {
  struct options *options = all;
  return option == OPTION_CS       ? &options->context_sensitive
         : option == OPTION_SAMPLE ? &options->sample
         : option == OPTION_IS_FS  ? &options->load.flow_sensitive
         : option == OPTION_INSTR  ? &options->ignored
                                   : NULL;
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct options *options = all;
  switch (option) {
  case 'o':
    options->output = argument;
    return true;
  case OPTION_FUNCTION:
    options->function = argument;
    return true;
  case OPTION_FS_PASS:
    return contprof_sample_load_pass(argument, &options->load, error);
  case OPTION_CUTOFF:
    return contprof_number_argument("value-cutoff", argument, &options->cutoff, error);
  default:
    return contprof_number_argument("similarity-cutoff", argument, &options->similarity, error);
  }
}

static const struct contprof_option_set SET = {.verb = "overlap",
                                               .short_options = ":o:h",
                                               .long_options = LONG_OPTIONS,
                                               .help = HELP,
                                               .flag_of = flag_of,
                                               .take = take};

// --- text ---------------------------------------------------------------------------------------

// The lines of counters, or of the values of one kind.
static void print_part(FILE *to, const struct contprof_overlap *overlap, int part,
                       const char *name) {
  fprintf(to, "  %s profile overlap: %.3f%%\n", name, overlap->overlap.of[part] * 100);
  if (overlap->mismatch.entries)
    fprintf(to, "  Mismatched count percentage (%s): %.3f%%\n", name,
            overlap->mismatch.of[part] * 100);
  if (overlap->unique.entries)
    fprintf(to, "  Percentage of %s profile only in test_profile: %.3f%%\n", name,
            overlap->unique.of[part] * 100);
  fprintf(to, "  %s profile base count sum: %.0f\n", name, overlap->base.of[part]);
  fprintf(to, "  %s profile test count sum: %.0f\n", name, overlap->test.of[part]);
}

static void print_overlap(FILE *to, const struct contprof_overlap *overlap, const char *entries) {
  static const char *const NAMES[CONTPROF_VALUE_KINDS] = {[CONTPROF_CALL_TARGETS] = "IndirectCall",
                                                          [CONTPROF_MEMOP_SIZES] = "MemOP",
                                                          [CONTPROF_VTABLES] = "VTable"};
  fprintf(to, "  # of %s overlap: %" PRIu64 "\n", entries, overlap->overlap.entries);
  if (overlap->mismatch.entries)
    fprintf(to, "  # of %s mismatch: %" PRIu64 "\n", entries, overlap->mismatch.entries);
  if (overlap->unique.entries)
    fprintf(to, "  # of %s only in test_profile: %" PRIu64 "\n", entries, overlap->unique.entries);
  print_part(to, overlap, CONTPROF_OVERLAP_COUNTERS, "Edge");
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (overlap->base.of[kind] >= 1 || overlap->test.of[kind] >= 1)
      print_part(to, overlap, kind, NAMES[kind]);
}

static void print_function(FILE *to, const struct contprof_function *function,
                           const struct contprof_overlap *overlap) {
  fputs("Function level:\n  Function: ", to);
  fwrite(function->name, 1, function->name_length, to);
  fprintf(to, " (Hash=%" PRIu64 ")\n", function->hash);
  print_overlap(to, overlap, "edge counters");
}

static bool is_named(const struct contprof_function *function, const char *text) {
  return *text && memmem(function->name, function->name_length, text, strlen(text));
}

static void print_pair(FILE *to, struct contprof_overlap_pair *pair,
                       const struct contprof_profile *test, char **paths,
                       const struct options *options) {
  for (size_t i = 0; i < test->function_count; i++) {
    const struct contprof_function *function = test->functions[i];
    uint64_t cutoff = is_named(function, options->function) ? 0 : options->cutoff;
    struct contprof_overlap overlap;
    if (contprof_overlap_add(pair, function, cutoff, &overlap))
      print_function(to, function, &overlap);
  }
  fprintf(to,
          "Profile overlap infomation for base_profile: %s and test_profile: %s\n"
          "Program level:\n",
          paths[0], paths[1]);
  print_overlap(to, &pair->program, "functions");
}

// Without counts in both there is nothing to have a share of.
static void print(FILE *to, const struct contprof_profile profiles[2], char **paths,
                  const struct options *options) {
  struct contprof_overlap_pair pair;
  contprof_overlap_begin(&pair, &profiles[0], &profiles[1], options->context_sensitive);
  if (pair.program.base.of[CONTPROF_OVERLAP_COUNTERS] < 1)
    fprintf(to, "Sum of edge counts for profile %s is 0.\n", paths[0]);
  else if (pair.program.test.of[CONTPROF_OVERLAP_COUNTERS] < 1)
    fprintf(to, "Sum of edge counts for profile %s is 0.\n", paths[1]);
  else
    print_pair(to, &pair, &profiles[1], paths, options);
  contprof_overlap_free(&pair);
}

// A function has another hash for each kind, so that the two have hardly one in common.
static void warn_of_kinds(const struct contprof_profile profiles[2], char **paths) {
  bool ir[2] = {profiles[0].variant & CONTPROF_VARIANT_IR,
                profiles[1].variant & CONTPROF_VARIANT_IR};
  if (ir[0] != ir[1] && profiles[0].function_count && profiles[1].function_count)
    contprof_say_warning("%s is from IR instrumentation, %s from front-end instrumentation: their "
                         "functions can't be compared",
                         paths[ir[0] ? 0 : 1], paths[ir[0] ? 1 : 0]);
}

static int overlap(char **paths, const struct options *options) {
  struct contprof_profile profiles[2] = {0};
  struct contprof_text_report report;
  bool ok = contprof_report_load(paths[0], &profiles[0]);
  ok = contprof_report_load(paths[1], &profiles[1]) && ok;
  contprof_report_begin(&report);
  if (ok && report.to) {
    warn_of_kinds(profiles, paths);
    print(report.to, profiles, paths, options);
  }
  ok = contprof_report_write(&report, options->output, ok) && ok;
  contprof_profile_free(&profiles[0]);
  contprof_profile_free(&profiles[1]);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}

static int overlap_samples(char **paths, const struct options *options) {
  const struct contprof_overlap_samples_options how = {.function = options->function,
                                                       .value_cutoff = options->cutoff,
                                                       .similarity_cutoff = options->similarity};
  struct contprof_sample_profile profiles[2] = {0};
  struct contprof_text_report report;
  bool ok = contprof_report_load_samples(paths[0], &options->load, &profiles[0]);
  ok = contprof_report_load_samples(paths[1], &options->load, &profiles[1]) && ok;
  contprof_report_begin(&report);
  ok = ok && report.to && contprof_overlap_samples(report.to, profiles, paths, &how);
  ok = contprof_report_write(&report, options->output, ok) && ok;
  contprof_sample_profile_free(&profiles[0]);
  contprof_sample_profile_free(&profiles[1]);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}

int contprof_cmd_overlap(int argc, char **argv) {
  struct options options = {.output = "-", .function = "", .cutoff = UINT64_MAX};
  int status;
  if (!contprof_take_options(&SET, argc, argv, &options, &status))
    return status;
  if (argc - optind != 2)
    return contprof_say_usage("overlap", "two profiles are needed, the base and the test");
  char **paths = argv + optind;
  if (!contprof_report_keeps_inputs(2, paths, options.output))
    return CONTPROF_EXIT_FAILED;
  bool sampled[2] = {contprof_is_sample_profile(paths[0], options.sample),
                     contprof_is_sample_profile(paths[1], options.sample)};
  if (sampled[0] != sampled[1])
    return contprof_overlap_mixed(paths, sampled[1], options.output);
  return options.sample ? overlap_samples(paths, &options) : overlap(paths, &options);
}
