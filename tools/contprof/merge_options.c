#include "merge_options.h"

#include "../base/line_reader.h"
#include "../instr/indexed_format.h"
#include "../instr/indexed_writer.h"
#include "merge_sample_options.h"
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "text_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "Usage: contprof merge [OPTION]... [-o OUT] INPUT...\n"
    "\n"
    "Merges profiles into one indexed profile, for clang -fprofile-use, llvm-cov and\n"
    "llvm-profdata. Inputs are raw profiles, live files of running processes among\n"
    "them, indexed profiles, and profiles as text. A directory stands for all\n"
    "*.profraw, *.profdata and *.proftext files in it and below, an earlier OUT among\n"
    "them if it is there; - is standard input.\n"
    "\n"
    "  -o, --output=OUT           the merged profile; - is standard output (default).\n"
    "                             A file appears whole or not at all\n"
    "  --weighted-input=W,INPUT   an input that counts W times\n"
    "  -f, --input-files=FILE     inputs listed in FILE, INPUT or W,INPUT a line\n"
    "  --failure-mode=MODE        any: one bad input is an error (default); all: bad\n"
    "                             inputs are skipped with a warning each; warn: even\n"
    "                             if there is no good one\n"
    "  --min-valid=PCT            fail if fewer percent of the inputs are good\n"
    "  --report=FILE              what became of each input, as JSON\n"
    "  --by-build                 one output for each build: its build-id is inserted\n"
    "                             before OUT's extension\n"
    "  --function=REGEX           keep functions whose names match, and no others\n"
    "  --no-function=REGEX        leave out functions whose names match\n"
    "  --llvm=N                   write what LLVM N, 14 to 19, writes (default: the\n"
    "                             oldest version, from LLVM 14's on, that carries all;\n"
    "                             build-ids of raw version 8, LLVM 14's to 17's, only\n"
    "                             beside what needs version 9 or later anyway)\n"
    "  --indexed-version=N        write indexed version N, 5 to 12\n"
    "  --text                     write text, as llvm-profdata merge --text does\n"
    "  -r, --remapping-file=FILE  functions get new names, OLD NEW a line of FILE\n"
    "  --sparse                   leave out functions that never ran\n"
    "  --keep-vtable-symbols      keep the names of vtables, not their hashes alone\n"
    "  --temporal-profile-trace-reservoir-size=N\n"
    "                             keep N temporal traces, of more a random sample (100)\n"
    "  --temporal-profile-max-trace-length=N\n"
    "                             keep the first N functions of each trace (10000)\n"
    "  --supplement-instr-with-sample=FILE\n"
    "                             scale up, or mark as hot, functions that are cold here and\n"
    "                             hot in the sample profile FILE, as llvm-profdata does; of\n"
    "                             LLVM N with --llvm=N, else of the newest. FILE may be\n"
    "                             perf's recording, with --binary=FILE, the program that was\n"
    "                             recorded, and --debug-binary=FILE, if it was stripped; or a\n"
    "                             directory of such. It and --binary may be given several\n"
    "                             times\n"
    "  --suppl-min-size-threshold=N\n"
    "                             but only those with N counters or more (10)\n"
    "  --zero-counter-threshold=X mark those of which a larger share is zero (0.7)\n"
    "  --instr-prof-cold-threshold=N\n"
    "                             cold is what counts N at most (default: by the profile)\n"
    "  --dump-input-file-list     print W,INPUT for each input, and merge nothing\n"
    "  -j, --num-threads=N        read and sum in N threads; what is written is the same\n"
    "                             (default: one a processor, at most 8)\n"
    "  --instr, --binary          accepted: they are the default (--binary without a name)\n"
    "\n"
    "Of sample profiles (text, binary, extended binary; in directories *.afdo and *.prof,\n"
    "too), for clang -fprofile-sample-use:\n"
    "  --sample                   the inputs are sample profiles, and so is OUT\n"
    "  --extbinary, --binary      the format (default: extbinary; --llvm=14 to 16: binary)\n"
    "  --use-md5                  hashes in place of names\n"
    "  --compress-all-sections, --split-layout\n"
    "                             of the extended binary format\n"
    "  --gen-partial-profile      OUT is of code that several programs share\n"
    "  --prof-sym-list=FILE       add the functions that FILE names, one a line, to OUT's\n"
    "                             list of what the program has\n"
    "  --drop-profile-symbol-list\n"
    "                             leave the inputs' lists of functions out\n"
    "  --convert-sample-profile-layout=LAYOUT\n"
    "                             flat: what was inlined apart; nest: contexts as inlined\n"
    "                             functions (also --gen-cs-nested-profile)\n"
    "  --generate-merged-base-profiles\n"
    "                             when nesting, keep the functions apart as well\n"
    "  --sample-merge-cold-context, --sample-trim-cold-context\n"
    "                             merge contexts that are too cold; leave them out\n"
    "  --sample-frame-depth-for-cold-context=N\n"
    "                             the last N frames of a merged context stay (1)\n"
    "  --profile-summary-cutoff-cold=N, --profile-summary-cold-count=N\n"
    "                             cold is what the hottest N millionths (999999) of the\n"
    "                             samples don't have; what has fewer samples than N\n"
    "  --profile-isfs             discriminators of text and binary are flow-sensitive\n"
    "  --fs-discriminator-pass=PASS\n"
    "                             of those, only the bits up to that pass: Base, Pass1,\n"
    "                             Pass2, Pass3 or PassLast (default)\n"
    "  --output-size-limit=N      leave out the coldest functions until OUT has N bytes\n"
    "\n"
    "  -h, --help                 this text\n"
    "\n"
    "Long options may be written with one dash, and --FLAG=false takes --FLAG back.\n"
    "Exit status: 0 merged, 1 not (and OUT is as it was), 2 wrong command line.\n";

