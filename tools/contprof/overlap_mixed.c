#include "overlap_mixed.h"

#include "../base/file_view.h"
#include "../combine/heat_overlap.h"
#include "../combine/supplement.h"
#include "../sample/sample_format.h"
#include "messages.h"
#include "text_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

bool contprof_is_sample_profile(const char *path, bool otherwise) {
  struct stat status;
  if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
    return otherwise;
  struct contprof_file_view file = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool is = contprof_file_open(path, &file, &error) && contprof_is_sample(file.bytes, file.size);
  contprof_file_close(&file);
  return is;
}

static void print_apart(FILE *to, const struct contprof_heat_overlap *overlap, bool counted) {
  bool titled = false;
  for (size_t i = 0; i < overlap->apart_count; i++) {
    const struct contprof_heat_share *share = &overlap->apart[i];
    if ((share->counted > share->sampled) != counted)
      continue;
    if (!titled)
      fprintf(to, "Hot in the %s, not in the %s (share of counts, of samples):\n",
              counted ? "counts" : "samples", counted ? "samples" : "counts");
    titled = true;
    fprintf(to, "  %7.3f%%  %7.3f%%  ", share->counted * 100, share->sampled * 100);
    if (share->name)
      fprintf(to, "%s\n", share->name);
    else
      fprintf(to, "%" PRIu64 "\n", share->hash);
  }
}

static void print(FILE *to, const struct contprof_heat_overlap *overlap, char **paths,
                  int sampled) {
  if (!overlap->counted || !overlap->sampled) {
    fprintf(to, "%s has no %s.\n", paths[overlap->counted ? sampled : 1 - sampled],
            overlap->counted ? "samples" : "counts");
    return;
  }
  fprintf(to, "Overlap of function heat, counts of %s and samples of %s: %.3f%%\n",
          paths[1 - sampled], paths[sampled], overlap->overlap * 100);
  fprintf(to, "  # of functions in both: %zu\n", overlap->common);
  fprintf(to, "  # of functions only in the counts: %zu, with %.3f%% of their heat\n",
          overlap->counted_only, overlap->counted_alone * 100);
  fprintf(to, "  # of functions only in the samples: %zu, with %.3f%% of their heat\n",
          overlap->sampled_only, overlap->sampled_alone * 100);
  print_apart(to, overlap, true);
  print_apart(to, overlap, false);
}

static void compare(FILE *to, const struct contprof_profile *profile,
                    const struct contprof_sample_profile *sample, char **paths, int sampled) {
  const struct contprof_combine_options options = {.min_size = CONTPROF_SUPPLEMENT_MIN_SIZE,
                                                   .zero_threshold =
                                                       CONTPROF_SUPPLEMENT_ZERO_THRESHOLD,
                                                   .tolerance = CONTPROF_COMBINE_TOLERANCE,
                                                   .trusted = CONTPROF_COMBINE_TRUSTED};
  struct contprof_combination all;
  struct contprof_heat_overlap overlap;
  contprof_combine(&all, profile, sample, &options);
  contprof_heat_overlap_of(&overlap, &all, options.tolerance);
  print(to, &overlap, paths, sampled);
  contprof_heat_overlap_free(&overlap);
  contprof_combination_free(&all);
}

static bool load_samples(const char *path, struct contprof_sample_profile *sample) {
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_read(path, sample, &error);
  if (!ok)
    contprof_say_failure(&error);
  return ok;
}

int contprof_overlap_mixed(char **paths, int sampled, const char *output) {
  struct contprof_profile profile = {0};
  struct contprof_sample_profile sample = {0};
  struct contprof_text_report report;
  bool ok = contprof_report_load(paths[1 - sampled], &profile);
  ok = load_samples(paths[sampled], &sample) && ok;
  contprof_report_begin(&report);
  contprof_profile_sort(&profile);
  if (ok && report.to)
    compare(report.to, &profile, &sample, paths, sampled);
  ok = contprof_report_write(&report, output, ok) && ok;
  contprof_profile_free(&profile);
  contprof_sample_profile_free(&sample);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}
