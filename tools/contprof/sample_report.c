#include "sample_report.h"

#include "../sample/sample_filter.h"
#include "../sample/seen_files.h"
#include "messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of what could be counted, this share may be lost without a warning.
enum { TOLERABLE_PERCENT = 20 };

static double percent(uint64_t part, uint64_t whole) {
  return whole ? (double)part * 100 / (double)whole : 0;
}

static const char *what_is_read(const struct contprof_sample_options *options) {
  return options->inputs.count > 1          ? "the recordings"
         : strcmp(options->input, "-") == 0 ? "standard input"
                                            : options->input;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void contprof_report_notes(const char *input, const struct contprof_perf_notes *notes) {
  if (notes->bad_lines)
    contprof_say_warning("%s: %" PRIu64 " lines are neither samples nor events; what could be read "
                         "of them was counted",
                         input, notes->bad_lines);
  if (notes->out_of_order)
    contprof_say_warning("%s: %" PRIu64 " records came later than their time; some samples may "
                         "count in the wrong address space",
                         input, notes->out_of_order);
  if (notes->unknown_events)
    contprof_say_warning("%s: %" PRIu64 " samples are of events that it does not describe; they "
                         "were left out",
                         input, notes->unknown_events);
  if (notes->rest)
    contprof_say_warning("%s: the recording ends at offset %" PRIu64 ", and %" PRIu64
                         " bytes behind it were not read",
                         input, notes->rest_offset, notes->rest);
  if (notes->unfinished)
    contprof_say_warning("%s: perf record was killed; what it had written was read, without the "
                         "table of build-ids that it writes at its end",
                         input);
}

// --- samples ------------------------------------------------------------------------------------

// Why samples were not counted: in how many words, and what to do about it.
struct reason {
  const char *what;
  const char *advice;
};

static const struct reason REASONS[CONTPROF_WHERES] = {
    [CONTPROF_WHERE_OTHER] = {"in other files",
                              "name those with a further --binary each, if they matter; in a "
                              "recording of a whole machine they are to be expected"},
    [CONTPROF_WHERE_UNMAPPED] = {"in no known map",
                                 "record from the processes' start, or keep perf's map events: "
                                 "perf script needs --show-mmap-events --show-task-events, and -G "
                                 "where there are callchains, whose addresses it prints as those "
                                 "in files. Code that was made at run time has no file"},
    [CONTPROF_WHERE_MISMATCH] = {"in another build",
                                 "name the binary that was recorded; contprof sample --list "
                                 "tells its build-id"},
    [CONTPROF_WHERE_KERNEL] = {"in the kernel", "record user space alone, as with -e cycles:u"},
    [CONTPROF_WHERE_AMBIGUOUS] = {"without a PID, at addresses where processes differ",
                                  "print the PID as well, with perf script -F pid,ip,brstack "
                                  "--show-mmap-events --show-task-events; or give the recording "
                                  "itself, with --perfdata"},
};

static const struct reason NO_CODE = {"at no instruction of the binary",
                                      "was it built anew since, or its symbol table stripped off "
                                      "(give --debug-binary=FILE)? Stubs of the PLT are no code "
                                      "either"};
static const struct reason NO_BRANCHES = {"without a branch stack",
                                          "count addresses with --leading-ip-only, or the event "
                                          "with branch stacks alone, with --perf-event"};
static const struct reason NO_IP = {"without an address", "record with perf's default fields"};
static const struct reason DOUBTFUL = {"with a callchain from where a frame is made or left",
                                       "give the recording itself, with --perfdata: callchains "
                                       "are not looked at there"};
static const struct reason LOST = {"lost by perf",
                                   "use a larger buffer (perf record -m 16M) or fewer samples"};

struct tally {
  char text[512];               // the reasons so far
  const struct reason *largest; // or NULL
  uint64_t largest_count;
  uint64_t sum;
};

static void add_reason(struct tally *tally, const struct reason *reason, uint64_t count) {
  if (!count)
    return;
  size_t used = strlen(tally->text);
  snprintf(tally->text + used, sizeof tally->text - used, "%s%" PRIu64 " %s", used ? ", " : "",
           count, reason->what);
  tally->sum += count;
  if (count > tally->largest_count) {
    tally->largest_count = count;
    tally->largest = reason;
  }
}

static struct tally tally_of(const struct contprof_attribution *attribution, bool ip_only) {
  struct tally tally = {0};
  for (int where = 0; where < CONTPROF_WHERES; where++)
    if (where != CONTPROF_WHERE_HERE)
      add_reason(&tally, &REASONS[where], attribution->by_where[where]);
  add_reason(&tally, &NO_CODE, attribution->no_code);
  add_reason(&tally, ip_only ? &NO_IP : &NO_BRANCHES, attribution->no_branches);
  add_reason(&tally, &DOUBTFUL, attribution->doubtful);
  add_reason(&tally, &LOST, attribution->lost);
  return tally;
}

static void say_tally(const struct contprof_attribution *attribution, const struct tally *tally) {
  uint64_t here = attribution->by_where[CONTPROF_WHERE_HERE];
  if (!tally->sum)
    return;
  contprof_say_note("%" PRIu64 " samples counted; not counted: %s", here, tally->text);
  if (percent(tally->sum, here + tally->sum) > TOLERABLE_PERCENT)
    contprof_say_warning("%.0f%% of the samples are not in the profile, most of them %s: %s",
                         percent(tally->sum, here + tally->sum), tally->largest->what,
                         tally->largest->advice);
}

// Which files samples are in that were not counted for being in none of the binaries: those that
// might be worth a --binary.
enum { OTHERS_TOLD = 5 };

static void say_others(const struct contprof_converter *converter,
                       const struct contprof_attribution *attribution) {
  const struct contprof_seen_file **others;
  size_t count = contprof_seen_files_sorted(contprof_converter_others(converter), &others);
  for (size_t i = 0; i < count && i < OTHERS_TOLD; i++) {
    double share = percent(others[i]->samples, attribution->samples);
    if (i == 0 || share >= 1)
      contprof_say_note("%5.1f%% in %s", share, *others[i]->path ? others[i]->path : "other files");
  }
  free(others);
}

// What came of each recording, where there are several.
static void say_recordings(const struct contprof_sample_options *options,
                           const struct contprof_converter *converter) {
  size_t count;
  const struct contprof_attribution *each = contprof_converter_recordings(converter, &count);
  for (size_t i = 0; count > 1 && i < count; i++) {
    struct tally tally = tally_of(&each[i], contprof_converter_ip_only(converter));
    contprof_say_note("%s: %" PRIu64 " samples counted%s%s", options->inputs.words[i],
                      each[i].by_where[CONTPROF_WHERE_HERE], tally.sum ? "; not counted: " : "",
                      tally.text);
  }
}

static void say_left_out(const struct contprof_attribution *attribution) {
  if (attribution->other_pid || attribution->other_event)
    contprof_say_note("left out as asked: %" PRIu64 " samples of other processes, %" PRIu64
                      " of other events",
                      attribution->other_pid, attribution->other_event);
}

// The events there are, most of what fits: "cycles:u (100), faults (2)".
static const char *list_events(const struct contprof_event_notes *events, char *text, size_t room) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < events->count && used < room; i++)
    used += (size_t)snprintf(text + used, room - used, "%s%s (%" PRIu64 ")", used ? ", " : "",
                             events->notes[i].name, events->notes[i].samples);
  return text;
}