enum {
  OPTION_WEIGHTED = 256,
  OPTION_FAILURE_MODE,
  OPTION_LLVM,
  OPTION_INDEXED,
  OPTION_TEXT,
  OPTION_SPARSE,
  OPTION_REPORT,
  OPTION_MIN_VALID,
  OPTION_FUNCTION,
  OPTION_NO_FUNCTION,
  OPTION_BY_BUILD,
  OPTION_KEEP_VTABLES,
  OPTION_TRACES,
  OPTION_TRACE_LENGTH,
  OPTION_DUMP_INPUTS,
  OPTION_SUPPLEMENT,
  OPTION_SUPPLEMENT_SIZE,
  OPTION_ZERO_COUNTERS,
  OPTION_DEBUG_BINARY,
  OPTION_COLD,
  OPTION_IGNORED,
  OPTION_SAMPLE,
  OPTION_BINARY,
  OPTION_EXTBINARY
};

static const struct option LONG_OPTIONS[] = {
    {"output", required_argument, NULL, 'o'},
    {"o", required_argument, NULL, 'o'},
    {"input-files", required_argument, NULL, 'f'},
    {"weighted-input", required_argument, NULL, OPTION_WEIGHTED},
    {"failure-mode", required_argument, NULL, OPTION_FAILURE_MODE},
    {"llvm", required_argument, NULL, OPTION_LLVM},
    {"indexed-version", required_argument, NULL, OPTION_INDEXED},
    {"text", optional_argument, NULL, OPTION_TEXT},
    {"sparse", optional_argument, NULL, OPTION_SPARSE},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"min-valid", required_argument, NULL, OPTION_MIN_VALID},
    {"function", required_argument, NULL, OPTION_FUNCTION},
    {"no-function", required_argument, NULL, OPTION_NO_FUNCTION},
    {"by-build", optional_argument, NULL, OPTION_BY_BUILD},
    {"keep-vtable-symbols", optional_argument, NULL, OPTION_KEEP_VTABLES},
    {"temporal-profile-trace-reservoir-size", required_argument, NULL, OPTION_TRACES},
    {"temporal-profile-max-trace-length", required_argument, NULL, OPTION_TRACE_LENGTH},
    {"dump-input-file-list", optional_argument, NULL, OPTION_DUMP_INPUTS},
    {"supplement-instr-with-sample", required_argument, NULL, OPTION_SUPPLEMENT},
    {"suppl-min-size-threshold", required_argument, NULL, OPTION_SUPPLEMENT_SIZE},
    {"zero-counter-threshold", required_argument, NULL, OPTION_ZERO_COUNTERS},
    {"instr-prof-cold-threshold", required_argument, NULL, OPTION_COLD},
    {"instr", optional_argument, NULL, OPTION_IGNORED},
    {"sample", optional_argument, NULL, OPTION_SAMPLE},
    {"binary", optional_argument, NULL, OPTION_BINARY},
    {"extbinary", optional_argument, NULL, OPTION_EXTBINARY},
    {"use-md5", optional_argument, NULL, CONTPROF_OPTION_MD5},
    {"compress-all-sections", optional_argument, NULL, CONTPROF_OPTION_COMPRESS},
    {"split-layout", optional_argument, NULL, CONTPROF_OPTION_SPLIT},
    {"gen-partial-profile", optional_argument, NULL, CONTPROF_OPTION_PARTIAL},
    {"prof-sym-list", required_argument, NULL, CONTPROF_OPTION_SYMBOLS},
    {"drop-profile-symbol-list", optional_argument, NULL, CONTPROF_OPTION_DROP_SYMBOLS},
    {"convert-sample-profile-layout", required_argument, NULL, CONTPROF_OPTION_LAYOUT},
    {"gen-cs-nested-profile", optional_argument, NULL, CONTPROF_OPTION_NEST},
    {"generate-merged-base-profiles", optional_argument, NULL, CONTPROF_OPTION_KEEP_BASE},
    {"sample-merge-cold-context", optional_argument, NULL, CONTPROF_OPTION_MERGE_COLD},
    {"sample-trim-cold-context", optional_argument, NULL, CONTPROF_OPTION_TRIM_COLD},
    {"sample-frame-depth-for-cold-context", required_argument, NULL, CONTPROF_OPTION_COLD_FRAMES},
    {"profile-summary-cutoff-cold", required_argument, NULL, CONTPROF_OPTION_COLD_CUTOFF},
    {"profile-summary-cold-count", required_argument, NULL, CONTPROF_OPTION_COLD_COUNT},
    {"profile-isfs", optional_argument, NULL, CONTPROF_OPTION_IS_FS},
    {"fs-discriminator-pass", required_argument, NULL, CONTPROF_OPTION_FS_PASS},
    {"output-size-limit", required_argument, NULL, CONTPROF_OPTION_SIZE_LIMIT},
    {"debug-binary", required_argument, NULL, OPTION_DEBUG_BINARY},
    {"f", required_argument, NULL, 'f'},
    {"j", required_argument, NULL, 'j'},
    {"remapping-file", required_argument, NULL, 'r'},
    {"r", required_argument, NULL, 'r'},
    {"num-threads", required_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {0}};

