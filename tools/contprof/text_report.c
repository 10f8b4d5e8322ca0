#include "text_report.h"

#include "../base/output_file.h"
#include "../instr/profile_load.h"
#include "inputs.h"
#include "kind_hint.h"
#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool contprof_report_keeps_inputs(int count, char **paths, const char *output) {
  if (strcmp(output, "-") == 0)
    return true;
  for (int i = 0; i < count; i++)
    if (strcmp(paths[i], "-") != 0 && contprof_is_same_place(paths[i], output)) {
      contprof_say_error("-o %s would replace the input %s: give another name", output, paths[i]);
      return false;
    }
  return true;
}

bool contprof_report_spares_terminal(const char *output, bool text) {
  if (text || strcmp(output, "-") != 0 || !isatty(STDOUT_FILENO))
    return true;
  contprof_say_error("a profile is not written to a terminal; give -o OUT");
  return false;
}

static void say_unreadable(const char *path, const struct contprof_error *error, bool sampled) {
  struct stat status;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    contprof_say_error("%s is a directory: name files in it, or make one profile of them with "
                       "contprof merge",
                       path);
    return;
  }
  contprof_say_failure(error);
  contprof_hint_kind(path, sampled);
}

bool contprof_report_load(const char *path, struct contprof_profile *profile) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!contprof_profile_load(path, profile, &error)) {
    say_unreadable(path, &error, false);
    return false;
  }
  if (profile->functions_dropped)
    contprof_say_warning("%s: %" PRIu64 " functions left out, the first %s: the file holds them in "
                         "other shapes",
                         path, profile->functions_dropped, profile->dropped_names[0]);
  return true;
}

bool contprof_report_load_samples(const char *path, const struct contprof_sample_load *how,
                                  struct contprof_sample_profile *profile) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (contprof_samples_load(path, how, profile, &error))
    return true;
  say_unreadable(path, &error, true);
  return false;
}

void contprof_report_begin(struct contprof_text_report *report) {
  *report = (struct contprof_text_report){0};
  report->to = open_memstream(&report->text, &report->size);
  if (report->to) // one thread prints, piece by piece: a lock for each is a tenth of the time
    __fsetlocking(report->to, FSETLOCKING_BYCALLER);
}

bool contprof_report_write(struct contprof_text_report *report, const char *output, bool wanted) {
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!report->to || fclose(report->to) != 0)
    contprof_fail_errno(&error, errno, NULL, "can't print");
  else if (wanted)
    contprof_output_write(output, report->text, report->size, &error);
  free(report->text);
  if (error.code != CONTPROF_OK)
    contprof_say_failure(&error);
  return error.code == CONTPROF_OK;
}
