// contprof sample: perf's samples to sample profiles.
#include "../base/output_file.h"
#include "../sample/binary_symbols.h"
#include "../sample/converter.h"
#include "../sample/perf_data.h"
#include "../sample/perf_script.h"
#include "../sample/profile_from_counts.h"
#include "../sample/profile_trim.h"
#include "../sample/sample_summary.h"
#include "input_kind.h"
#include "messages.h"
#include "sample_list.h"
#include "sample_options.h"
#include "sample_outputs.h"
#include "sample_report.h"
#include "verbs.h"

#include "../base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
  const struct contprof_sample_options *options;
  struct contprof_binary **binaries; // options->binaries.count of them; owned
  FILE *talk;                        // what is printed besides profiles
};

// --- binaries -----------------------------------------------------------------------------------

static bool needs_lines(const struct contprof_sample_options *options) {
  return !options->skip_symbolization && options->kind != CONTPROF_INPUT_SAMPLE_PROFILE;
}

static bool open_binaries(struct job *job) {
  const struct contprof_sample_options *options = job->options;
  job->binaries = contprof_need(calloc(options->binaries.count, sizeof *job->binaries));
  for (size_t i = 0; i < options->binaries.count; i++) {
    struct contprof_binary_options binary = {.path = options->binaries.words[i],
                                             .debug_binary = options->debug_binary,
                                             .dwp = options->dwp};
    struct contprof_error error;
    contprof_error_clear(&error);
    job->binaries[i] = contprof_binary_open(&binary, &error);
    if (!job->binaries[i] || (needs_lines(options) &&
                              !contprof_report_debug_info(job->binaries[i], binary.path, &error))) {
      contprof_say_failure(&error);
      return false;
    }
    if (needs_lines(options) && !options->by_lines && contprof_binary_has_probes(job->binaries[i]))
      contprof_say_note("%s has pseudo probes, by which llvm-profgen counts: this profile is by "
                        "lines, as with its --use-dwarf-correlation",
                        binary.path);
  }
  return true;
}

static void close_binaries(struct job *job) {
  for (size_t i = 0; job->binaries && i < job->options->binaries.count; i++)
    contprof_binary_close(job->binaries[i]);
  free(job->binaries);
}

static uint64_t threads_for(const struct contprof_sample_options *options) {
  if (options->threads)
    return options->threads;
  return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
}

// --- output -------------------------------------------------------------------------------------

static uint64_t base_of(const struct contprof_sample_options *options,
                        const struct contprof_binary *binary) {
  if (!options->use_offset)
    return 0;
  return options->load_base ? contprof_binary_load_base(binary) : contprof_binary_text_base(binary);
}

static bool write_unsymbolized(const struct job *job, size_t index,
                               const struct contprof_sample_counts *counts) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = contprof_need(open_memstream(&text, &size));
  contprof_unsymbolized_write(counts, base_of(job->options, job->binaries[index]), to);
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = fclose(to) == 0 || contprof_fail(&error, CONTPROF_NO_MEMORY, NULL, NULL,
                                             CONTPROF_NO_OFFSET, "no memory for the text");
  ok = ok && contprof_output_write(job->options->outputs.words[index], text, size, &error);
  if (!ok)
    contprof_say_failure(&error);
  free(text);
  return ok;
}

// Periods are events, or the nanoseconds of a clock: they tell nothing of how many samples there
// are.
static void say_density(const struct job *job, const struct contprof_sample_profile *profile,
                        bool by_period) {
  const struct contprof_sample_options *options = job->options;
  double density = contprof_profile_density(profile, (uint32_t)options->density_cutoff);
  if (density == 0)
    contprof_say_warning("The output profile is empty or the --profile-density-cutoff-hot option "
                         "is set too low. Please check your command.");
  else if (density < options->density_threshold && !by_period)
    contprof_say_warning("Sample PGO is estimated to optimize better with %.1fx more samples. "
                         "Please consider increasing sampling rate or profiling for longer "
                         "duration to get more samples.",
                         options->density_threshold / density);
  if (options->show_density)
    fprintf(job->talk, "Functions with density >= %.1f account for %.2f%% total sample counts.\n",
            density, (double)options->density_cutoff / 10000);
}

