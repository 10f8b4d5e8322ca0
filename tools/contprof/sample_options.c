#include "sample_options.h"

#include "../base/line_reader.h"
#include "../base/memory.h"
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "sample_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  OPTION_BINARY = 256,
  OPTION_DATA,
  OPTION_SCRIPT,
  OPTION_UNSYMBOLIZED,
  OPTION_PROFILE,
  OPTION_PID,
  OPTION_EVENT,
  OPTION_EVENTS,
  OPTION_FORMAT,
  OPTION_DEBUG_BINARY,
  OPTION_DWP,
  OPTION_PERIOD,
  OPTION_CUTOFF_COLD,
  OPTION_COLD_COUNT,
  OPTION_DENSITY_CUTOFF,
  OPTION_DENSITY_THRESHOLD,
  OPTION_IGNORED_VALUE,
  OPTION_REFUSED,
  // Flags.
  OPTION_MD5,
  OPTION_COMPRESS,
  OPTION_SYMBOL_LIST,
  OPTION_FILL_ZERO,
  OPTION_UPDATE_TOTAL,
  OPTION_TRIM_COLD,
  OPTION_IP_ONLY,
  OPTION_SKIP_SYMBOLIZATION,
  OPTION_OFFSET,
  OPTION_LOAD_BASE,
  OPTION_SHOW_MAPS,
  OPTION_SHOW_DETAILS,
  OPTION_SHOW_DENSITY,
  OPTION_LIST,
  OPTION_BY_LINES,
  OPTION_UNWINDER,
  OPTION_IGNORED,
};

static const struct option LONG_OPTIONS[] = {
    {"binary", required_argument, NULL, OPTION_BINARY},
    {"perfdata", required_argument, NULL, OPTION_DATA},
    {"pd", required_argument, NULL, OPTION_DATA},
    {"perfscript", required_argument, NULL, OPTION_SCRIPT},
    {"ps", required_argument, NULL, OPTION_SCRIPT},
    {"unsymbolized-profile", required_argument, NULL, OPTION_UNSYMBOLIZED},
    {"up", required_argument, NULL, OPTION_UNSYMBOLIZED},
    {"llvm-sample-profile", required_argument, NULL, OPTION_PROFILE},
    {"output", required_argument, NULL, 'o'},
    {"o", required_argument, NULL, 'o'},
    {"pid", required_argument, NULL, OPTION_PID},
    {"event", required_argument, NULL, OPTION_EVENT},
    {"perf-event", required_argument, NULL, OPTION_EVENT},
    {"perf-events", required_argument, NULL, OPTION_EVENTS},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"debug-binary", required_argument, NULL, OPTION_DEBUG_BINARY},
    {"dwp", required_argument, NULL, OPTION_DWP},
    {"sample-period", required_argument, NULL, OPTION_PERIOD},
    {"profile-summary-cutoff-cold", required_argument, NULL, OPTION_CUTOFF_COLD},
    {"profile-summary-cold-count", required_argument, NULL, OPTION_COLD_COUNT},
    {"profile-density-cutoff-hot", required_argument, NULL, OPTION_DENSITY_CUTOFF},
    {"profile-density-threshold", required_argument, NULL, OPTION_DENSITY_THRESHOLD},
    {"use-md5", optional_argument, NULL, OPTION_MD5},
    {"compress-all-sections", optional_argument, NULL, OPTION_COMPRESS},
    {"populate-profile-symbol-list", optional_argument, NULL, OPTION_SYMBOL_LIST},
    {"fill-zero-for-all-funcs", optional_argument, NULL, OPTION_FILL_ZERO},
    {"update-total-samples", optional_argument, NULL, OPTION_UPDATE_TOTAL},
    {"trim-cold-profile", optional_argument, NULL, OPTION_TRIM_COLD},
    {"leading-ip-only", optional_argument, NULL, OPTION_IP_ONLY},
    {"skip-symbolization", optional_argument, NULL, OPTION_SKIP_SYMBOLIZATION},
    {"use-offset", optional_argument, NULL, OPTION_OFFSET},
    {"use-first-loadable-segment-as-base", optional_argument, NULL, OPTION_LOAD_BASE},
    {"show-mmap-events", optional_argument, NULL, OPTION_SHOW_MAPS},
    {"show-detailed-warning", optional_argument, NULL, OPTION_SHOW_DETAILS},
    {"show-density", optional_argument, NULL, OPTION_SHOW_DENSITY},
    {"list", optional_argument, NULL, OPTION_LIST},
    {"num-threads", required_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    // Without a meaning in a profile that knows no calling contexts, or when there is one way only.
    {"ignore-stack-samples", optional_argument, NULL, OPTION_IGNORED},
    {"use-dwarf-correlation", optional_argument, NULL, OPTION_BY_LINES},
    {"infer-missing-frames", optional_argument, NULL, OPTION_IGNORED},
    {"csspgo-preinliner", optional_argument, NULL, OPTION_IGNORED},
    {"gen-cs-nested-profile", optional_argument, NULL, OPTION_IGNORED},
    {"csprof-merge-cold-context", optional_argument, NULL, OPTION_IGNORED},
    {"profile-summary-contextless", optional_argument, NULL, OPTION_IGNORED},
    {"show-unwinder-output", optional_argument, NULL, OPTION_UNWINDER},
    {"csspgo-replay-preinline", optional_argument, NULL, OPTION_IGNORED},
    {"use-context-cost-for-preinliner", optional_argument, NULL, OPTION_IGNORED},
    {"csspgo-preinliner-multiplier-for-previous-inlining", required_argument, NULL,
     OPTION_IGNORED_VALUE},
    {"csprof-max-cold-context-depth", required_argument, NULL, OPTION_IGNORED_VALUE},
    {"csprof-max-context-depth", required_argument, NULL, OPTION_IGNORED_VALUE},
    {"compress-recursion", required_argument, NULL, OPTION_IGNORED_VALUE},
    // They choose the pre-inliner's contexts.
    {"profile-summary-cutoff-hot", required_argument, NULL, OPTION_IGNORED_VALUE},
    {"profile-summary-hot-count", required_argument, NULL, OPTION_IGNORED_VALUE},
    // Other tools' work.
    {"show-disassembly-only", optional_argument, NULL, OPTION_REFUSED},
    {"show-source-locations", optional_argument, NULL, OPTION_REFUSED},
    {"show-canonical-fname", optional_argument, NULL, OPTION_REFUSED},
    {"disassemble-functions", optional_argument, NULL, OPTION_REFUSED},
    {"show-pseudo-probe", optional_argument, NULL, OPTION_REFUSED},
    {"kernel", optional_argument, NULL, OPTION_REFUSED},
    {0}};