bool contprof_llvm_argument(const char *text, uint64_t *llvm, struct contprof_error *error) {
  if (!contprof_number_argument("llvm", text, llvm, error))
    return false;
  if (*llvm <= 999 && contprof_indexed_version_of_llvm((unsigned)*llvm))
    return true;
  return contprof_bad_argument(error, "llvm", text, "an LLVM version from 14 to 19");
}

static bool parse_indexed_version(const char *text, struct contprof_merge_options *options,
                                  struct contprof_error *error) {
  char wanted[64];
  if (!contprof_number_argument("indexed-version", text, &options->indexed_version, error))
    return false;
  if (options->indexed_version >= CONTPROF_INDEXED_OLDEST_WRITTEN &&
      options->indexed_version <= CONTPROF_INDEXED_NEWEST)
    return true;
  snprintf(wanted, sizeof wanted, "a version from %d to %d", CONTPROF_INDEXED_OLDEST_WRITTEN,
           CONTPROF_INDEXED_NEWEST);
  return contprof_bad_argument(error, "indexed-version", text, wanted);
}

static bool parse_failure_mode(const char *text, struct contprof_merge_options *options,
                               struct contprof_error *error) {
  static const char *const NAMES[] = {
      [CONTPROF_FAIL_ANY] = "any", [CONTPROF_FAIL_ALL] = "all", [CONTPROF_FAIL_NEVER] = "warn"};
  for (int mode = CONTPROF_FAIL_ANY; mode <= CONTPROF_FAIL_NEVER; mode++)
    if (strcmp(text, NAMES[mode]) == 0) {
      options->failure_mode = (enum contprof_failure_mode)mode;
      return true;
    }
  return contprof_bad_argument(error, "failure-mode", text, "any, all or warn");
}

static bool parse_min_valid(const char *text, struct contprof_merge_options *options,
                            struct contprof_error *error) {
  size_t length = strlen(text);
  length -= length && text[length - 1] == '%';
  if (contprof_parse_number(text, length, 10, &options->min_valid) && options->min_valid <= 100)
    return true;
  return contprof_bad_argument(error, "min-valid", text, "a percentage from 0 to 100");
}

