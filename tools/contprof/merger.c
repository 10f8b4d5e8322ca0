#include "merger.h"

#include "../base/memory.h"
#include "../base/output_file.h"
#include "../base/side_job.h"
#include "../instr/indexed_format.h"
#include "../instr/indexed_writer.h"
#include "../instr/profile_filter.h"
#include "../instr/profile_load.h"
#include "../instr/raw_sum.h"
#include "../instr/text_writer.h"
#include "kind_hint.h"
#include "messages.h"
#include "progress.h"
#include "sample_input.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- which output an input belongs to -----------------------------------------------------------

static char *hexadecimal(const struct contprof_binary_id *id) {
  char *text = contprof_need(malloc(id->size * 2 + 1));
  for (uint64_t i = 0; i < id->size; i++)
    sprintf(text + i * 2, "%02x", id->bytes[i]);
  text[id->size * 2] = '\0';
  return text;
}

// The build of the file that has been decoded to `profile`. NULL, with the error set, if it has
// several.
static char *build_of(const char *path, const struct contprof_profile *profile,
                      struct contprof_error *error) {
  if (profile->binary_id_count < 2)
    return profile->binary_id_count ? hexadecimal(profile->binary_ids)
                                    : contprof_need(strdup("no-build-id"));
  contprof_fail(error, CONTPROF_MISMATCH, path, NULL, CONTPROF_NO_OFFSET,
                "has the counts of %zu builds, which can't be told apart",
                profile->binary_id_count);
  return NULL;
}

static struct contprof_merge_target *new_target(struct contprof_merger *merger, char *build) {
  merger->targets =
      contprof_need_array(merger->targets, merger->target_count + 1, sizeof *merger->targets);
  merger->targets[merger->target_count] = (struct contprof_merge_target){.build = build};
  merger->targets[merger->target_count].sum.profile.trace_limits = &merger->options->traces;
  if (merger->options->remapping)
    merger->targets[merger->target_count].sum.profile.renames = &merger->renames;
  return &merger->targets[merger->target_count++];
}

struct contprof_merge_target *contprof_merger_target(struct contprof_merger *merger, char *build) {
  for (size_t i = 0; i < merger->target_count; i++)
    if (!build || strcmp(build, merger->targets[i].build) == 0) {
      free(build);
      return &merger->targets[i];
    }
  return new_target(merger, build);
}

// --- inputs -------------------------------------------------------------------------------------

static void say_saturated(const char *path, const struct contprof_merge_report *report) {
  if (report->functions_saturated)
    contprof_say_warning("%s: in %" PRIu64 " functions, the first %s, counts reached the largest "
                         "number there is",
                         path, report->functions_saturated, report->first_saturated->name);
}

static void say_bent(const char *path, const struct contprof_sum_report *report) {
  if (report->functions_dropped)
    contprof_say_warning("%s: %" PRIu64 " functions left out, the first %s: the file holds them in "
                         "other shapes",
                         path, report->functions_dropped, report->dropped_names[0]);
  if (report->merge.functions_wrapped)
    contprof_say_warning("%s: %" PRIu64
                         " functions left out, the first %s: their counts are beyond "
                         "2^56, which no counting reaches",
                         path, report->merge.functions_wrapped, report->merge.first_wrapped->name);
  if (report->merge.functions_dropped)
    contprof_say_warning("%s: %" PRIu64 " functions left out, the first %s: the inputs before have "
                         "them with other numbers of counters or value sites",
                         path, report->merge.functions_dropped, report->merge.first_dropped->name);
  say_saturated(path, &report->merge);
}

// To the target of its build, if it is like the files there; only others are decoded to see.
static bool add_alike(struct contprof_merger *merger, uint64_t weight,
                      struct contprof_sum_report *report) {
  struct contprof_raw_head head;
  bool added = false;
  if (!contprof_raw_take_head(&merger->file, &head))
    return false;
  for (size_t i = 0; !added && i < merger->target_count; i++)
    added = contprof_profile_sum_add_alike(&merger->targets[i].sum, &merger->file, &head, weight,
                                           report);
  return added;
}

