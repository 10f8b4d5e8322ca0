#include "overlap_samples.h"

#include "../sample/sample_overlap.h"
#include "../sample/sample_summary.h"
#include "column_text.h"
#include "messages.h"

#include <inttypes.h>
#include <stdlib.h>

static double percent(double part, double whole) {
  return whole > 0 ? part / whole * 100 : 0;
}

static void print_program(FILE *to, const struct contprof_sample_overlap *overlap) {
  const struct contprof_shared_samples *samples = &overlap->samples;
  fprintf(to, "  Whole program profile similarity: %.3f%%\n", overlap->similarity * 100);
  fprintf(to, "  Whole program sample overlap: %.3f%%\n",
          percent((double)samples->overlap, (double)samples->either));
  fprintf(to, "    percentage of samples unique in base profile: %.3f%%\n",
          percent((double)samples->base_only, (double)samples->base));
  fprintf(to, "    percentage of samples unique in test profile: %.3f%%\n",
          percent((double)samples->test_only, (double)samples->test));
  fprintf(to, "    total samples in base profile: %" PRIu64 "\n", samples->base);
  fprintf(to, "    total samples in test profile: %" PRIu64 "\n", samples->test);
}

// The lines of functions, hot functions or hot blocks.
static void print_shared(FILE *to, const char *title, const char *things,
                         const struct contprof_shared *shared, uint64_t base_only,
                         uint64_t test_only) {
  fprintf(to, "  %s overlap: %.3f%%\n", title,
          percent((double)shared->both, (double)shared->either));
  fprintf(to, "    overlap %s: %" PRIu64 "\n", things, shared->both);
  fprintf(to, "    %s unique in base profile: %" PRIu64 "\n", things, base_only);
  fprintf(to, "    %s unique in test profile: %" PRIu64 "\n", things, test_only);
}

// Where the columns of the list begin.
static const int COLUMNS[] = {0, 15, 30, 43, 53, 67, 81, 96, 111};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static void print_heading(FILE *to) {
  static const char *const TITLES[COLUMN_COUNT] = {"Base weight",  "Test weight",  "Similarity",
                                                   "Overlap",      "Base unique",  "Test unique",
                                                   "Base samples", "Test samples", "Function name"};
  struct contprof_column_line line = contprof_column_line_begin(to);
  fputs("Function-level details:\n", to);
  for (int i = 0; i < COLUMN_COUNT; i++) {
    if (i)
      contprof_column_start(&line, COLUMNS[i]);
    contprof_column_print(&line, "%s", TITLES[i]);
  }
  fputc('\n', to);
}

static void print_function(FILE *to, const struct contprof_function_overlap *one) {
  const struct contprof_shared_samples *samples = &one->samples;
  const double percents[] = {one->base_weight * 100,
                             one->test_weight * 100,
                             one->similarity * 100,
                             percent((double)samples->overlap, (double)samples->either),
                             percent((double)samples->base_only, (double)samples->base),
                             percent((double)samples->test_only, (double)samples->test)};
  enum { PERCENTS = sizeof percents / sizeof *percents };
  struct contprof_column_line line = contprof_column_line_begin(to);
  for (int i = 0; i < PERCENTS; i++) {
    if (i)
      contprof_column_start(&line, COLUMNS[i]);
    contprof_column_print(&line, "%.2f%%", percents[i]);
  }
  contprof_column_start(&line, COLUMNS[PERCENTS]);
  contprof_column_print(&line, "%" PRIu64, samples->base);
  contprof_column_start(&line, COLUMNS[PERCENTS + 1]);
  contprof_column_print(&line, "%" PRIu64, samples->test);
  contprof_column_start(&line, COLUMNS[PERCENTS + 2]);
  char *name = contprof_samples_text(one->function);
  contprof_column_print(&line, "%s\n", name);
  free(name);
}

static void print_overlap(FILE *to, const struct contprof_sample_overlap *overlap, char **paths) {
  const struct contprof_shared *functions = &overlap->hot_functions, *lines = &overlap->hot_lines;
  fprintf(to,
          "Profile overlap infomation for base_profile: %s and test_profile: %s\n"
          "Program level:\n",
          paths[0], paths[1]);
  print_program(to, overlap);
  print_shared(to, "Function", "functions", &overlap->functions, overlap->base_only_functions,
               overlap->test_only_functions);
  print_shared(to, "Hot-function", "hot functions", functions, functions->base - functions->both,
               functions->test - functions->both);
  print_shared(to, "Hot-block", "hot blocks", lines, lines->base - lines->both,
               lines->test - lines->both);
  if (overlap->listed_count)
    print_heading(to);
  for (size_t i = 0; i < overlap->listed_count; i++)
    print_function(to, &overlap->listed[i]);
}

static bool are_comparable(const struct contprof_sample_profile profiles[2]) {
  const char *kind = profiles[0].probe_based != profiles[1].probe_based ? "probe-based"
                     : profiles[0].context_sensitive != profiles[1].context_sensitive
                         ? "context-sensitive"
                         : NULL;
  if (kind)
    contprof_say_error("one profile is %s and the other is not: they can't be compared", kind);
  return !kind;
}

enum { HOT = 990000 }; // millionths of all samples that hot lines make up

static uint64_t hot_count(const struct contprof_sample_profile *profile) {
  struct contprof_sample_summary summary;
  contprof_sample_summarise(profile, &summary);
  uint64_t count = contprof_sample_threshold(&summary, HOT);
  contprof_sample_summary_free(&summary);
  return count;
}

bool contprof_overlap_samples(FILE *to, const struct contprof_sample_profile profiles[2],
                              char **paths,
                              const struct contprof_overlap_samples_options *options) {
  struct contprof_sample_overlap_options what = {.value_cutoff = options->value_cutoff,
                                                 .low_similarity =
                                                     (double)options->similarity_cutoff / 1000000,
                                                 .function = options->function,
                                                 .base_hot = hot_count(&profiles[0]),
                                                 .test_hot = hot_count(&profiles[1])};
  struct contprof_sample_overlap overlap;
  if (!are_comparable(profiles))
    return false;
  contprof_sample_overlap_of(&profiles[0], &profiles[1], &what, &overlap);
  for (int i = 0; i < 2; i++)
    if (!(i ? overlap.samples.test : overlap.samples.base))
      fprintf(to, "Sum of sample counts for profile %s is 0.\n", paths[i]);
  if (overlap.samples.base && overlap.samples.test)
    print_overlap(to, &overlap, paths);
  contprof_sample_overlap_free(&overlap);
  return true;
}