static bool *flag_of(int option, void *all) {
  struct contprof_sample_options *options = all;
  bool *const FLAGS[] = {
      [OPTION_MD5 - OPTION_MD5] = &options->write.md5_names,
      [OPTION_COMPRESS - OPTION_MD5] = &options->write.compress,
      [OPTION_SYMBOL_LIST - OPTION_MD5] = &options->symbol_list,
      [OPTION_FILL_ZERO - OPTION_MD5] = &options->fill_zero_for_all,
      [OPTION_UPDATE_TOTAL - OPTION_MD5] = &options->update_total,
      [OPTION_TRIM_COLD - OPTION_MD5] = &options->trim_cold,
      [OPTION_IP_ONLY - OPTION_MD5] = &options->ip_only,
      [OPTION_SKIP_SYMBOLIZATION - OPTION_MD5] = &options->skip_symbolization,
      [OPTION_OFFSET - OPTION_MD5] = &options->use_offset,
      [OPTION_LOAD_BASE - OPTION_MD5] = &options->load_base,
      [OPTION_SHOW_MAPS - OPTION_MD5] = &options->show_maps,
      [OPTION_SHOW_DETAILS - OPTION_MD5] = &options->show_details,
      [OPTION_SHOW_DENSITY - OPTION_MD5] = &options->show_density,
      [OPTION_LIST - OPTION_MD5] = &options->list,
      [OPTION_BY_LINES - OPTION_MD5] = &options->by_lines,
      [OPTION_UNWINDER - OPTION_MD5] = &options->unwinder_output,
      [OPTION_IGNORED - OPTION_MD5] = &options->ignored,
  };
  return option >= OPTION_MD5 ? FLAGS[option - OPTION_MD5] : NULL;
}

// --- arguments ----------------------------------------------------------------------------------

static bool refuse(struct contprof_error *error, const char *message) {
  return contprof_fail(error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET, "%s", message);
}

static void add_word(struct contprof_words *words, char *word) {
  words->words = contprof_need_array(words->words, words->count + 1, sizeof *words->words);
  words->words[words->count++] = word;
}

static bool is_recording(enum contprof_sample_input kind) {
  return kind == CONTPROF_INPUT_PERF_DATA || kind == CONTPROF_INPUT_PERF_SCRIPT;
}

static bool take_input(struct contprof_sample_options *options, enum contprof_sample_input kind,
                       const char *argument, struct contprof_error *error) {
  if (options->inputs.count && (options->kind != kind || !is_recording(kind)))
    return refuse(error, "one input is read, or several of --perfdata alone or of --perfscript "
                         "alone");
  options->kind = kind;
  add_word(&options->inputs, (char *)argument);
  options->input = options->inputs.words[0];
  return true;
}