static bool *flag_of(int option, void *all) {
  struct contprof_merge_options *options = all;
  switch (option) {
  case OPTION_BY_BUILD:
    return &options->by_build;
  case OPTION_KEEP_VTABLES:
    return &options->keep_vtables;
  case OPTION_TEXT:
    return &options->text;
  case OPTION_SPARSE:
    return &options->sparse;
  case OPTION_DUMP_INPUTS:
    return &options->dump_inputs;
  case OPTION_IGNORED:
    return &options->ignored;
  case OPTION_SAMPLE:
    return &options->sample;
  case OPTION_EXTBINARY:
    return &options->samples.extbinary;
  default:
    return contprof_merge_sample_flag(option, &options->samples);
  }
}

static bool take_supplement(int option, const char *argument,
                            struct contprof_supplement_request *request,
                            struct contprof_error *error) {
  switch (option) {
  case OPTION_SUPPLEMENT:
    request->wanted = true;
    contprof_inputs_add(&request->sampled.inputs, argument, 1);
    return true;
  case OPTION_DEBUG_BINARY:
    request->sampled.debug_binary = argument;
    return true;
  case OPTION_SUPPLEMENT_SIZE:
    return contprof_number_argument("suppl-min-size-threshold", argument,
                                    &request->options.min_size, error);
  case OPTION_COLD:
    return contprof_number_argument("instr-prof-cold-threshold", argument,
                                    &request->options.cold_threshold, error);
  default:
    return contprof_share_argument("zero-counter-threshold", argument,
                                   &request->options.zero_counter_threshold, error);
  }
}

// A format, as llvm-profdata has it, or the program that a recording is of.
static bool take_binary(const char *argument, struct contprof_merge_options *options) {
  bool off = argument && strcmp(argument, "false") == 0;
  if (!argument || off || strcmp(argument, "true") == 0)
    options->samples.binary = !off;
  else
    contprof_sampled_add_binary(&options->supplement.sampled, argument);
  return true;
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct contprof_merge_options *options = all;
  if (option >= OPTION_SUPPLEMENT && option <= OPTION_COLD)
    return take_supplement(option, argument, &options->supplement, error);
  if (option == OPTION_BINARY)
    return take_binary(argument, options);
  switch (option) {
  case 'o':
    options->output = argument;
    return true;
  case 'f':
    return contprof_inputs_add_listed(&options->listed, argument, error);
  case 'r':
    options->remapping = argument;
    return true;
  case 'j':
    return contprof_number_argument("num-threads", argument, &options->threads, error);
  case OPTION_WEIGHTED:
    return contprof_inputs_add_weighted(&options->weighted, argument, error);
  case OPTION_FAILURE_MODE:
    return parse_failure_mode(argument, options, error);
  case OPTION_LLVM:
    return contprof_llvm_argument(argument, &options->llvm, error);
  case OPTION_INDEXED:
    return parse_indexed_version(argument, options, error);
  case OPTION_REPORT:
    options->report = argument;
    return true;
  case OPTION_MIN_VALID:
    return parse_min_valid(argument, options, error);
  case OPTION_FUNCTION:
    options->function = argument;
    return true;
  case OPTION_NO_FUNCTION:
    options->no_function = argument;
    return true;
  case OPTION_TRACES:
    return contprof_number_argument("temporal-profile-trace-reservoir-size", argument,
                                    &options->traces.reservoir, error);
  case OPTION_TRACE_LENGTH:
    return contprof_number_argument("temporal-profile-max-trace-length", argument,
                                    &options->traces.length, error);
  default:
    return contprof_merge_sample_take(option, argument, &options->samples, error);
  }
}

static const struct contprof_option_set SET = {.verb = "merge",
                                               .short_options = ":o:f:j:r:h",
                                               .long_options = LONG_OPTIONS,
                                               .help = HELP,
                                               .flag_of = flag_of,
                                               .take = take};

// The report would take the place of a profile.
static const char *overwritten_by_report(const struct contprof_merge_options *options) {
  const struct contprof_inputs *inputs = &options->inputs;
  if (!options->report)
    return NULL;
  if (strcmp(options->report, "-") == 0)
    return strcmp(options->output, "-") == 0 ? "the merged profile" : NULL;
  if (contprof_is_same_place(options->report, options->output))
    return "the merged profile";
  for (size_t i = 0; i < inputs->count; i++)
    if (strcmp(inputs->inputs[i].path, "-") != 0 &&
        contprof_is_same_place(options->report, inputs->inputs[i].path))
      return inputs->inputs[i].path;
  return NULL;
}

static const char *name_of(int option) {
  const struct option *one = LONG_OPTIONS;
  while (one->val != option)
    one++;
  return one->name;
}

