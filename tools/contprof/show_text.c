#include "show_text.h"
#include "../base/memory.h"

#include "../instr/hot_values.h"
#include "../instr/ref_index.h"
#include "../instr/text_writer.h"
#include "cutoffs_text.h"
#include "hot_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What value sites of one kind have seen, over all shown functions.
struct site_statistics {
  uint64_t sites, sites_with_values, values;
  uint64_t *histogram; // of sites: entry N-1 counts those with N values; owned
  size_t room;         // entries of `histogram`
};

struct printer {
  FILE *to;
  const struct contprof_profile *profile;
  const struct contprof_show_options *options;
  bool ir;                          // IR instrumentation
  uint64_t shown;                   // functions
  uint64_t below_cutoff;            // functions
  struct contprof_ref_index by_ref; // all functions
  struct contprof_hot_list hottest;
  struct site_statistics statistics[CONTPROF_VALUE_KINDS];
};

// --- names of values ----------------------------------------------------------------------------

// A function or vtable that is not in the profile has no name there, and none is printed, but in
// text, which has the names themselves.
static void print_target(const struct printer *printer, uint64_t ref) {
  const struct contprof_function *target = contprof_ref_index_find(&printer->by_ref, ref);
  const struct contprof_name *name = contprof_name_table_find(&printer->profile->vtables, ref);
  if (!name)
    name = contprof_name_table_find(&printer->profile->targets, ref);
  if (target)
    fwrite(target->name, 1, target->name_length, printer->to);
  else if (name)
    fwrite(name->text, 1, name->length, printer->to);
}

// --- value sites --------------------------------------------------------------------------------

static void count_site(struct site_statistics *statistics, uint32_t values) {
  statistics->sites_with_values++;
  statistics->values += values;
  if (values > statistics->room) {
    statistics->histogram = contprof_need_array(statistics->histogram, values, sizeof(uint64_t));
    memset(statistics->histogram + statistics->room, 0,
           (values - statistics->room) * sizeof(uint64_t));
    statistics->room = values;
  }
  statistics->histogram[values - 1]++;
}

static void print_site(const struct printer *printer, enum contprof_value_kind kind, uint32_t index,
                       const struct contprof_value_site *site) {
  struct contprof_value *values = contprof_values_as_read(site);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < site->count; i++)
    sum += values[i].count;
  for (uint32_t i = 0; i < site->count; i++) {
    fprintf(printer->to, "\t[ %2u, ", index);
    if (kind == CONTPROF_MEMOP_SIZES)
      fprintf(printer->to, "%4" PRIu64, values[i].value);
    else
      print_target(printer, values[i].value);
    fprintf(printer->to, ", %10" PRId64 " ] (%.2f%%)\n", (int64_t)values[i].count,
            (double)values[i].count * 100.0 / (double)(sum ? sum : 1));
  }
  free(values);
}

static void print_sites(struct printer *printer, const struct contprof_function *function,
                        enum contprof_value_kind kind, const char *heading) {
  fputs(heading, printer->to);
  printer->statistics[kind].sites += function->site_count[kind];
  for (uint32_t i = 0; i < function->site_count[kind]; i++) {
    const struct contprof_value_site *site = &function->sites[kind][i];
    if (!site->count)
      continue;
    count_site(&printer->statistics[kind], site->count);
    print_site(printer, kind, i, site);
  }
}

static void print_statistics(const struct printer *printer, enum contprof_value_kind kind,
                             const char *what) {
  const struct site_statistics *statistics = &printer->statistics[kind];
  fprintf(printer->to, "Statistics for %s:\n", what);
  fprintf(printer->to, "  Total number of sites: %" PRIu64 "\n", statistics->sites);
  fprintf(printer->to, "  Total number of sites with values: %" PRIu64 "\n",
          statistics->sites_with_values);
  fprintf(printer->to, "  Total number of profiled values: %" PRIu64 "\n", statistics->values);
  fputs("  Value sites histogram:\n\tNumTargets, SiteCount\n", printer->to);
  for (size_t i = 0; i < statistics->room; i++)
    if (statistics->histogram[i])
      fprintf(printer->to, "\t%zu, %" PRIu64 "\n", i + 1, statistics->histogram[i]);
}

// --- functions ----------------------------------------------------------------------------------

static void print_name(const struct printer *printer, const struct contprof_function *function) {
  fwrite(function->name, 1, function->name_length, printer->to);
}

static void print_head(struct printer *printer, const struct contprof_function *function) {
  if (!printer->shown++)
    fputs("Counters:\n", printer->to);
  fputs("  ", printer->to);
  print_name(printer, function);
  fprintf(printer->to, ":\n    Hash: 0x%016" PRIx64 "\n    Counters: %" PRIu32, function->hash,
          function->counter_count);
}