static bool add_to_build(struct contprof_merger *merger, uint64_t weight,
                         struct contprof_sum_report *report, struct contprof_error *error) {
  struct contprof_profile decoded = {0};
  if (add_alike(merger, weight, report))
    return true;
  char *build = contprof_profile_read(&merger->file, &decoded, error)
                    ? build_of(merger->file.path, &decoded, error)
                    : NULL;
  bool ok = build && contprof_profile_sum_add_read(&contprof_merger_target(merger, build)->sum,
                                                   &merger->file, &decoded, weight, report, error);
  contprof_profile_free(&decoded);
  return ok;
}

static bool read_and_add(struct contprof_merger *merger, const struct contprof_input *input,
                         struct contprof_sum_report *report, struct contprof_error *error) {
  if (merger->ahead)
    return contprof_sum_ahead_next(merger->ahead, report, error);
  if (!contprof_file_open_next(input->path, &merger->file, error))
    return false;
  if (merger->options->by_build)
    return add_to_build(merger, input->weight, report, error);
  return contprof_profile_sum_add(&contprof_merger_target(merger, NULL)->sum, &merger->file,
                                  input->weight, report, error);
}

static bool add_input(struct contprof_merger *merger, const struct contprof_input *input,
                      struct contprof_progress *progress) {
  struct contprof_sum_report report;
  struct contprof_error error;
  contprof_error_clear(&error);
  if (read_and_add(merger, input, &report, &error)) {
    if (report.functions_dropped || report.merge.functions_dropped ||
        report.merge.functions_wrapped || report.merge.functions_saturated)
      contprof_progress_wipe(progress);
    say_bent(input->path, &report);
    merger->ordered |= report.functions_dropped || report.merge.functions_dropped ||
                       report.merge.functions_saturated;
    contprof_journal_merged(&merger->journal, input, &report);
    return true;
  }
  contprof_progress_wipe(progress);
  contprof_say_skipped(&error);
  if (!merger->hinted && (error.code == CONTPROF_UNSUPPORTED || error.code == CONTPROF_CORRUPT))
    merger->hinted = contprof_hint_kind(input->path, false);
  merger->ordered |= error.code == CONTPROF_MISMATCH;
  contprof_journal_skipped(&merger->journal, input, &error);
  return false;
}

// --- threads ------------------------------------------------------------------------------------

enum { MOST_THREADS = 256, MOST_BY_DEFAULT = 8 };

static bool has_standard_input(const struct contprof_input *inputs, size_t count) {
  bool has = false;
  for (size_t i = 0; i < count; i++)
    has |= strcmp(inputs[i].path, "-") == 0;
  return has;
}

// By default as in llvm-profdata, one for each processor and each two inputs; each holds files and
// the counters of the builds, so that memory bounds them, too. Standard input can be read once
// only, where it is named.
static size_t threads_for(const struct contprof_merge_options *options,
                          const struct contprof_input *inputs, size_t count) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t wanted = options->threads < MOST_THREADS ? options->threads : MOST_THREADS;
  size_t most = wanted ? count : (count + 1) / 2;
  if (options->by_build || has_standard_input(inputs, count))
    return 1;
  if (!wanted)
    wanted = processors < MOST_BY_DEFAULT ? (size_t)processors : MOST_BY_DEFAULT;
  return wanted < most ? wanted : most;
}

// Returns the list that they work on, to be freed after them; NULL without threads.
static struct contprof_sum_input *start_threads(struct contprof_merger *merger,
                                                const struct contprof_input *inputs, size_t count) {
  size_t threads = threads_for(merger->options, inputs, count);
  if (threads < 2)
    return NULL;
  struct contprof_sum_input *list = contprof_need_array(NULL, count, sizeof *list);
  for (size_t i = 0; i < count; i++)
    list[i] = (struct contprof_sum_input){inputs[i].path, inputs[i].weight};
  merger->ahead = contprof_sum_ahead_start(&contprof_merger_target(merger, NULL)->sum, list, count,
                                           (unsigned)threads);
  return list;
}

static void end_threads(struct contprof_merger *merger, struct contprof_sum_input *list) {
  if (merger->ahead)
    contprof_sum_ahead_end(merger->ahead);
  merger->ahead = NULL;
  free(list);
}

