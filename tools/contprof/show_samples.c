#include "show_samples.h"

#include "../base/memory.h"
#include "../sample/sample_stats.h"
#include "../sample/sample_summary.h"
#include "column_text.h"
#include "cutoffs_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HOT = 990000 }; // millionths of all samples that hot lines make up

// --- functions ----------------------------------------------------------------------------------

static void print_name(FILE *to, const struct contprof_sample_name *name) {
  if (name->text)
    fwrite(name->text, 1, name->length, to);
  else
    fprintf(to, "%" PRIu64, contprof_sample_name_hash(name));
}

static void print_line(FILE *to, int indent, struct contprof_sample_line line) {
  fprintf(to, "%*s%" PRIu32, indent, "", line.offset);
  if (line.discriminator)
    fprintf(to, ".%" PRIu32, line.discriminator);
  fputs(": ", to);
}

static void print_targets(FILE *to, const struct contprof_body_sample *body) {
  struct contprof_call_target *targets =
      contprof_need_array(NULL, body->target_count, sizeof *targets);
  contprof_targets_sorted(body, targets);
  fputs(", calls:", to);
  for (uint32_t i = 0; i < body->target_count; i++) {
    fputc(' ', to);
    print_name(to, targets[i].name);
    fprintf(to, ":%" PRIu64, targets[i].count);
  }
  free(targets);
}

static void print_bodies(FILE *to, const struct contprof_function_samples *function, int indent) {
  if (!function->body_count) {
    fprintf(to, "%*sNo samples collected in the function's body\n", indent, "");
    return;
  }
  fprintf(to, "%*sSamples collected in the function's body {\n", indent, "");
  for (size_t i = 0; i < function->body_count; i++) {
    print_line(to, indent + 2, function->bodies[i].line);
    fprintf(to, "%" PRIu64, function->bodies[i].count);
    if (function->bodies[i].target_count)
      print_targets(to, &function->bodies[i]);
    fputc('\n', to);
  }
  fprintf(to, "%*s}\n", indent, "");
}

static void print_samples(FILE *to, const struct contprof_function_samples *function, int indent);

static void print_callsites(FILE *to, const struct contprof_function_samples *function,
                            int indent) {
  if (!function->callsite_count) {
    fprintf(to, "%*sNo inlined callsites in this function\n", indent, "");
    return;
  }
  fprintf(to, "%*sSamples collected in inlined callsites {\n", indent, "");
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      const struct contprof_function_samples *inlinee = function->callsites[i].inlinees[j];
      print_line(to, indent + 2, function->callsites[i].line);
      fputs("inlined callee: ", to);
      print_name(to, inlinee->name);
      fputs(": ", to);
      print_samples(to, inlinee, indent + 4);
    }
  fprintf(to, "%*s}\n", indent, "");
}

static void print_samples(FILE *to, const struct contprof_function_samples *function, int indent) {
  if (function->cfg_hash)
    fprintf(to, "CFG checksum %" PRIu64 "\n", function->cfg_hash);
  fprintf(to, "%" PRIu64 ", %" PRIu64 ", %zu sampled lines\n", function->total, function->head,
          function->body_count);
  print_bodies(to, function, indent);
  print_callsites(to, function, indent);
}

void contprof_show_function_samples(FILE *to, const struct contprof_function_samples *function) {
  static const struct contprof_function_samples NONE;
  char *name = function ? contprof_samples_text(function) : NULL;
  fprintf(to, "Function: %s: ", name ? name : "");
  print_samples(to, function ? function : &NONE, 0);
  free(name);
}

// --- hot functions ------------------------------------------------------------------------------

struct hot_function {
  const struct contprof_function_samples *function;
  uint64_t hottest; // samples of its hottest line
};

struct hot_functions {
  struct hot_function *functions; // count of them; owned
  size_t count;
  uint64_t samples, all_samples; // total samples of them, and of all functions, modulo 2^64
  uint64_t hot;                  // samples from which on a line is hot
};

static int by_total(const void *left, const void *right) {
  const struct contprof_function_samples *one = ((const struct hot_function *)left)->function;
  const struct contprof_function_samples *other = ((const struct hot_function *)right)->function;
  if (one->total != other->total)
    return one->total < other->total ? 1 : -1;
  return contprof_samples_compare(one, other);
}

static struct hot_functions find_hot(const struct contprof_sample_profile *profile, uint64_t hot) {
  struct hot_functions all = {.hot = hot};
  all.functions = contprof_need_array(NULL, profile->function_count + 1, sizeof *all.functions);
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function_samples *function = profile->functions[i];
    struct contprof_sample_stats stats = contprof_sample_stats_of(function, all.hot);
    all.all_samples += function->total;
    if (stats.hottest < all.hot)
      continue;
    all.samples += function->total;
    all.functions[all.count++] = (struct hot_function){function, stats.hottest};
  }
  qsort(all.functions, all.count, sizeof *all.functions, by_total);
  return all;
}