// Of the front-end's counters the first is the function's own, printed apart.
static void print_counts(const struct printer *printer, const struct contprof_function *function) {
  uint32_t first = printer->ir ? 0 : 1;
  fputs("    Block counts: [", printer->to);
  for (uint32_t i = first; i < function->counter_count; i++)
    fprintf(printer->to, "%s%" PRIu64, i == first ? "" : ", ", function->counters[i]);
  fputs("]\n", printer->to);
}

static void print_function(struct printer *printer, const struct contprof_function *function) {
  const struct contprof_show_options *options = printer->options;
  uint32_t memops = function->site_count[CONTPROF_MEMOP_SIZES];
  print_head(printer, function);
  fputc('\n', printer->to);
  if (!printer->ir)
    fprintf(printer->to, "    Function count: %" PRIu64 "\n", function->counters[0]);
  if (options->ic_targets)
    fprintf(printer->to, "    Indirect Call Site Count: %" PRIu32 "\n",
            function->site_count[CONTPROF_CALL_TARGETS]);
  if (options->vtables)
    fprintf(printer->to, "    Number of instrumented vtables: %" PRIu32 "\n",
            function->site_count[CONTPROF_VTABLES]);
  if (options->memop_sizes && memops)
    fprintf(printer->to, "    Number of Memory Intrinsics Calls: %" PRIu32 "\n", memops);
  if (options->counts)
    print_counts(printer, function);
  if (options->ic_targets)
    print_sites(printer, function, CONTPROF_CALL_TARGETS, "    Indirect Target Results:\n");
  if (options->vtables)
    print_sites(printer, function, CONTPROF_VTABLES, "    VTable Results:\n");
  if (options->memop_sizes && memops)
    print_sites(printer, function, CONTPROF_MEMOP_SIZES, "    Memory Intrinsic Size Results:\n");
}

static bool is_wanted(const struct contprof_show_options *options,
                      const struct contprof_function *function) {
  return options->all_functions || (options->function && *options->function &&
                                    memmem(function->name, function->name_length, options->function,
                                           strlen(options->function)));
}

static uint64_t largest_count(const struct contprof_function *function, uint64_t *sum) {
  uint64_t largest = 0;
  *sum = 0;
  for (uint32_t i = 0; i < function->counter_count; i++) {
    *sum += function->counters[i];
    if (function->counters[i] > largest)
      largest = function->counters[i];
  }
  return largest;
}

static void visit_below_cutoff(struct printer *printer, const struct contprof_function *function,
                               uint64_t largest, uint64_t sum) {
  printer->below_cutoff++;
  if (!printer->options->list_below_cutoff)
    return;
  fputs("  ", printer->to);
  print_name(printer, function);
  fprintf(printer->to, ": (Max = %" PRIu64 " Sum = %" PRIu64 ")\n", largest, sum);
}

static void visit_pseudo(struct printer *printer, const struct contprof_function *function) {
  if (!is_wanted(printer->options, function))
    return;
  print_head(printer, function);
  fputs(function->counters[0] == CONTPROF_COUNT_HOT ? "    <PseudoHot>\n" : "    <PseudoWarm>\n",
        printer->to);
}

static void print_as_text(const struct printer *printer, const struct contprof_function *function) {
  struct contprof_byte_writer text = {0};
  const struct contprof_text_names names = {printer->by_ref, &printer->profile->vtables};
  contprof_text_write_function(&text, &names, function, true);
  fwrite(text.bytes, 1, text.size, printer->to);
  contprof_byte_writer_free(&text);
}

static void visit(struct printer *printer, const struct contprof_function *function) {
  uint64_t sum, largest = largest_count(function, &sum);
  if (printer->options->text && is_wanted(printer->options, function)) {
    print_as_text(printer, function);
    return;
  }
  if (printer->options->covered) {
    if (largest) {
      print_name(printer, function);
      fputc('\n', printer->to);
    }
    return;
  }
  if (function->counters[0] >= CONTPROF_COUNT_WARM) {
    visit_pseudo(printer, function);
    return;
  }
  if (largest < printer->options->value_cutoff) {
    visit_below_cutoff(printer, function, largest, sum);
    return;
  }
  if (printer->options->list_below_cutoff)
    return;
  contprof_hot_list_add(&printer->hottest, function, largest);
  if (is_wanted(printer->options, function))
    print_function(printer, function);
}

static void visit_all(struct printer *printer) {
  for (size_t i = 0; i < printer->profile->function_count; i++) {
    const struct contprof_function *function = printer->profile->functions[i];
    bool context_sensitive = function->hash & CONTPROF_HASH_CS;
    if (function->counter_count &&
        (!printer->ir || context_sensitive == printer->options->context_sensitive))
      visit(printer, function);
  }
}

// --- what stands below the functions ------------------------------------------------------------

