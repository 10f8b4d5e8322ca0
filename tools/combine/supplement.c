#include "supplement.h"

#include "../base/memory.h"
#include "hot_thresholds.h"
#include "name_match.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_WITH_LOCALS = 16, FIRST_WITH_SEMICOLON = 18, HOT_FACTOR = 3 };

// What the samples say of a function of the instrumentation profile.
struct heat {
  uint64_t entry; // its entries, those where it is inlined, too
  uint64_t body;  // the largest count of a line
  bool seen;      // there are samples, if only some that count 0
};

struct supplement {
  const struct contprof_supplement_options *options;
  struct contprof_supplement_report *report;
  struct contprof_name_match match;
  struct contprof_hot_thresholds instr, sample;
  struct heat *heats; // by group; owned
  bool context_sensitive;
};

// --- change -------------------------------------------------------------------------------------

static uint64_t scaled(struct supplement *all, uint64_t count, uint64_t numerator,
                       uint64_t denominator) {
  uint64_t product;
  if (__builtin_mul_overflow(count, numerator, &product)) {
    product = UINT64_MAX;
    all->report->saturated++;
  }
  return product / denominator;
}

// InstrProfRecord::scale; LLVM 14 and 15 do not keep off the two marks.
static void scale(struct supplement *all, struct contprof_function *function, uint64_t numerator,
                  uint64_t denominator) {
  for (uint32_t i = 0; i < function->counter_count; i++) {
    uint64_t count = scaled(all, function->counters[i], numerator, denominator);
    bool cut = all->match.rules->locals && count > CONTPROF_COUNT_MAX;
    all->report->saturated += cut;
    function->counters[i] = cut ? CONTPROF_COUNT_MAX : count;
  }
  for (int kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->site_count[kind]; i++)
      for (uint32_t j = 0; j < function->sites[kind][i].count; j++) {
        struct contprof_value *value = &function->sites[kind][i].values[j];
        value->count = scaled(all, value->count, numerator, denominator);
      }
  all->report->scaled++;
}

// Up to LLVM 15 all counters are the mark, from 16 on the first alone; the others stay.
static void mark(struct supplement *all, struct contprof_function *function, bool hot) {
  uint32_t marks = all->match.rules->locals ? 1 : function->counter_count;
  for (uint32_t i = 0; i < marks; i++)
    function->counters[i] = hot ? CONTPROF_COUNT_HOT : CONTPROF_COUNT_WARM;
  all->report->marked_hot += hot;
  all->report->marked_warm += !hot;
}

struct shape {
  uint64_t maximum;
  float zero_share;
};

static struct shape shape_of(const struct contprof_function *function) {
  struct shape shape = {0};
  uint64_t zeros = 0;
  for (uint32_t i = 0; i < function->counter_count; i++) {
    shape.maximum = function->counters[i] > shape.maximum ? function->counters[i] : shape.maximum;
    zeros += !function->counters[i];
  }
  shape.zero_share = (float)zeros / (float)function->counter_count;
  return shape;
}

static void change(struct supplement *all, struct contprof_function *function,
                   const struct shape *shape, bool hot) {
  if (!shape->maximum || shape->zero_share > all->options->zero_counter_threshold) {
    mark(all, function, hot);
    return;
  }
  uint64_t numerator = (hot ? all->instr.hot : all->instr.cold) * HOT_FACTOR;
  if (!all->match.rules->locals || numerator > shape->maximum)
    scale(all, function, numerator, shape->maximum);
}

static bool is_cold(const struct supplement *all, const struct shape *shape) {
  return shape->maximum <= all->instr.cold;
}

// --- LLVM 14 and 15 -----------------------------------------------------------------------------

static void supplement_by_heads(struct supplement *all,
                                const struct contprof_sample_profile *sample) {
  for (size_t i = 0; i < sample->function_count; i++) {
    const struct contprof_function_samples *samples = sample->functions[i];
    size_t group = samples->context_count > 1
                       ? CONTPROF_MATCH_NONE
                       : contprof_name_match_find(&all->match, samples->name);
    if (group >= CONTPROF_MATCH_SEVERAL || samples->head <= all->sample.cold ||
        samples->body_count < all->options->min_size)
      continue;
    struct contprof_function *function = *all->match.groups[group].functions;
    struct shape shape = shape_of(function);
    if (is_cold(all, &shape))
      change(all, function, &shape, true);
  }
}