// The part of `list` up to a comma or its end, of which *length is set; what follows it, or NULL.
static const char *next_item(const char *list, size_t *length) {
  *length = strcspn(list, ",");
  return list[*length] ? list + *length + 1 : NULL;
}

static bool take_pids(struct contprof_sample_options *options, const char *list,
                      struct contprof_error *error) {
  size_t length;
  for (const char *item = list; item;) {
    const char *next = next_item(item, &length);
    uint64_t pid;
    if (!contprof_parse_number(item, length, 10, &pid) || pid > INT32_MAX)
      return contprof_bad_argument(error, "pid", list, "process ids, separated by commas");
    options->pids =
        contprof_need_array(options->pids, options->pid_count + 1, sizeof *options->pids);
    options->pids[options->pid_count++] = (int32_t)pid;
    item = next;
  }
  return true;
}

static void take_events(struct contprof_sample_options *options, const char *list) {
  size_t length;
  for (const char *item = list; item;) {
    const char *next = next_item(item, &length);
    add_word(&options->events, contprof_need(strndup(item, length)));
    item = next;
  }
}

static bool take_format(struct contprof_sample_options *options, const char *name,
                        struct contprof_error *error) {
  static const struct {
    const char *name;
    enum contprof_sample_format format;
  } FORMATS[] = {{"text", CONTPROF_SAMPLE_TEXT},
                 {"binary", CONTPROF_SAMPLE_BINARY},
                 {"extbinary", CONTPROF_SAMPLE_EXTBINARY}};
  for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
    if (strcmp(FORMATS[i].name, name) == 0) {
      options->write.format = FORMATS[i].format;
      return true;
    }
  return contprof_bad_argument(error, "format", name, "text, binary or extbinary");
}

static bool take_millionths(const char *option, const char *argument, uint64_t *number,
                            struct contprof_error *error) {
  if (!contprof_number_argument(option, argument, number, error))
    return false;
  return *number <= 999999 ||
         contprof_bad_argument(error, option, argument, "millionths, at most 999999");
}

static bool take_threshold(struct contprof_sample_options *options, const char *argument,
                           struct contprof_error *error) {
  char *end;
  options->density_threshold = strtod(argument, &end);
  return (end != argument && !*end && options->density_threshold >= 0) ||
         contprof_bad_argument(error, "profile-density-threshold", argument, "a number");
}

static bool take_period(struct contprof_sample_options *options, const char *argument,
                        struct contprof_error *error) {
  if (!contprof_number_argument("sample-period", argument, &options->sample_period, error))
    return false;
  return options->sample_period > 0 ||
         contprof_bad_argument(error, "sample-period", argument, "a number above 0");
}

static bool take_number(struct contprof_sample_options *options, int option, const char *argument,
                        struct contprof_error *error) {
  switch (option) {
  case OPTION_PERIOD:
    return take_period(options, argument, error);
  case OPTION_CUTOFF_COLD:
    return take_millionths("profile-summary-cutoff-cold", argument, &options->cutoff_cold, error);
  case 'j':
    return contprof_number_argument("num-threads", argument, &options->threads, error);
  case OPTION_COLD_COUNT:
    options->has_cold_count = true;
    return contprof_number_argument("profile-summary-cold-count", argument, &options->cold_count,
                                    error);
  case OPTION_DENSITY_CUTOFF:
    return take_millionths("profile-density-cutoff-hot", argument, &options->density_cutoff, error);
  case OPTION_DENSITY_THRESHOLD:
    return take_threshold(options, argument, error);
  default:
    return true;
  }
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct contprof_sample_options *options = all;
  switch (option) {
  case OPTION_BINARY:
    add_word(&options->binaries, (char *)argument);
    return true;
  case 'o':
    add_word(&options->outputs, (char *)argument);
    return true;
  case OPTION_DATA:
    return take_input(options, CONTPROF_INPUT_PERF_DATA, argument, error);
  case OPTION_SCRIPT:
    return take_input(options, CONTPROF_INPUT_PERF_SCRIPT, argument, error);
  case OPTION_UNSYMBOLIZED:
    return take_input(options, CONTPROF_INPUT_UNSYMBOLIZED, argument, error);
  case OPTION_PROFILE:
    return take_input(options, CONTPROF_INPUT_SAMPLE_PROFILE, argument, error);
  case OPTION_PID:
    return take_pids(options, argument, error);
  case OPTION_EVENT:
    add_word(&options->events, contprof_need(strdup(argument)));
    return true;
  case OPTION_EVENTS:
    take_events(options, argument);
    return true;
  case OPTION_FORMAT:
    return take_format(options, argument, error);
  case OPTION_DEBUG_BINARY:
    options->debug_binary = argument;
    return true;
  case OPTION_DWP:
    options->dwp = argument;
    return true;
  case OPTION_REFUSED:
    return refuse(error, "disassembly, pseudo probes and the kernel's own code are not for "
                         "contprof sample: use llvm-objdump or llvm-profgen");
  default:
    return take_number(options, option, argument, error);
  }
}