static void print_totals(const struct printer *printer, const struct contprof_summary *summary) {
  const struct contprof_show_options *options = printer->options;
  FILE *to = printer->to;
  if (printer->ir)
    fprintf(to, "Instrumentation level: IR  entry_first = %d\n",
            !!(printer->profile->variant & CONTPROF_VARIANT_ENTRY_FIRST));
  else
    fputs("Instrumentation level: Front-end\n", to);
  if (options->all_functions || (options->function && *options->function))
    fprintf(to, "Functions shown: %" PRIu64 "\n", printer->shown);
  fprintf(to, "Total functions: %" PRIu64 "\n", summary->function_count);
  if (options->value_cutoff) {
    fprintf(to, "Number of functions with maximum count (< %" PRIu64 "): %" PRIu64 "\n",
            options->value_cutoff, printer->below_cutoff);
    fprintf(to, "Number of functions with maximum count (>= %" PRIu64 "): %" PRIu64 "\n",
            options->value_cutoff, summary->function_count - printer->below_cutoff);
  }
  fprintf(to, "Maximum function count: %" PRIu64 "\n", summary->max_function_count);
  fprintf(to, "Maximum internal block count: %" PRIu64 "\n", summary->max_internal_count);
}

static void print_hottest(struct printer *printer) {
  contprof_hot_list_sort(&printer->hottest);
  fprintf(printer->to, "Top %" PRIu64 " functions with the largest internal block counts: \n",
          printer->options->top_count);
  for (size_t i = 0; i < printer->hottest.count; i++) {
    fputs("  ", printer->to);
    print_name(printer, printer->hottest.entries[i].function);
    fprintf(printer->to, ", max count = %" PRIu64 "\n", printer->hottest.entries[i].count);
  }
}

static void print_detailed_summary(const struct printer *printer,
                                   const struct contprof_summary *summary) {
  fprintf(printer->to, "Total number of blocks: %" PRIu64 "\n", summary->counter_count);
  fprintf(printer->to, "Total count: %" PRIu64 "\n", summary->total_count);
  contprof_print_cutoffs(printer->to, summary->entries, summary->entry_count);
}

// Of text, and of a raw profile without ids, llvm-profdata prints no heading either.
static void print_binary_ids(const struct printer *printer) {
  const struct contprof_profile *profile = printer->profile;
  if (!profile->binary_id_count && profile->format != CONTPROF_FORMAT_INDEXED)
    return;
  fputs("Binary IDs: \n", printer->to);
  for (size_t i = 0; i < profile->binary_id_count; i++) {
    for (uint64_t j = 0; j < profile->binary_ids[i].size; j++)
      fprintf(printer->to, "%02x", profile->binary_ids[i].bytes[j]);
    fputc('\n', printer->to);
  }
}

static enum contprof_summary_of summarised(const struct printer *printer) {
  if (!printer->ir)
    return CONTPROF_SUMMARY_ALL;
  return printer->options->context_sensitive ? CONTPROF_SUMMARY_CS : CONTPROF_SUMMARY_PLAIN;
}

static void print_rest(struct printer *printer) {
  const struct contprof_show_options *options = printer->options;
  struct contprof_summary summary;
  // Without cutoffs there is no need to sort all counts.
  if (options->cutoffs.count || !options->detailed_summary)
    contprof_summarise_at(printer->profile, summarised(printer), &options->cutoffs, &summary);
  else
    contprof_summarise(printer->profile, summarised(printer), &summary);
  print_totals(printer, &summary);
  if (options->top_count)
    print_hottest(printer);
  if (printer->shown && options->ic_targets)
    print_statistics(printer, CONTPROF_CALL_TARGETS, "indirect call sites profile");
  if (printer->shown && options->vtables)
    print_statistics(printer, CONTPROF_VTABLES, "vtable profile");
  if (printer->shown && options->memop_sizes)
    print_statistics(printer, CONTPROF_MEMOP_SIZES, "memory intrinsic calls sizes profile");
  if (options->detailed_summary)
    print_detailed_summary(printer, &summary);
  if (options->binary_ids)
    print_binary_ids(printer);
  if (options->profile_version)
    fprintf(printer->to, "Profile version: %" PRIu64 "\n", printer->profile->version);
  contprof_summary_free(&summary);
}

void contprof_show_profile(FILE *to, const struct contprof_profile *profile,
                           const struct contprof_show_options *options) {
  struct printer printer = {.to = to, .profile = profile, .options = options};
  printer.ir = profile->variant & CONTPROF_VARIANT_IR;
  printer.hottest = contprof_hot_list_new(options->top_count, profile->function_count);
  if (options->ic_targets || options->vtables || options->text)
    printer.by_ref = contprof_ref_index_of(profile);
  if (options->text && printer.ir)
    fputs(":ir\n", to);
  if (options->list_below_cutoff && !options->text)
    fprintf(to, "The list of functions with the maximum counter less than %" PRIu64 ":\n",
            options->value_cutoff);
  visit_all(&printer);
  if (!options->covered && !options->text)
    print_rest(&printer);
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    free(printer.statistics[kind].histogram);
  contprof_hot_list_free(&printer.hottest);
  contprof_ref_index_free(&printer.by_ref);
}