static const int COLUMNS[] = {0, 24, 42, 58};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static double percent(uint64_t part, uint64_t whole) {
  return whole ? (double)part * 100 / (double)whole : 0;
}

static void print_hot_heading(FILE *to, const struct hot_functions *all, size_t functions) {
  static const char *const TITLES[COLUMN_COUNT] = {"Total sample (%)", "Max sample", "Entry sample",
                                                   "Function name"};
  struct contprof_column_line line = contprof_column_line_begin(to);
  fprintf(to,
          "%zu out of %zu functions with profile (%.2f%%) are considered hot functions (max sample "
          ">= %" PRIu64 ").\n",
          all->count, functions, (double)all->count / (double)functions * 100, all->hot);
  fprintf(to, "%" PRIu64 " out of %" PRIu64 " profile counts (%.2f%%) are from hot functions.\n",
          all->samples, all->all_samples,
          all->all_samples ? (double)all->samples / (double)all->all_samples * 100 : 0);
  for (int i = 0; i < COLUMN_COUNT; i++) {
    contprof_column_start(&line, COLUMNS[i]);
    contprof_column_print(&line, "%s", TITLES[i]);
  }
  fputc('\n', to);
}

static void print_hot_function(FILE *to, const struct hot_function *hot, uint64_t all_samples) {
  const struct contprof_function_samples *function = hot->function;
  struct contprof_column_line line = contprof_column_line_begin(to);
  char *name = contprof_samples_text(function);
  contprof_column_start(&line, COLUMNS[0]);
  contprof_column_print(&line, "%" PRIu64 " (%.2f%%)", function->total,
                        percent(function->total, all_samples));
  contprof_column_start(&line, COLUMNS[1]);
  contprof_column_print(&line, "%" PRIu64, hot->hottest);
  contprof_column_start(&line, COLUMNS[2]);
  contprof_column_print(&line, "%" PRIu64, contprof_samples_head_estimate(function));
  contprof_column_start(&line, COLUMNS[3]);
  contprof_column_print(&line, "%s\n", name);
  free(name);
}

static void print_hot_functions(FILE *to, const struct contprof_sample_profile *profile,
                                uint64_t hot, uint64_t most) {
  struct hot_functions all = find_hot(profile, hot);
  print_hot_heading(to, &all, profile->function_count);
  for (size_t i = 0; i < all.count && (!most || i < most); i++)
    print_hot_function(to, &all.functions[i], all.all_samples);
  free(all.functions);
}

// --- profiles -----------------------------------------------------------------------------------

static void print_all(FILE *to, const struct contprof_sample_profile *profile) {
  struct contprof_function_samples **sorted = contprof_samples_sorted(profile);
  for (size_t i = 0; i < profile->function_count; i++)
    contprof_show_function_samples(to, sorted[i]);
  free(sorted);
}

static void print_symbols(FILE *to, const struct contprof_sample_profile *profile) {
  fputs("======== Dump profile symbol list ========\n", to);
  for (size_t i = 0; i < profile->symbol_count; i++)
    fprintf(to, "%s\n", profile->symbols[i]);
}

static void print_summary(FILE *to, const struct contprof_sample_summary *summary) {
  fprintf(to, "Total functions: %" PRIu64 "\n", summary->function_count);
  fprintf(to, "Maximum function count: %" PRIu64 "\n", summary->max_function_count);
  fprintf(to, "Maximum block count: %" PRIu64 "\n", summary->max_count);
  fprintf(to, "Total number of blocks: %" PRIu64 "\n", summary->counter_count);
  fprintf(to, "Total count: %" PRIu64 "\n", summary->total_count);
  contprof_print_cutoffs(to, summary->entries, summary->entry_count);
}

void contprof_show_samples(FILE *to, const struct contprof_sample_profile *profile,
                           const struct contprof_show_samples_options *options) {
  const char *name = options->function;
  if (!options->all_functions && name && *name)
    contprof_show_function_samples(to, contprof_samples_find(profile, name, strlen(name)));
  else if (options->json)
    contprof_show_samples_json(to, profile);
  else
    print_all(to, profile);
  if (options->symbols)
    print_symbols(to, profile);
  struct contprof_sample_summary summary;
  contprof_sample_summarise(profile, &summary);
  if (options->detailed_summary)
    print_summary(to, &summary);
  if (options->hot_functions || options->top_count)
    print_hot_functions(to, profile, contprof_sample_threshold(&summary, HOT), options->top_count);
  contprof_sample_summary_free(&summary);
}