static bool has_event(const struct contprof_event_notes *events, const char *name) {
  for (size_t i = 0; i < events->count; i++)
    if (strcmp(events->notes[i].name, name) == 0)
      return true;
  return events->count == CONTPROF_EVENTS_NOTED;
}

static void say_events(const struct contprof_sample_options *options,
                       const struct contprof_event_notes *events) {
  char text[1024];
  if (options->events.count && events->unnamed)
    contprof_say_warning(
        "A --perf-event filter was specified, but no \"event\" field found in some "
        "of the samples; they were counted");
  for (size_t i = 0; i < options->events.count && events->count; i++)
    if (!has_event(events, options->events.words[i]))
      contprof_say_warning("--perf-event=%s: no sample is of that event; there are %s",
                           options->events.words[i], list_events(events, text, sizeof text));
  if (!options->events.count && events->count > 1)
    contprof_say_warning("No --perf-event filter was specified, but the samples are of several "
                         "events; all were counted alike: %s",
                         list_events(events, text, sizeof text));
}

static void say_mode(const struct contprof_sample_options *options,
                     const struct contprof_converter *converter) {
  if (!options->ip_only && contprof_converter_ip_only(converter))
    contprof_say_note("%s %s no branch stacks: the addresses of %s samples are counted, %s",
                      what_is_read(options), options->inputs.count > 1 ? "have" : "has",
                      options->inputs.count > 1 ? "their" : "its",
                      options->alike           ? "each once"
                      : options->sample_period ? "each as --sample-period says"
                                               : "each by its period");
}