// What LLVM takes for cold in this profile, unless the user knows better.
static uint64_t cold_count(const struct contprof_sample_options *options,
                           const struct contprof_sample_profile *profile) {
  if (options->has_cold_count)
    return options->cold_count;
  struct contprof_sample_summary summary;
  contprof_sample_summarise(profile, &summary);
  uint64_t cold = contprof_sample_threshold(&summary, (uint32_t)options->cutoff_cold);
  contprof_sample_summary_free(&summary);
  return cold;
}

static bool finish_profile(const struct job *job, size_t index,
                           struct contprof_sample_profile *profile, bool by_period) {
  const struct contprof_sample_options *options = job->options;
  if (options->trim_cold)
    contprof_trim_cold(profile, cold_count(options, profile));
  contprof_trim_ambiguous(profile);
  say_density(job, profile, by_period);
  if (options->write.md5_names && options->write.format != CONTPROF_SAMPLE_EXTBINARY)
    contprof_say_warning("-use-md5 is ignored. Specify --format=extbinary to enable it");
  if (options->write.compress && options->write.format != CONTPROF_SAMPLE_EXTBINARY)
    contprof_say_warning("--compress-all-sections has no effect: it is for --format=extbinary");
  if (options->symbol_list && options->write.format == CONTPROF_SAMPLE_EXTBINARY)
    contprof_symbols_of_binary(job->binaries[index], profile);
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_write(profile, options->outputs.words[index], &options->write, &error);
  if (!ok)
    contprof_say_failure(&error);
  return ok;
}

// What counts stand for.
struct counted_as {
  bool ip_only;   // addresses, not ranges
  bool by_period; // each sample as its period says
};

// Uses the counts up.
static bool write_output(const struct job *job, size_t index, struct contprof_sample_counts *counts,
                         struct counted_as how) {
  const struct contprof_sample_options *options = job->options;
  if (options->skip_symbolization)
    return write_unsymbolized(job, index, counts);
  struct contprof_symbolize_options symbolize = {.ip_only = how.ip_only,
                                                 .fill_zero_for_all = options->fill_zero_for_all,
                                                 .update_total = options->update_total,
                                                 .threads = threads_for(options)};
  struct contprof_sample_profile profile = {0};
  contprof_profile_from_counts(job->binaries[index], counts, &symbolize, &profile);
  bool ok = finish_profile(job, index, &profile, how.by_period);
  contprof_sample_profile_free(&profile);
  return ok;
}

// --- recordings ---------------------------------------------------------------------------------

struct listener {
  struct contprof_converter *converter;
  FILE *maps; // where maps are told, or NULL
};

static bool take_event(void *context, const struct contprof_perf_event *event,
                       struct contprof_error *error) {
  struct listener *listener = context;
  if (listener->maps && event->kind == CONTPROF_PERF_MMAP)
    fprintf(listener->maps, "Mmap: Binary %s loaded at 0x%" PRIx64 ": \n", event->mmap.path,
            event->mmap.start);
  return contprof_converter_take(listener->converter, event, error);
}

static bool read_recording(const struct job *job, struct contprof_converter *converter,
                           const char *path) {
  const struct contprof_sample_options *options = job->options;
  struct listener listener = {converter, options->show_maps ? job->talk : NULL};
  struct contprof_perf_notes notes = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = options->kind == CONTPROF_INPUT_PERF_DATA
                ? contprof_perf_data_read(path, take_event, &listener, &notes, &error)
                : contprof_perf_script_read(path, take_event, &listener, &notes, &error);
  if (!ok)
    contprof_say_failure(&error);
  else
    contprof_report_notes(path, &notes);
  return ok;
}