bool contprof_merger_judge(const struct contprof_merge_options *options, size_t bad) {
  size_t count = options->inputs.count;
  enum contprof_failure_mode mode = options->failure_mode;
  bool failed = (bad && mode == CONTPROF_FAIL_ANY) || (bad == count && mode == CONTPROF_FAIL_ALL);
  if (bad == count && failed)
    contprof_say_error(count == 1 ? "no profile can be merged"
                                  : "no profile can be merged: all inputs are bad");
  else if (failed)
    contprof_say_error("%zu of %zu inputs can't be merged; --failure-mode=all would skip them", bad,
                       count);
  else if (bad)
    contprof_say_warning("%zu of %zu inputs skipped", bad, count);
  if (failed ||
      (unsigned __int128)(count - bad) * 100 >= (unsigned __int128)options->min_valid * count)
    return !failed;
  contprof_say_error("%zu of %zu inputs are good, which is less than the %" PRIu64
                     " %% that --min-valid asks for",
                     count - bad, count, options->min_valid);
  return false;
}

// All inputs are tried even if one bad one is enough to fail: so that all the bad are named.
size_t contprof_merger_add(struct contprof_merger *merger, size_t first, size_t end) {
  const struct contprof_inputs *inputs = &merger->options->inputs;
  struct contprof_progress progress = contprof_progress_begin("inputs", end - first);
  struct contprof_sum_input *list = start_threads(merger, inputs->inputs + first, end - first);
  size_t bad = 0;
  for (size_t i = first; i < end; i++) {
    bad += !add_input(merger, &inputs->inputs[i], &progress);
    contprof_progress_tell(&progress, i - first + 1);
  }
  contprof_progress_wipe(&progress);
  end_threads(merger, list);
  contprof_file_close(&merger->file);
  return bad;
}

// --- outputs ------------------------------------------------------------------------------------

// Of a version that was asked for, says what it loses.
static unsigned choose_version(const struct contprof_profile *merged,
                               const struct contprof_merge_options *options) {
  char buffer[128];
  if (!options->indexed_version && !options->llvm)
    return contprof_indexed_version_for(merged);
  unsigned version = options->llvm ? contprof_indexed_version_of_llvm((unsigned)options->llvm)
                                   : (unsigned)options->indexed_version;
  const char *loss = contprof_indexed_loss(merged, version, buffer);
  if (loss)
    contprof_say_warning("%s", loss);
  return version;
}

// The LLVM whose output is asked for; of an indexed version, the one that writes it. 0: none.
static unsigned llvm_of(const struct contprof_merge_options *options) {
  unsigned llvm = CONTPROF_INDEXED_OLDEST_LLVM;
  if (options->llvm || !options->indexed_version)
    return (unsigned)options->llvm;
  while (contprof_indexed_version_of_llvm(llvm + 1) &&
         contprof_indexed_version_of_llvm(llvm) < options->indexed_version)
    llvm++;
  return llvm;
}