// Another build's samples are what the user is after, however few they are.
static bool say_none(const struct contprof_sample_options *options,
                     const struct contprof_attribution *attribution, const struct tally *tally) {
  bool other_build = attribution->by_where[CONTPROF_WHERE_MISMATCH];
  const struct reason *why = other_build ? &REASONS[CONTPROF_WHERE_MISMATCH] : tally->largest;
  const char *advice = why == &REASONS[CONTPROF_WHERE_OTHER] ? "contprof sample --list tells which"
                       : why                                 ? why->advice
                                                             : NULL;
  if (!attribution->samples) {
    contprof_say_error("%s: there are no samples", what_is_read(options));
  } else if (why) {
    contprof_say_error("no sample of %s is in %s; %s are %s: %s", what_is_read(options),
                       options->binaries.count > 1 ? "the binaries" : options->binaries.words[0],
                       other_build ? "some" : "most", why->what, advice);
  } else {
    contprof_say_error("--pid and --perf-event leave no sample of %s", what_is_read(options));
  }
  return false;
}

static bool say_ambiguous(const struct contprof_sample_options *options,
                          const struct contprof_attribution *attribution) {
  const struct reason *why = &REASONS[CONTPROF_WHERE_AMBIGUOUS];
  contprof_say_error("%s: %" PRIu64 " of %" PRIu64 " samples are %s: %s", what_is_read(options),
                     attribution->by_where[CONTPROF_WHERE_AMBIGUOUS], attribution->samples,
                     why->what, why->advice);
  return false;
}

bool contprof_report_samples(const struct contprof_sample_options *options,
                             const struct contprof_converter *converter) {
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  struct tally tally = tally_of(attribution, contprof_converter_ip_only(converter));
  say_events(options, contprof_converter_events(converter));
  say_left_out(attribution);
  say_recordings(options, converter);
  // In a recording, or where other samples have PIDs, these are of tasks that had just ended, few,
  // and not counted.
  if (attribution->by_where[CONTPROF_WHERE_AMBIGUOUS] &&
      options->kind != CONTPROF_INPUT_PERF_DATA && !contprof_converter_saw_pids(converter))
    return say_ambiguous(options, attribution);
  if (!attribution->by_where[CONTPROF_WHERE_HERE]) {
    say_others(converter, attribution);
    return say_none(options, attribution, &tally);
  }
  say_mode(options, converter);
  if (attribution->as_offsets)
    contprof_say_note("%" PRIu64
                      " samples were placed by the offset in a file that stands in their "
                      "callchain, as perf script prints it",
                      attribution->as_offsets);
  say_tally(attribution, &tally);
  say_others(converter, attribution);
  return true;
}

// --- debug information --------------------------------------------------------------------------

static void say_build_id(const uint8_t *id, size_t size, char *text) {
  for (size_t i = 0; i < size; i++)
    sprintf(text + 2 * i, "%02x", id[i]);
  text[2 * size] = '\0';
}

// elfutils does not tell why a server gave nothing.
static bool has_none(const struct contprof_image *image, const char *path,
                     struct contprof_error *error) {
  char id[2 * sizeof image->build_id + 1];
  const char *servers = getenv("DEBUGINFOD_URLS");
  bool asked = servers && *servers && image->build_id_size;
  say_build_id(image->build_id, image->build_id_size, id);
  return contprof_fail(error, CONTPROF_UNSUPPORTED, path, NULL, CONTPROF_NO_OFFSET,
                       "it has no debug information, which a profile needs: compile it with -g "
                       "-fdebug-info-for-profiling, or name what was stripped off it with "
                       "--debug-binary=FILE%s%s%s",
                       asked ? "; no server of DEBUGINFOD_URLS gave that of build-id " : "",
                       asked ? id : "",
                       asked ? " (one may be down, or slower than DEBUGINFOD_TIMEOUT)" : "");
}