static bool read_recordings(const struct job *job, struct contprof_converter *converter) {
  const struct contprof_sample_options *options = job->options;
  for (size_t i = 0; i < options->inputs.count; i++) {
    if (i)
      contprof_converter_next(converter);
    if (!read_recording(job, converter, options->inputs.words[i]))
      return false;
    for (size_t j = 0; j < options->binaries.count; j++)
      contprof_report_maps(options, converter, job->binaries[j], j);
  }
  return true;
}

static void say_bad_range(void *context, uint64_t from, uint64_t to, const char *why) {
  (void)context;
  contprof_say_warning("[%8" PRIx64 ",%8" PRIx64 "]: %s", from, to, why);
}

static bool convert_recording(const struct job *job) {
  const struct contprof_sample_options *options = job->options;
  struct contprof_convert_options convert = {.pids = options->pids,
                                             .pid_count = options->pid_count,
                                             .events = (const char *const *)options->events.words,
                                             .event_count = options->events.count,
                                             .ip_only = options->ip_only,
                                             .sample_period = options->sample_period,
                                             .threads = threads_for(options),
                                             .bad_range =
                                                 options->show_details ? say_bad_range : NULL};
  size_t count = options->binaries.count;
  struct contprof_converter *converter = contprof_converter_new(job->binaries, count, &convert);
  bool ok = read_recordings(job, converter);
  if (ok)
    contprof_converter_finish(converter);
  ok = ok && contprof_report_samples(options, converter);
  for (size_t i = 0; ok && i < count; i++)
    contprof_report_binary(options, converter, i);
  struct counted_as how = {contprof_converter_ip_only(converter),
                           contprof_converter_by_period(converter)};
  for (size_t i = 0; ok && i < count; i++)
    ok = write_output(job, i, contprof_converter_counts(converter, i), how);
  contprof_converter_free(converter);
  return ok;
}

// --- other inputs -------------------------------------------------------------------------------

static bool convert_unsymbolized(const struct job *job) {
  struct contprof_sample_counts counts = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_unsymbolized_read(job->options->input, base_of(job->options, job->binaries[0]),
                                       &counts, &error);
  if (!ok)
    contprof_say_failure(&error);
  ok = ok && write_output(job, 0, &counts, (struct counted_as){job->options->ip_only, false});
  contprof_sample_counts_free(&counts);
  return ok;
}

static bool rewrite_profile(const struct job *job) {
  struct contprof_sample_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_read(job->options->input, &profile, &error);
  if (!ok)
    contprof_say_failure(&error);
  ok = ok && finish_profile(job, 0, &profile, false);
  contprof_sample_profile_free(&profile);
  return ok;
}

static bool convert(const struct job *job) {
  switch (job->options->kind) {
  case CONTPROF_INPUT_UNSYMBOLIZED:
    return convert_unsymbolized(job);
  case CONTPROF_INPUT_SAMPLE_PROFILE:
    return rewrite_profile(job);
  default:
    return convert_recording(job);
  }
}

// What is printed goes to standard error when a profile takes standard output.
static FILE *where_to_talk(const struct contprof_sample_options *options) {
  for (size_t i = 0; i < options->outputs.count; i++)
    if (strcmp(options->outputs.words[i], "-") == 0)
      return stderr;
  return stdout;
}

int contprof_cmd_sample(int argc, char **argv) {
  struct contprof_sample_options options;
  int status;
  if (contprof_sample_parse(argc, argv, &options, &status)) {
    if (options.unwinder_output)
      contprof_say_warning("--show-unwinder-output has no effect: no stack is unwound; "
                           "--skip-symbolization writes the ranges and branches");
    struct job job = {.options = &options, .talk = where_to_talk(&options)};
    bool ok =
        contprof_sample_outputs_good(&options) && contprof_check_inputs(&options) &&
        (options.list ? contprof_sample_list(&options) : open_binaries(&job) && convert(&job));
    close_binaries(&job);
    status = ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
  }
  contprof_sample_options_free(&options);
  return status;
}
