#include "sample_input.h"

#include "../sample/converter.h"
#include "../sample/perf_data.h"
#include "../sample/profile_from_counts.h"
#include "../sample/profile_trim.h"
#include "../sample/sample_format.h"
#include "input_kind.h"
#include "sample_report.h"
#include "text_report.h"

#include <string.h>

// The names of all functions that the debug information knows: what has no samples is cold then.
static void list_symbols(const struct contprof_binary *binary,
                         struct contprof_sample_profile *profile) {
  const struct contprof_function_range **ranges;
  size_t count = contprof_binary_ranges(binary, &ranges);
  for (size_t i = 0; i < count; i++) {
    const char *name = ranges[i]->function->name;
    contprof_symbols_add(profile, name, strlen(name));
  }
  contprof_symbols_sort(profile);
}

// Takes the counts of a read recording into the profile, and says what is missing in it, as
// contprof sample does.
static bool make_profile(struct contprof_converter *converter, struct contprof_binary *binary,
                         const struct contprof_sample_options *options,
                         struct contprof_sample_profile *profile, struct contprof_error *error) {
  contprof_converter_finish(converter);
  contprof_report_maps(options, converter, binary, 0);
  if (!contprof_converter_attribution(converter)->by_where[CONTPROF_WHERE_HERE])
    return contprof_fail(error, CONTPROF_MISMATCH, options->input, NULL, CONTPROF_NO_OFFSET,
                         contprof_converter_attribution(converter)->no_code
                             ? "has samples of %s, which does not know what is there: name what "
                               "was stripped off it with --debug-binary=FILE"
                             : "has no samples of %s",
                         options->binaries.words[0]);
  if (!contprof_report_samples(options, converter))
    return contprof_fail(error, CONTPROF_MISMATCH, options->input, NULL, CONTPROF_NO_OFFSET,
                         "has samples that can't be placed");
  contprof_report_binary(options, converter, 0);
  struct contprof_symbolize_options symbolize = {.ip_only = contprof_converter_ip_only(converter)};
  contprof_profile_from_counts(binary, contprof_converter_counts(converter, 0), &symbolize,
                               profile);
  contprof_trim_ambiguous(profile);
  list_symbols(binary, profile);
  return true;
}

static bool read_recording(const char *path, const struct contprof_recorded *recorded,
                           struct contprof_sample_profile *profile, struct contprof_error *error) {
  const struct contprof_binary_options which = {.path = recorded->binary,
                                                .debug_binary = recorded->debug_binary};
  struct contprof_binary *binary = contprof_binary_open(&which, error);
  if (!binary)
    return false;
  char *words[] = {(char *)recorded->binary};
  struct contprof_sample_options options = {.binaries = {words, 1},
                                            .kind = CONTPROF_INPUT_PERF_DATA,
                                            .input = path,
                                            .alike = recorded->alike};
  struct contprof_convert_options convert = {.alike = recorded->alike};
  struct contprof_converter *converter = contprof_converter_new(&binary, 1, &convert);
  struct contprof_perf_notes notes = {0};
  bool ok = contprof_report_debug_info(binary, recorded->binary, error) &&
            contprof_perf_data_read(path, contprof_converter_take, converter, &notes, error);
  if (ok)
    contprof_report_notes(path, &notes);
  ok = ok && make_profile(converter, binary, &options, profile, error);
  contprof_converter_free(converter);
  contprof_binary_close(binary);
  return ok;
}

bool contprof_sample_input_kept(const char *path, const struct contprof_recorded *recorded,
                                const char *output) {
  char *read[] = {(char *)path, (char *)recorded->binary, (char *)recorded->debug_binary};
  for (size_t i = 0; i < sizeof read / sizeof *read; i++)
    if (read[i] && !contprof_report_keeps_inputs(1, &read[i], output))
      return false;
  return true;
}

bool contprof_sample_input(const char *path, const struct contprof_recorded *recorded,
                           struct contprof_sample_profile *profile, struct contprof_error *error) {
  enum contprof_sample_input kind;
  if (!contprof_input_kind(path, &kind, error))
    return false;
  bool recording = kind == CONTPROF_INPUT_PERF_DATA;
  if (recording && !recorded->binary)
    return contprof_fail(error, CONTPROF_USAGE, path, NULL, CONTPROF_NO_OFFSET,
                         "is a recording: name the program with --binary=FILE");
  if (recording)
    return read_recording(path, recorded, profile, error);
  if (recorded->binary && !recorded->beside_profiles)
    return contprof_fail(error, CONTPROF_USAGE, path, NULL, CONTPROF_NO_OFFSET,
                         "is no recording, so that --binary=%s says nothing", recorded->binary);
  return contprof_sample_read(path, profile, error);
}
