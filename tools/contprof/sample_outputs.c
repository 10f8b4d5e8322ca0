#include "sample_outputs.h"

#include "../base/memory.h"
#include "../base/output_file.h"
#include "inputs.h"
#include "messages.h"
#include "text_report.h"

#include <stdlib.h>
#include <string.h>

// A recording can't be made again, nor often a binary. A sample profile may be trimmed in its
// place.
static bool keeps_inputs(const struct contprof_sample_options *options, const char *output) {
  char *debug[] = {(char *)options->debug_binary, (char *)options->dwp};
  if (!contprof_report_keeps_inputs((int)options->binaries.count, options->binaries.words, output))
    return false;
  if (options->kind != CONTPROF_INPUT_SAMPLE_PROFILE &&
      !contprof_report_keeps_inputs((int)options->inputs.count, options->inputs.words, output))
    return false;
  for (size_t i = 0; i < sizeof debug / sizeof *debug; i++)
    if (debug[i] && !contprof_report_keeps_inputs(1, &debug[i], output))
      return false;
  return true;
}

static bool can_be_written(const char *output, char place[PATH_MAX]) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (contprof_output_check(output, place, &error))
    return true;
  contprof_say_failure(&error);
  return false;
}

static bool is_apart(const struct contprof_words *outputs, char (*places)[PATH_MAX], size_t index) {
  for (size_t i = 0; i < index; i++)
    if (strcmp(places[i], places[index]) == 0 || contprof_is_same_place(places[i], places[index])) {
      contprof_say_error("%s and %s are one file: two binaries can't have the same output",
                         outputs->words[i], outputs->words[index]);
      return false;
    }
  return true;
}

bool contprof_sample_outputs_good(const struct contprof_sample_options *options) {
  const struct contprof_words *outputs = &options->outputs;
  char(*places)[PATH_MAX] = contprof_need_array(NULL, outputs->count, sizeof *places);
  bool ok = true;
  bool text = options->skip_symbolization || options->write.format == CONTPROF_SAMPLE_TEXT;
  for (size_t i = 0; ok && i < outputs->count; i++)
    ok = contprof_report_spares_terminal(outputs->words[i], text) &&
         keeps_inputs(options, outputs->words[i]) && can_be_written(outputs->words[i], places[i]) &&
         is_apart(outputs, places, i);
  free(places);
  return ok;
}