// What works on counts or on the order of functions alone can do so beside other work.
static bool may_divide(const struct contprof_merge_options *options) {
  return options->threads != 1 && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

struct finishing {
  struct contprof_profile_sum *sum;
  struct contprof_merge_report report;
};

static void finish_sum(void *context) {
  struct finishing *finishing = context;
  contprof_profile_sum_finish(finishing->sum, &finishing->report);
}

// Adding up what is summed fast moves no function, and sorting reads no count.
static void finish_and_sort(struct contprof_merger *merger, struct contprof_profile_sum *sum) {
  struct finishing finishing = {.sum = sum};
  struct contprof_side_job job;
  contprof_side_job_begin(
      &job, may_divide(merger->options) && sum->profile.function_count >= CONTPROF_PROFILE_LARGE,
      finish_sum, &finishing);
  contprof_profile_sort(&sum->profile);
  contprof_side_job_end(&job);
  say_saturated("the sum", &finishing.report);
  merger->journal.saturated += finishing.report.functions_saturated;
}

static void finish(struct contprof_merger *merger, struct contprof_profile_sum *sum) {
  finish_and_sort(merger, sum);
  if (merger->filter.has_keep || merger->filter.has_drop) {
    size_t names, dropped;
    contprof_profile_filter(&sum->profile, &merger->filter, &names, &dropped);
    fprintf(stderr, "%zu of %zu functions in the original profile are filtered.\n", dropped, names);
  }
  if (merger->options->supplement.wanted)
    contprof_supplement_with(&merger->options->supplement, &merger->sample,
                             llvm_of(merger->options), &sum->profile);
  if (merger->options->sparse)
    contprof_profile_drop_zeros(&sum->profile);
  if (!merger->options->keep_vtables)
    contprof_name_table_free(&sum->profile.vtables);
  merger->journal.functions += sum->profile.function_count;
}

// OUT with ".BUILD" before the extension of its last component.
static char *output_of(const char *output, const char *build) {
  char *path;
  const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
  const char *dot = strrchr(name, '.');
  size_t stem = dot && dot > name ? (size_t)(dot - output) : strlen(output);
  if (!build)
    return contprof_need(strdup(output));
  if (asprintf(&path, "%.*s.%s%s", (int)stem, output, build, output + stem) < 0)
    contprof_need(NULL);
  return path;
}

bool contprof_merger_write_profile(const struct contprof_merge_options *options,
                                   const struct contprof_profile *profile, const char *path) {
  struct contprof_output output;
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_byte_writer bytes = {
      .outlet = contprof_output_begin(&output, path, may_divide(options), &error)};
  bool ok = (options->text ? contprof_text_write(profile, &bytes, &error)
                           : contprof_indexed_write(profile, choose_version(profile, options),
                                                    may_divide(options), &bytes, &error));
  ok = contprof_output_end(&output, &bytes, ok);
  if (!ok)
    contprof_say_failure(&error);
  contprof_byte_writer_free(&bytes);
  return ok;
}

struct contprof_profile *contprof_merger_result(struct contprof_merger *merger) {
  struct contprof_profile_sum *sum = &contprof_merger_target(merger, NULL)->sum;
  finish(merger, sum);
  return &sum->profile;
}

static bool write_target(struct contprof_merger *merger, struct contprof_merge_target *target) {
  char *path = output_of(merger->options->output, target->build);
  finish(merger, &target->sum);
  bool ok = contprof_merger_write_profile(merger->options, &target->sum.profile, path);
  free(path);
  return ok;
}

bool contprof_merger_write(struct contprof_merger *merger) {
  bool ok = true;
  if (!merger->target_count && !merger->options->by_build)
    new_target(merger, NULL); // every input was bad, and that is no failure
  for (size_t i = 0; i < merger->target_count; i++)
    ok &= write_target(merger, &merger->targets[i]);
  return ok;
}

bool contprof_merger_report(struct contprof_merger *merger) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!merger->options->report ||
      contprof_journal_write(&merger->journal, merger->options->report, &error))
    return true;
  contprof_say_failure(&error);
  return false;
}

void contprof_merger_free(struct contprof_merger *merger) {
  for (size_t i = 0; i < merger->target_count; i++) {
    free(merger->targets[i].build);
    contprof_profile_sum_free(&merger->targets[i].sum);
  }
  free(merger->targets);
  contprof_journal_free(&merger->journal);
  contprof_name_filter_free(&merger->filter);
  contprof_renames_free(&merger->renames);
  contprof_sample_profile_free(&merger->sample);
  *merger = (struct contprof_merger){0};
}

int contprof_merger_begin(struct contprof_merger *merger,
                          const struct contprof_merge_options *options) {
  struct contprof_error error;
  contprof_error_clear(&error);
  *merger = (struct contprof_merger){.options = options,
                                     .file.is_wanted = contprof_profile_begins,
                                     .journal.kept = options->report};
  if (!contprof_name_filter_new(&merger->filter, options->function, options->no_function, &error))
    return contprof_say_usage("merge", "%s", error.message);
  const struct contprof_supplement_request *supplement = &options->supplement;
  if (supplement->wanted && !contprof_sampled_kept(&supplement->sampled, options->output, false))
    return CONTPROF_EXIT_FAILED;
  if (options->remapping && !contprof_renames_read(&merger->renames, options->remapping, &error)) {
    contprof_say_failure(&error);
    return CONTPROF_EXIT_FAILED;
  }
  return supplement->wanted ? contprof_sampled_read(&supplement->sampled, "merge", &merger->sample)
                            : CONTPROF_EXIT_OK;
}

static int merge_all(struct contprof_merger *merger) {
  size_t count = merger->options->inputs.count;
  bool ok = contprof_merger_judge(merger->options, contprof_merger_add(merger, 0, count)) &&
            contprof_merger_write(merger);
  ok &= contprof_merger_report(merger);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}

int contprof_merge(const struct contprof_merge_options *options) {
  struct contprof_merger merger;
  int status = contprof_merger_begin(&merger, options);
  if (status == CONTPROF_EXIT_OK)
    status = merge_all(&merger);
  contprof_merger_free(&merger);
  return status;
}