// --- LLVM 16 and later --------------------------------------------------------------------------

static uint64_t largest_body_of(const struct contprof_function_samples *samples) {
  uint64_t largest = 0;
  for (size_t i = 0; i < samples->body_count; i++)
    if (samples->bodies[i].count > largest)
      largest = samples->bodies[i].count;
  return largest;
}

static uint64_t entries_of(const struct supplement *all,
                           const struct contprof_function_samples *samples) {
  return all->context_sensitive && samples->head ? samples->head
                                                 : contprof_samples_head_estimate(samples);
}

// Counts a function, and those inlined in it, for themselves if the instrumentation knows them, or
// else for `root`, in which they are.
static void gather(struct supplement *all, const struct contprof_function_samples *samples,
                   struct heat *root) {
  size_t group = contprof_name_match_find(&all->match, samples->name);
  uint64_t largest = largest_body_of(samples);
  if (group < CONTPROF_MATCH_SEVERAL)
    root = &all->heats[group];
  root->seen = true;
  if (group != CONTPROF_MATCH_NONE)
    root->entry += entries_of(all, samples);
  if (largest > root->body)
    root->body = largest;
  for (size_t i = 0; i < samples->callsite_count; i++)
    for (uint32_t j = 0; j < samples->callsites[i].inlinee_count; j++)
      gather(all, samples->callsites[i].inlinees[j], root);
}

static uint64_t larger_of(const struct heat *heat) {
  return heat->entry > heat->body ? heat->entry : heat->body;
}

static void gather_all(struct supplement *all, const struct contprof_sample_profile *sample) {
  for (size_t i = 0; i < sample->function_count; i++) {
    const struct contprof_function_samples *samples = sample->functions[i];
    struct heat unknown = {0};
    gather(all, samples, &unknown);
    if (all->report->ambiguous && larger_of(&unknown) >= all->sample.cold && samples->name->text &&
        contprof_name_match_find(&all->match, samples->name) == CONTPROF_MATCH_SEVERAL)
      all->report->ambiguous(samples->name->text);
  }
}

static void supplement_by_flat_heat(struct supplement *all,
                                    const struct contprof_sample_profile *sample) {
  all->heats = calloc(all->match.group_count + 1, sizeof *all->heats);
  contprof_need(all->heats);
  gather_all(all, sample);
  for (size_t i = 0; i < all->match.group_count; i++) {
    struct contprof_function *function = *all->match.groups[i].functions;
    struct shape shape = shape_of(function);
    uint64_t heat = larger_of(&all->heats[i]);
    if (all->heats[i].seen && heat >= all->sample.cold && is_cold(all, &shape) &&
        function->counter_count >= all->options->min_size)
      change(all, function, &shape, heat >= all->sample.hot);
  }
  free(all->heats);
}

// --- all ----------------------------------------------------------------------------------------

static struct contprof_match_rules rules_of(unsigned llvm,
                                            const struct contprof_sample_profile *sample) {
  bool locals = !llvm || llvm >= FIRST_WITH_LOCALS;
  return (struct contprof_match_rules){.single_only = true,
                                       .locals = locals,
                                       .colon = locals && llvm < FIRST_WITH_SEMICOLON,
                                       .semicolon = !llvm || llvm >= FIRST_WITH_SEMICOLON,
                                       .unique_names = contprof_has_unique_names(sample)};
}

void contprof_supplement(struct contprof_profile *profile,
                         const struct contprof_sample_profile *sample,
                         const struct contprof_supplement_options *options,
                         struct contprof_supplement_report *report) {
  const struct contprof_match_rules rules = rules_of(options->llvm, sample);
  struct supplement all = {.options = options,
                           .report = report,
                           .instr = contprof_thresholds_of(profile),
                           .sample = contprof_sample_thresholds_of(sample),
                           .context_sensitive = sample->context_sensitive};
  if (options->cold_threshold)
    all.instr.cold = options->cold_threshold;
  contprof_name_match_begin(&all.match, profile, &rules);
  if (rules.locals)
    supplement_by_flat_heat(&all, sample);
  else
    supplement_by_heads(&all, sample);
  contprof_name_match_free(&all.match);
}