static const struct contprof_option_set SET = {.verb = "sample",
                                               .short_options = ":o:j:h",
                                               .long_options = LONG_OPTIONS,
                                               .help = contprof_sample_help,
                                               .flag_of = flag_of,
                                               .take = take};

// --- the whole ----------------------------------------------------------------------------------

static bool is_wanted_twice(const struct contprof_words *words, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (strcmp(words->words[i], words->words[index]) == 0)
      return true;
  return false;
}

// Whether a file is named twice, by the same name or by another of its names.
static bool is_file_twice(const struct contprof_words *words) {
  struct stat *files = contprof_need(calloc(words->count + 1, sizeof *files));
  bool twice = false;
  for (size_t i = 0; i < words->count; i++) {
    if (stat(words->words[i], &files[i]) != 0)
      files[i] = (struct stat){0};
    twice |= is_wanted_twice(words, i);
    for (size_t j = 0; S_ISREG(files[i].st_mode) && j < i; j++)
      twice |= files[i].st_ino == files[j].st_ino && files[i].st_dev == files[j].st_dev;
  }
  free(files);
  return twice;
}

static const char *what_is_wrong_with_outputs(const struct contprof_sample_options *options) {
  if (options->outputs.count != options->binaries.count)
    return "each --binary needs its own -o, in the same order";
  for (size_t i = 1; i < options->outputs.count; i++)
    if (is_wanted_twice(&options->outputs, i))
      return "two binaries can't have the same output";
  return NULL;
}

static const char *what_is_wrong_with_list(struct contprof_sample_options *options) {
  if (!is_recording(options->kind))
    return "--list tells what is in a recording: name it with --perfdata=FILE or "
           "--perfscript=FILE";
  if (options->binaries.count)
    return "--list takes no --binary: it tells of all";
  if (options->outputs.count > 1)
    return "--list has one output";
  return NULL;
}

static const char *what_is_wrong_with_binaries(const struct contprof_sample_options *options) {
  if (!options->binaries.count)
    return "which binary? Name it with --binary=FILE; --list tells which were recorded";
  if (is_file_twice(&options->binaries))
    return "a binary is named twice";
  if (options->binaries.count > 1 && (options->debug_binary || options->dwp))
    return "--debug-binary and --dwp go with one --binary alone";
  if (options->binaries.count > 1 && !is_recording(options->kind))
    return "such an input is of one binary alone";
  return what_is_wrong_with_outputs(options);
}

static const char *what_is_wrong(struct contprof_sample_options *options) {
  if (options->kind == CONTPROF_INPUT_NONE)
    return "no input: name it with --perfdata=FILE, --perfscript=FILE or "
           "--unsymbolized-profile=FILE";
  if (is_file_twice(&options->inputs))
    return "an input is named twice, and would count twice";
  if (!options->outputs.count && options->binaries.count <= 1)
    add_word(&options->outputs, (char *)"-");
  return options->list ? what_is_wrong_with_list(options) : what_is_wrong_with_binaries(options);
}

bool contprof_sample_parse(int argc, char **argv, struct contprof_sample_options *options,
                           int *status) {
  *options = (struct contprof_sample_options){.write.format = CONTPROF_SAMPLE_EXTBINARY,
                                              .cutoff_cold = 999999,
                                              .density_cutoff = 990000,
                                              .density_threshold = 50,
                                              .use_offset = true};
  if (!contprof_take_options(&SET, argc, argv, options, status))
    return false;
  if (optind < argc) {
    *status = contprof_say_usage("sample", "%s: an input is named by an option, as --perfdata=%s",
                                 argv[optind], argv[optind]);
    return false;
  }
  const char *wrong = what_is_wrong(options);
  if (wrong)
    *status = contprof_say_usage("sample", "%s", wrong);
  return !wrong;
}

void contprof_sample_options_free(struct contprof_sample_options *options) {
  for (size_t i = 0; i < options->events.count; i++)
    free(options->events.words[i]);
  free(options->events.words);
  free(options->binaries.words);
  free(options->inputs.words);
  free(options->outputs.words);
  free(options->pids);
}
