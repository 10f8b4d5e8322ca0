#include "sample_list.h"

#include "../sample/census.h"
#include "../sample/perf_data.h"
#include "../sample/perf_script.h"
#include "messages.h"
#include "sample_report.h"
#include "text_report.h"

#include <inttypes.h>
#include <stdlib.h>

// The beginning of a line: the samples, and how many of all that is.
static void put_share(FILE *to, uint64_t samples, uint64_t all) {
  fprintf(to, "  %10" PRIu64 " %6.2f%%  ", samples,
          all ? 100.0 * (double)samples / (double)all : 0);
}

// What a recording says may hold any bytes.
static void put_text(FILE *to, const char *text) {
  for (; *text; text++)
    fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, to);
  fputc('\n', to);
}

static void put_events(const struct contprof_census *census, FILE *to) {
  fputs("events\n", to);
  uint64_t all = census->events.unnamed;
  for (size_t i = 0; i < census->events.count; i++)
    all += census->events.notes[i].samples;
  for (size_t i = 0; i < census->events.count; i++) {
    put_share(to, census->events.notes[i].samples, all);
    put_text(to, census->events.notes[i].name);
  }
  if (census->events.unnamed) {
    put_share(to, census->events.unnamed, all);
    put_text(to, "(not told)");
  }
}

enum { ID_WIDTH = 2 * CONTPROF_BUILD_ID_MAX };

static void put_file(const struct contprof_census *census, FILE *to, uint64_t samples,
                     const struct contprof_seen_file *file, const char *path) {
  if (!samples)
    return;
  put_share(to, samples, census->samples);
  for (int i = 0; file && i < file->build_id_size; i++)
    fprintf(to, "%02x", file->build_id[i]);
  int missing = ID_WIDTH - (file ? 2 * file->build_id_size : 0);
  fprintf(to, "%-*s ", missing, missing == ID_WIDTH ? "-" : "");
  put_text(to, *path ? path : "(others)");
}

static void put_files(const struct contprof_census *census, FILE *to) {
  const struct contprof_seen_file **files;
  size_t count = contprof_seen_files_sorted(&census->files, &files);
  fputs("files, by build-id\n", to);
  for (size_t i = 0; i < count; i++)
    put_file(census, to, files[i]->samples, files[i], files[i]->path);
  put_file(census, to, census->in_kernel, NULL, "(the kernel)");
  put_file(census, to, census->nowhere, NULL, "(in no known map)");
  free(files);
}

static void put_processes(struct contprof_census *census, FILE *to) {
  size_t count = contprof_census_sort(census);
  fputs("processes\n", to);
  for (size_t i = 0; i < count; i++) {
    const struct contprof_census_process *process = &census->processes[i];
    put_share(to, process->samples, census->samples);
    if (process->pid == CONTPROF_NO_PID) {
      put_text(to, "(PID not told)");
    } else {
      fprintf(to, "%7" PRId32 " ", process->pid);
      put_text(to, process->name);
    }
  }
}

static void put_census(struct contprof_census *census, const char *path, FILE *to) {
  fprintf(to, "%s: %" PRIu64 " samples, %" PRIu64 " with a branch stack, %" PRIu64 " lost\n", path,
          census->samples, census->branch_stacks, census->lost);
  put_events(census, to);
  put_files(census, to);
  put_processes(census, to);
}

static bool list_one(const struct contprof_sample_options *options, const char *path, FILE *to) {
  struct contprof_convert_options wanted = {.pids = options->pids,
                                            .pid_count = options->pid_count,
                                            .events = (const char *const *)options->events.words,
                                            .event_count = options->events.count};
  struct contprof_census census;
  struct contprof_perf_notes notes = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_census_begin(&census, &wanted);
  bool ok = options->kind == CONTPROF_INPUT_PERF_DATA
                ? contprof_perf_data_read(path, contprof_census_take, &census, &notes, &error)
                : contprof_perf_script_read(path, contprof_census_take, &census, &notes, &error);
  if (ok) {
    contprof_report_notes(path, &notes);
    put_census(&census, path, to);
  } else {
    contprof_say_failure(&error);
  }
  contprof_census_free(&census);
  return ok;
}

bool contprof_sample_list(const struct contprof_sample_options *options) {
  struct contprof_text_report report;
  contprof_report_begin(&report);
  bool ok = report.to;
  for (size_t i = 0; ok && i < options->inputs.count; i++)
    ok = list_one(options, options->inputs.words[i], report.to);
  return contprof_report_write(&report, options->outputs.words[0], ok) && ok;
}