// What has a meaning for the other kind of profiles alone.
static int check_kind(const struct contprof_merge_options *options) {
  if (!options->sample && options->samples.given)
    return contprof_say_usage("merge", "--%s is for sample profiles; give --sample, too",
                              name_of(options->samples.given));
  if (options->sample && (options->by_build || options->indexed_version))
    return contprof_say_usage("merge", "sample profiles have no %s; give no --sample",
                              options->by_build ? "build-ids for --by-build" : "indexed versions");
  return CONTPROF_EXIT_OK;
}

static int check_inputs(const struct contprof_merge_options *options, bool named) {
  if (options->inputs.count)
    return check_kind(options);
  return contprof_say_usage("merge", "no input files%s",
                            !named            ? ""
                            : options->sample ? ": no *.profdata, *.proftext, *.afdo or *.prof in "
                                                "what was named"
                                              : ": no *.profraw, *.profdata or *.proftext in what "
                                                "was named");
}

// Returns the exit status, not CONTPROF_EXIT_OK if the options contradict each other.
static int check(const struct contprof_merge_options *options, bool named) {
  int status = check_inputs(options, named);
  if (status != CONTPROF_EXIT_OK)
    return status;
  if (!*options->output || (options->report && !*options->report))
    return contprof_say_usage("merge", "%s needs a file's name, not an empty one",
                              *options->output ? "--report" : "-o");
  const char *overwritten = overwritten_by_report(options);
  if (overwritten)
    return contprof_say_usage("merge", "--report=%s would overwrite %s", options->report,
                              overwritten);
  if (options->by_build && strcmp(options->output, "-") == 0)
    return contprof_say_usage("merge", "--by-build writes several files; give -o OUT");
  if (options->llvm && options->indexed_version)
    return contprof_say_usage("merge", "--llvm and --indexed-version exclude each other");
  if (options->text && !options->supplement.wanted && (options->llvm || options->indexed_version))
    return contprof_say_usage("merge", "--text and %s exclude each other",
                              options->llvm ? "--llvm" : "--indexed-version");
  if (contprof_supplement_is_wrong(&options->supplement))
    return CONTPROF_EXIT_USAGE;
  return contprof_report_spares_terminal(options->output, options->text) ? CONTPROF_EXIT_OK
                                                                         : CONTPROF_EXIT_FAILED;
}

static void print_inputs(const struct contprof_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    printf("%" PRIu64 ",%s\n", inputs->inputs[i].weight, inputs->inputs[i].path);
}

bool contprof_merge_parse(int argc, char **argv, struct contprof_merge_options *options,
                          int *status) {
  *options = (struct contprof_merge_options){
      .output = "-",
      .traces = {CONTPROF_TRACE_RESERVOIR, CONTPROF_TRACE_LENGTH},
      .supplement.options = {.min_size = CONTPROF_SUPPLEMENT_MIN_SIZE,
                             .zero_counter_threshold = CONTPROF_SUPPLEMENT_ZERO_THRESHOLD},
      .samples = {.cold_frames = 1, .cold_cutoff = 999999}};
  if (!contprof_take_options(&SET, argc, argv, options, status))
    return false;
  for (int i = optind; i < argc; i++)
    contprof_inputs_add(&options->inputs, argv[i], 1);
  contprof_inputs_move(&options->inputs, &options->weighted);
  contprof_inputs_move(&options->inputs, &options->listed);
  contprof_inputs_keep_kind(&options->inputs,
                            options->sample ? CONTPROF_INPUTS_SAMPLES : CONTPROF_INPUTS_COUNTS);
  contprof_inputs_leave_out(&options->inputs, options->output, options->by_build);
  contprof_inputs_keep_kind(&options->supplement.sampled.inputs, CONTPROF_INPUTS_SAMPLED);
  contprof_inputs_leave_out(&options->supplement.sampled.inputs, options->output,
                            options->by_build);
  *status = check(options, optind < argc);
  if (*status == CONTPROF_EXIT_OK && options->dump_inputs)
    print_inputs(&options->inputs);
  return *status == CONTPROF_EXIT_OK && !options->dump_inputs;
}

void contprof_merge_options_free(struct contprof_merge_options *options) {
  contprof_inputs_free(&options->inputs);
  contprof_inputs_free(&options->weighted);
  contprof_inputs_free(&options->listed);
  contprof_sampled_free(&options->supplement.sampled);
}