bool contprof_report_debug_info(const struct contprof_binary *binary, const char *path,
                                struct contprof_error *error) {
  const struct contprof_binary_function **functions;
  size_t missing = contprof_binary_missing_dwo(binary);
  const struct contprof_error *unread = contprof_binary_unread(binary);
  if (unread)
    contprof_say_skipped(unread);
  if (missing)
    contprof_say_warning("%s:  DWO debug information was not loaded for %zu modules. Please check "
                         "the .o, .dwo or .dwp path.",
                         path, missing);
  return contprof_binary_functions(binary, &functions) ||
         has_none(contprof_binary_image(binary), path, error);
}

// --- binaries -----------------------------------------------------------------------------------

static void say_other_build(const char *path, const struct contprof_image *image,
                            const struct contprof_perf_mmap *map) {
  char wanted[2 * sizeof image->build_id + 1];
  char seen[2 * sizeof map->build_id + 1];
  say_build_id(image->build_id, image->build_id_size, wanted);
  say_build_id(map->build_id, map->build_id_size, seen);
  contprof_say_warning("%s has build-id %s, but %s was recorded with %s: another build of it, "
                       "whose samples are not counted",
                       path, wanted, map->path, seen);
}

static void report_mismatch(const char *path, struct contprof_converter *converter,
                            const struct contprof_binary *binary, size_t index) {
  const struct contprof_perf_mmap *map;
  switch (contprof_spaces_mismatch(contprof_converter_spaces(converter), index, &map)) {
  case CONTPROF_MISMATCH_BUILD_ID:
    say_other_build(path, contprof_binary_image(binary), map);
    break;
  case CONTPROF_MISMATCH_NAME:
    contprof_say_warning("%s was recorded, which may be %s or another binary of that name; its "
                         "samples are not counted. Record with perf record --buildid-mmap",
                         map->path, path);
    break;
  case CONTPROF_MISMATCH_SEGMENTS:
    contprof_say_warning("%s was recorded with segments that %s does not have: another build of "
                         "it, whose samples are not counted",
                         map->path, path);
    break;
  default:
    break;
  }
}

void contprof_report_maps(const struct contprof_sample_options *options,
                          struct contprof_converter *converter,
                          const struct contprof_binary *binary, size_t index) {
  const char *path = options->binaries.words[index];
  report_mismatch(path, converter, binary, index);
  if (contprof_spaces_assumed(contprof_converter_spaces(converter), index))
    contprof_say_warning("No relevant mmap event is matched for %s, will use preferred address "
                         "(0x%" PRIx64 ") as the base loading address!",
                         base_name(path), contprof_binary_text_base(binary));
}

static void say_share(uint64_t part, uint64_t whole, const char *what) {
  if (part && whole)
    contprof_say_warning("%.2f%%(%" PRIu64 "/%" PRIu64 ") %s", percent(part, whole), part, whole,
                         what);
}

static void say_ranges(const struct contprof_range_checks *checks) {
  say_share(checks->not_boundary, checks->total,
            "of samples are from ranges that are not on instruction boundary.");
  say_share(checks->no_function, checks->total,
            "of samples are from ranges that do not belong to any functions.");
  say_share(checks->crosses_function, checks->total,
            "of samples are from ranges that do cross function boundaries.");
  say_share(checks->bogus, checks->total,
            "of samples are from ranges that have range start after or too far from range end "
            "acrossing the unconditinal jmp.");
}

void contprof_report_binary(const struct contprof_sample_options *options,
                            struct contprof_converter *converter, size_t index) {
  const char *path = options->binaries.words[index];
  const struct contprof_sample_counts *counts = contprof_converter_counts(converter, index);
  if (!counts->ranges.count && !counts->branches.count)
    contprof_say_warning("%s has no samples in %s", path, what_is_read(options));
  say_ranges(contprof_converter_checks(converter, index));
}
