#include "sampled_side.h"

#include "../base/memory.h"
#include "../combine/sample_unit.h"
#include "../sample/sample_format.h"
#include "input_kind.h"
#include "messages.h"
#include "sample_input.h"
#include "sample_report.h"
#include "text_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdlib.h>

void contprof_sampled_add_binary(struct contprof_sampled *sampled, const char *path) {
  struct contprof_words *binaries = &sampled->binaries;
  binaries->words =
      contprof_need_array(binaries->words, binaries->count + 1, sizeof *binaries->words);
  binaries->words[binaries->count++] = (char *)path;
}

// --- binaries -----------------------------------------------------------------------------------

static bool open_binary(const struct contprof_sampled *sampled, const char *path,
                        struct contprof_binary **binary, struct contprof_error *error) {
  const struct contprof_binary_options which = {.path = path,
                                                .debug_binary = sampled->debug_binary};
  *binary = contprof_binary_open(&which, error);
  return *binary && contprof_report_debug_info(*binary, path, error);
}

// Opens all, for all recordings.
static bool open_binaries(const struct contprof_sampled *sampled,
                          struct contprof_recorded *recorded, struct contprof_error *error) {
  size_t count = sampled->binaries.count;
  bool ok = true;
  recorded->opened = contprof_need(calloc(count + 1, sizeof *recorded->opened));
  recorded->seen = contprof_need(calloc(count + 1, sizeof *recorded->seen));
  for (size_t i = 0; ok && i < count; i++)
    ok = open_binary(sampled, sampled->binaries.words[i], &recorded->opened[i], error);
  return ok;
}

static void close_binaries(struct contprof_recorded *recorded) {
  for (size_t i = 0; i < recorded->binaries.count; i++)
    contprof_binary_close(recorded->opened[i]);
  free(recorded->opened);
  free(recorded->seen);
}

static void say_unseen(const struct contprof_recorded *recorded) {
  for (size_t i = 0; i < recorded->binaries.count; i++)
    if (!recorded->seen[i])
      contprof_say_warning("%s has no samples in any of the recordings",
                           recorded->binaries.words[i]);
}

// --- inputs -------------------------------------------------------------------------------------

static bool is_recording(const char *path) {
  enum contprof_sample_input kind;
  struct contprof_error error;
  return contprof_input_kind(path, &kind, &error) && kind == CONTPROF_INPUT_PERF_DATA;
}

// Of two builds of a fleet a function may have two checksums: the first one's samples stay, as they
// do in contprof merge.
static void say_mismatch(void *context, const struct contprof_function_samples *function,
                         enum contprof_merge_trouble trouble) {
  char *name = contprof_samples_text(function);
  if (trouble == CONTPROF_MERGE_HASH_MISMATCH)
    contprof_say_warning("%s: %s left out: the samples before have it with another checksum of the "
                         "control flow",
                         (const char *)context, name);
  free(name);
}

static void count_once(const char *path, struct contprof_sample_profile *profile) {
  uint64_t unit = contprof_count_samples_once(profile);
  if (unit > 1)
    contprof_say_note("%s counts %" PRIu64 " for each sample; here a sample counts 1", path, unit);
}

static bool read_one(char *path, const struct contprof_recorded *recorded,
                     struct contprof_sample_profile *profile, struct contprof_error *error) {
  struct contprof_sample_profile next = {0};
  enum contprof_sample_input kind;
  if (!contprof_input_kind(path, &kind, error))
    return false;
  bool ok = kind == CONTPROF_INPUT_PERF_DATA
                ? contprof_recording_input(path, recorded, &next, error)
                : contprof_sample_read(path, &next, error);
  if (ok && recorded->alike)
    count_once(path, &next);
  ok = ok && contprof_sample_profile_merge_telling(profile, &next, 1, say_mismatch, path, error);
  contprof_sample_profile_free(&next);
  return ok;
}

static bool read_all(const struct contprof_sampled *sampled, struct contprof_recorded *recorded,
                     struct contprof_sample_profile *profile, struct contprof_error *error) {
  bool ok = open_binaries(sampled, recorded, error);
  for (size_t i = 0; ok && i < sampled->inputs.count; i++)
    ok = read_one(sampled->inputs.inputs[i].path, recorded, profile, error);
  if (ok)
    say_unseen(recorded);
  close_binaries(recorded);
  return ok;
}

// Whether binaries and inputs go together. What can't be read is told when it is.
static int check(const struct contprof_sampled *sampled, const char *verb) {
  const char *recording = NULL;
  for (size_t i = 0; i < sampled->inputs.count; i++) {
    const char *path = sampled->inputs.inputs[i].path;
    enum contprof_sample_input kind;
    struct contprof_error error;
    if (!contprof_input_kind(path, &kind, &error))
      return CONTPROF_EXIT_OK;
    if (kind == CONTPROF_INPUT_PERF_DATA)
      recording = path;
  }
  if (recording && !sampled->binaries.count)
    return contprof_say_usage(verb, "%s is a recording: name the program with --binary=FILE",
                              recording);
  if (!recording && sampled->binaries.count)
    return contprof_say_usage(verb, "%s is no recording, so that --binary=%s says nothing",
                              sampled->inputs.inputs[0].path, sampled->binaries.words[0]);
  if (sampled->binaries.count > 1 && sampled->debug_binary)
    return contprof_say_usage(verb, "--debug-binary goes with one --binary alone");
  return CONTPROF_EXIT_OK;
}

int contprof_sampled_read(const struct contprof_sampled *sampled, const char *verb,
                          struct contprof_sample_profile *profile) {
  struct contprof_recorded recorded = {.binaries = sampled->binaries, .alike = sampled->once};
  struct contprof_error error;
  int status = check(sampled, verb);
  contprof_error_clear(&error);
  if (status != CONTPROF_EXIT_OK || read_all(sampled, &recorded, profile, &error))
    return status;
  contprof_say_failure(&error);
  return CONTPROF_EXIT_FAILED;
}

bool contprof_sampled_kept(const struct contprof_sampled *sampled, const char *output,
                           bool in_place) {
  char *debug_binary = (char *)sampled->debug_binary;
  if (!contprof_report_keeps_inputs((int)sampled->binaries.count, sampled->binaries.words, output))
    return false;
  if (debug_binary && !contprof_report_keeps_inputs(1, &debug_binary, output))
    return false;
  for (size_t i = 0; i < sampled->inputs.count; i++) {
    char *path = sampled->inputs.inputs[i].path;
    if (!(in_place && !is_recording(path)) && !contprof_report_keeps_inputs(1, &path, output))
      return false;
  }
  return true;
}

void contprof_sampled_free(struct contprof_sampled *sampled) {
  contprof_inputs_free(&sampled->inputs);
  free(sampled->binaries.words);
  *sampled = (struct contprof_sampled){0};
}
