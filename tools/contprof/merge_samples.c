#include "merge_samples.h"

#include "../base/file_view.h"
#include "../base/name_filter.h"
#include "../base/new_names.h"
#include "../sample/sample_rewrite.h"
#include "kind_hint.h"
#include "merge_report.h"
#include "merger.h"
#include "messages.h"
#include "progress.h"
#include "samples_output.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sample_merger {
  const struct contprof_merge_options *options; // not owned
  struct contprof_sample_profile sum;
  struct contprof_merge_journal journal;
  struct contprof_name_filter filter;
  struct contprof_renames renames;
  bool hinted; // it has been said that an input is of the other kind
};

// --- inputs -------------------------------------------------------------------------------------

// The functions of an input with which something was not right, by what it was.
struct trouble {
  uint64_t functions[2]; // by contprof_merge_trouble
  char *first[2];        // their first one; owned
};

static void note(void *context, const struct contprof_function_samples *function,
                 enum contprof_merge_trouble which) {
  struct trouble *trouble = context;
  if (!trouble->functions[which]++)
    trouble->first[which] = contprof_samples_text(function);
}

static void say(const char *path, struct trouble *trouble, struct contprof_progress *progress) {
  uint64_t saturated = trouble->functions[CONTPROF_MERGE_SATURATED];
  uint64_t mismatched = trouble->functions[CONTPROF_MERGE_HASH_MISMATCH];
  if (saturated || mismatched)
    contprof_progress_wipe(progress);
  if (mismatched)
    contprof_say_warning("%s: %" PRIu64 " functions left out, the first %s: the inputs before have "
                         "them with another checksum of the control flow",
                         path, mismatched, trouble->first[CONTPROF_MERGE_HASH_MISMATCH]);
  if (saturated)
    contprof_say_warning("%s: in %" PRIu64
                         " functions, the first %s, counts reached the largest number there is",
                         path, saturated, trouble->first[CONTPROF_MERGE_SATURATED]);
  free(trouble->first[0]);
  free(trouble->first[1]);
}

// Gives the profile's functions their new names. Returns how many were left out.
static size_t rename_functions(const struct contprof_renames *renames,
                               struct contprof_sample_profile *profile) {
  const struct contprof_sample_rewrite how = {.renames = renames, .discriminator_mask = UINT32_MAX};
  struct contprof_sample_profile renamed = {0};
  size_t left_out = contprof_samples_rewrite(&renamed, profile, &how);
  contprof_sample_profile_free(profile);
  *profile = renamed;
  return left_out;
}

static bool read_and_add(struct sample_merger *merger, const struct contprof_input *input,
                         struct trouble *trouble, uint64_t *functions,
                         struct contprof_error *error) {
  const struct contprof_merge_options *options = merger->options;
  struct contprof_sample_profile profile = {.names_of = &merger->sum};
  bool ok = contprof_samples_load(input->path, &options->samples.load, &profile, error);
  if (ok && options->samples.drop_symbols)
    profile.symbol_count = 0;
  if (ok && options->remapping)
    trouble->functions[CONTPROF_MERGE_HASH_MISMATCH] +=
        rename_functions(&merger->renames, &profile);
  *functions = profile.function_count;
  ok = ok && contprof_sample_profile_merge_telling(&merger->sum, &profile, input->weight, note,
                                                   trouble, error);
  contprof_sample_profile_free(&profile);
  return ok;
}

static bool add_input(struct sample_merger *merger, const struct contprof_input *input,
                      struct contprof_progress *progress) {
  struct trouble trouble = {0};
  struct contprof_error error;
  uint64_t functions = 0;
  contprof_error_clear(&error);
  bool ok = read_and_add(merger, input, &trouble, &functions, &error);
  say(input->path, &trouble, progress);
  if (ok) {
    contprof_journal_merged_samples(&merger->journal, input, functions,
                                    trouble.functions[CONTPROF_MERGE_HASH_MISMATCH]);
    merger->journal.saturated += trouble.functions[CONTPROF_MERGE_SATURATED];
    return true;
  }
  if (!*error.file)
    snprintf(error.file, sizeof error.file, "%s", input->path);
  contprof_progress_wipe(progress);
  contprof_say_skipped(&error);
  if (!merger->hinted)
    merger->hinted = contprof_hint_kind(input->path, true);
  contprof_journal_skipped(&merger->journal, input, &error);
  return false;
}

// All inputs are tried even if one bad one is enough to fail: so that all the bad are named.
static size_t add_inputs(struct sample_merger *merger) {
  const struct contprof_inputs *inputs = &merger->options->inputs;
  struct contprof_progress progress = contprof_progress_begin("inputs", inputs->count);
  size_t bad = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    bad += !add_input(merger, &inputs->inputs[i], &progress);
    contprof_progress_tell(&progress, i + 1);
  }
  contprof_progress_wipe(&progress);
  return bad;
}

// --- the whole ----------------------------------------------------------------------------------

static bool is_blank(char character) {
  return strchr(" \t\v\f\r", character);
}

// Names of functions that the program has, one a line.
static bool add_symbols(struct contprof_sample_profile *profile, const char *path,
                        struct contprof_error *error) {
  struct contprof_file_view file;
  if (!contprof_file_open(path, &file, error))
    return false;
  const char *at = (const char *)file.bytes, *end = at + file.size, *next;
  for (; at < end; at = next + 1) {
    const char *stop = next = memchr(at, '\n', (size_t)(end - at));
    if (!next)
      stop = next = end;
    while (at < stop && is_blank(*at))
      at++;
    while (stop > at && is_blank(stop[-1]))
      stop--;
    if (stop > at && !memchr(at, 0, (size_t)(stop - at)))
      contprof_symbols_add(profile, at, (size_t)(stop - at));
  }
  contprof_symbols_sort(profile);
  contprof_file_close(&file);
  return true;
}

static bool write_report(struct sample_merger *merger) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!merger->options->report ||
      contprof_journal_write(&merger->journal, merger->options->report, &error))
    return true;
  contprof_say_failure(&error);
  return false;
}

static bool merge_all(struct sample_merger *merger) {
  const struct contprof_merge_options *options = merger->options;
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!contprof_merger_judge(options, add_inputs(merger)))
    return false;
  merger->sum.partial = options->samples.partial;
  bool ok = !options->samples.symbol_list ||
            add_symbols(&merger->sum, options->samples.symbol_list, &error);
  ok = ok && contprof_samples_output(options, &merger->filter, &merger->sum, &error);
  if (ok)
    merger->journal.functions = merger->sum.function_count;
  else
    contprof_say_failure(&error);
  return ok;
}

static int begin(struct sample_merger *merger) {
  const struct contprof_merge_options *options = merger->options;
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!contprof_name_filter_new(&merger->filter, options->function, options->no_function, &error))
    return contprof_say_usage("merge", "%s", error.message);
  if (!options->remapping || contprof_renames_read(&merger->renames, options->remapping, &error))
    return CONTPROF_EXIT_OK;
  contprof_say_failure(&error);
  return CONTPROF_EXIT_FAILED;
}

int contprof_merge_samples(const struct contprof_merge_options *options) {
  struct sample_merger merger = {.options = options, .journal.kept = options->report};
  int status = begin(&merger);
  if (status == CONTPROF_EXIT_OK) {
    bool ok = merge_all(&merger);
    ok &= write_report(&merger);
    status = ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
  }
  contprof_sample_profile_free(&merger.sum);
  contprof_journal_free(&merger.journal);
  contprof_name_filter_free(&merger.filter);
  contprof_renames_free(&merger.renames);
  return status;
}
