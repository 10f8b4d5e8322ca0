#include "samples_output.h"

#include "../base/output_file.h"
#include "../sample/cold_contexts.h"
#include "../sample/sample_flatten.h"
#include "../sample/sample_format.h"
#include "../sample/sample_summary.h"
#include "messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- layout -------------------------------------------------------------------------------------

static uint64_t cold_count(const struct contprof_merge_sample_options *options,
                           const struct contprof_sample_profile *profile) {
  struct contprof_sample_summary summary;
  if (options->has_cold_count)
    return options->cold_count;
  contprof_sample_summarise(profile, &summary);
  uint64_t count = contprof_sample_threshold(&summary, (uint32_t)options->cold_cutoff);
  contprof_sample_summary_free(&summary);
  return count;
}

static void merge_cold(const struct contprof_merge_sample_options *options,
                       struct contprof_sample_profile *profile) {
  struct contprof_cold_contexts how = {
      .threshold = cold_count(options, profile),
      .frames = options->cold_frames < UINT32_MAX ? (uint32_t)options->cold_frames : UINT32_MAX,
      .merge = options->merge_cold,
      .trim = options->trim_cold};
  contprof_samples_merge_cold(profile, &how);
}

static void replace(struct contprof_sample_profile *profile,
                    struct contprof_sample_profile *changed) {
  contprof_sample_profile_free(profile);
  *profile = *changed;
}

static bool lay_out(const struct contprof_merge_sample_options *options,
                    struct contprof_sample_profile *profile, struct contprof_error *error) {
  struct contprof_sample_profile changed = {0};
  if (profile->context_sensitive && (options->merge_cold || options->trim_cold))
    merge_cold(options, profile);
  if (options->layout == CONTPROF_LAYOUT_FLAT) {
    contprof_samples_flatten(&changed, profile);
    replace(profile, &changed);
  } else if (profile->context_sensitive &&
             (options->nest || options->layout == CONTPROF_LAYOUT_NESTED)) {
    if (!contprof_samples_nest(&changed, profile, options->keep_base, error))
      return false;
    replace(profile, &changed);
  }
  return true;
}

static bool is_kept(void *context, const struct contprof_function_samples *function) {
  const struct contprof_name_filter *filter = context;
  char *name = contprof_samples_text(function);
  bool kept = function->name->text || function->context
                  ? contprof_name_filter_keeps(filter, name)
                  : contprof_name_filter_keeps_hash(filter, name,
                                                    contprof_sample_name_hash(function->name));
  free(name);
  return kept;
}

static void leave_out(const struct contprof_name_filter *filter,
                      struct contprof_sample_profile *profile) {
  size_t before = profile->function_count;
  if (!filter->has_keep && !filter->has_drop)
    return;
  contprof_samples_keep(profile, is_kept, (void *)filter);
  fprintf(stderr, "%zu of %zu functions in the original profile are filtered.\n",
          before - profile->function_count, before);
}

// --- format -------------------------------------------------------------------------------------

enum { LAST_WITH_BINARY_DEFAULT = 16 }; // LLVM versions

static enum contprof_sample_format format_of(const struct contprof_merge_options *options) {
  if (options->text)
    return CONTPROF_SAMPLE_TEXT;
  if (options->samples.extbinary)
    return CONTPROF_SAMPLE_EXTBINARY;
  return options->samples.binary || (options->llvm && options->llvm <= LAST_WITH_BINARY_DEFAULT)
             ? CONTPROF_SAMPLE_BINARY
             : CONTPROF_SAMPLE_EXTBINARY;
}

// What the extended binary format alone can carry.
static void say_loss(const struct contprof_merge_sample_options *options,
                     const struct contprof_sample_profile *profile) {
  const char *option = options->md5_names      ? "use-md5"
                       : options->compress     ? "compress-all-sections"
                       : options->split_layout ? "split-layout"
                       : options->partial      ? "gen-partial-profile"
                                               : NULL;
  if (option)
    contprof_say_warning("--%s has no effect: it is for --extbinary", option);
  if (profile->symbol_count)
    contprof_say_warning("the list of %zu functions of the program is lost: it needs --extbinary",
                         profile->symbol_count);
}

static bool is_hot(void *context, const struct contprof_function_samples *function) {
  const struct contprof_function_samples *hottest_out = context;
  return function->total != hottest_out->total
             ? function->total > hottest_out->total
             : contprof_samples_compare(function, hottest_out) < 0;
}

// Leaves the coldest functions out, so many as bring `size` near the limit by the square of the
// ratio; one at least (DefaultFunctionPruningStrategy in
// llvm/lib/ProfileData/SampleProfWriter.cpp).
static void leave_coldest_out(struct contprof_sample_profile *profile, uint64_t limit,
                              size_t size) {
  double ratio = (double)limit / (double)size, count = (double)profile->function_count;
  size_t kept = (size_t)round(count * ratio * ratio);
  if (kept >= profile->function_count)
    kept = profile->function_count - 1;
  struct contprof_function_samples **sorted = contprof_samples_sorted(profile);
  contprof_samples_keep(profile, is_hot, sorted[kept]);
  free(sorted);
}

// The bytes to write.
static bool put(struct contprof_sample_profile *profile,
                const struct contprof_sample_write_options *how, uint64_t limit,
                struct contprof_byte_writer *bytes, struct contprof_error *error) {
  while (contprof_sample_put(profile, how, bytes, error)) {
    if (!limit || bytes->size <= limit)
      return true;
    if (profile->function_count)
      leave_coldest_out(profile, limit, bytes->size);
    contprof_byte_writer_free(bytes);
    if (!profile->function_count)
      return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                           "--output-size-limit=%" PRIu64 ": no function fits", limit);
  }
  return false;
}

bool contprof_samples_output(const struct contprof_merge_options *options,
                             const struct contprof_name_filter *filter,
                             struct contprof_sample_profile *profile,
                             struct contprof_error *error) {
  const struct contprof_merge_sample_options *samples = &options->samples;
  struct contprof_sample_write_options how = {.format = format_of(options),
                                              .md5_names = samples->md5_names,
                                              .compress = samples->compress,
                                              .split_layout = samples->split_layout};
  struct contprof_byte_writer bytes = {0};
  if (!lay_out(samples, profile, error))
    return false;
  leave_out(filter, profile);
  if (how.format != CONTPROF_SAMPLE_EXTBINARY)
    say_loss(samples, profile);
  bool ok = put(profile, &how, samples->size_limit, &bytes, error) &&
            contprof_output_write(options->output, bytes.bytes, bytes.size, error);
  contprof_byte_writer_free(&bytes);
  return ok;
}
