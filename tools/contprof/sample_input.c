#include "sample_input.h"

#include "../sample/binary_symbols.h"
#include "../sample/converter.h"
#include "../sample/perf_data.h"
#include "../sample/profile_from_counts.h"
#include "../sample/profile_trim.h"
#include "sample_report.h"

static bool has_counts(const struct contprof_sample_counts *counts) {
  return counts->ranges.count || counts->branches.count;
}

static bool say_none(const struct contprof_attribution *attribution,
                     const struct contprof_sample_options *options, struct contprof_error *error) {
  bool one = options->binaries.count == 1;
  return contprof_fail(error, CONTPROF_MISMATCH, options->input, NULL, CONTPROF_NO_OFFSET,
                       attribution->no_code
                           ? "has samples of %s, which does not know what is there: name what was "
                             "stripped off it with --debug-binary=FILE"
                           : "has no samples of %s",
                       one ? options->binaries.words[0] : "the binaries");
}

// Adds the samples of one binary.
static bool add_binary(struct contprof_converter *converter,
                       const struct contprof_recorded *recorded, size_t index,
                       struct contprof_sample_profile *profile, struct contprof_error *error) {
  struct contprof_symbolize_options symbolize = {.ip_only = contprof_converter_ip_only(converter)};
  struct contprof_sample_profile next = {0};
  recorded->seen[index] = true;
  contprof_profile_from_counts(recorded->opened[index], contprof_converter_counts(converter, index),
                               &symbolize, &next);
  contprof_symbols_of_binary(recorded->opened[index], &next);
  bool ok = contprof_sample_profile_merge(profile, &next, 1, error);
  contprof_sample_profile_free(&next);
  return ok;
}

// Takes the counts of a read recording into the profile, and says what is missing in it, as
// contprof sample does. Of several binaries not each one has to be in each recording.
static bool make_profile(struct contprof_converter *converter,
                         const struct contprof_recorded *recorded,
                         const struct contprof_sample_options *options,
                         struct contprof_sample_profile *profile, struct contprof_error *error) {
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  size_t count = recorded->binaries.count;
  bool ok = true;
  contprof_converter_finish(converter);
  for (size_t i = 0; i < count; i++)
    if (count == 1 || has_counts(contprof_converter_counts(converter, i)) ||
        !attribution->by_where[CONTPROF_WHERE_HERE])
      contprof_report_maps(options, converter, recorded->opened[i], i);
  if (!attribution->by_where[CONTPROF_WHERE_HERE])
    return say_none(attribution, options, error);
  if (!contprof_report_samples(options, converter))
    return contprof_fail(error, CONTPROF_MISMATCH, options->input, NULL, CONTPROF_NO_OFFSET,
                         "has samples that can't be placed");
  for (size_t i = 0; ok && i < count; i++) {
    if (count > 1 && !has_counts(contprof_converter_counts(converter, i)))
      continue;
    contprof_report_binary(options, converter, i);
    ok = add_binary(converter, recorded, i, profile, error);
  }
  contprof_trim_ambiguous(profile);
  return ok;
}

bool contprof_recording_input(const char *path, const struct contprof_recorded *recorded,
                              struct contprof_sample_profile *profile,
                              struct contprof_error *error) {
  char *inputs[] = {(char *)path};
  struct contprof_sample_options options = {.binaries = recorded->binaries,
                                            .kind = CONTPROF_INPUT_PERF_DATA,
                                            .inputs = {inputs, 1},
                                            .input = path,
                                            .alike = recorded->alike};
  struct contprof_convert_options convert = {.alike = recorded->alike};
  struct contprof_converter *converter =
      contprof_converter_new(recorded->opened, recorded->binaries.count, &convert);
  struct contprof_perf_notes notes = {0};
  bool ok = contprof_perf_data_read(path, contprof_converter_take, converter, &notes, error);
  if (ok)
    contprof_report_notes(path, &notes);
  ok = ok && make_profile(converter, recorded, &options, profile, error);
  contprof_converter_free(converter);
  return ok;
}
