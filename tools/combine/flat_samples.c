#include "flat_samples.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// While flattening: all copies of a function as one of `copies`, under the name of its group, or
// under its own; and in `alone` what is not inlined.
struct flattening {
  const struct contprof_sample_profile *sample;
  const struct contprof_name_match *match;
  struct contprof_sample_profile copies, alone;
};

// The function of `profile` for the samples of that name.
static struct contprof_function_samples *flat_function(const struct contprof_name_match *match,
                                                       struct contprof_sample_profile *profile,
                                                       const struct contprof_sample_name *name) {
  size_t group = contprof_name_match_find(match, name);
  const struct contprof_sample_name *flat;
  if (group < CONTPROF_MATCH_SEVERAL) {
    const struct contprof_function *function = *match->groups[group].functions;
    flat = contprof_sample_name_of(profile, function->name, function->name_length);
  } else {
    flat = name->text ? contprof_sample_name_of(profile, name->text, name->length)
                      : contprof_sample_name_of_hash(profile, contprof_sample_name_hash(name));
  }
  return contprof_samples_of(profile, flat);
}

// Adds entries and lines, without what is inlined.
static void add_own(const struct contprof_name_match *match,
                    struct contprof_sample_profile *profile,
                    const struct contprof_function_samples *from, bool inlined) {
  struct contprof_function_samples *into = flat_function(match, profile, from->name);
  uint64_t entries = from->head && !inlined ? from->head : contprof_samples_head_estimate(from);
  into->head = contprof_samples_add(into->head, entries, 1, &profile->saturated);
  for (size_t i = 0; i < from->body_count; i++) {
    struct contprof_body_sample *body = contprof_body_at(profile, into, from->bodies[i].line);
    body->count = contprof_samples_add(body->count, from->bodies[i].count, 1, &profile->saturated);
    into->total = contprof_samples_add(into->total, from->bodies[i].count, 1, &profile->saturated);
  }
}

static void add(struct flattening *all, const struct contprof_function_samples *from,
                bool inlined) {
  add_own(all->match, &all->copies, from, inlined);
  if (!inlined)
    add_own(all->match, &all->alone, from, false);
  for (size_t i = 0; i < from->callsite_count; i++)
    for (uint32_t j = 0; j < from->callsites[i].inlinee_count; j++)
      add(all, from->callsites[i].inlinees[j], true);
}

static struct contprof_flat_heat heat_of(const struct contprof_function_samples *samples) {
  struct contprof_flat_heat heat = {
      .total = samples->total, .entries = samples->head, .seen = true};
  for (size_t i = 0; i < samples->body_count; i++)
    if (samples->bodies[i].count > heat.hottest)
      heat.hottest = samples->bodies[i].count;
  return heat;
}

static struct contprof_unknown_samples unknown_of(const struct contprof_function_samples *samples,
                                                  bool ambiguous) {
  struct contprof_unknown_samples unknown = {.hash = contprof_sample_name_hash(samples->name),
                                             .heat = heat_of(samples),
                                             .ambiguous = ambiguous};
  if (samples->name->text)
    unknown.name = contprof_need(strdup(samples->name->text));
  return unknown;
}

static int hottest_first(const void *left_entry, const void *right_entry) {
  const struct contprof_unknown_samples *left = left_entry, *right = right_entry;
  if (left->heat.total != right->heat.total)
    return left->heat.total > right->heat.total ? -1 : 1;
  return left->hash < right->hash ? -1 : left->hash > right->hash;
}

static void take_heats(struct flattening *all, struct contprof_flat_samples *flat) {
  for (size_t i = 0; i < all->copies.function_count; i++) {
    const struct contprof_function_samples *samples = all->copies.functions[i];
    size_t group = contprof_name_match_find(all->match, samples->name);
    if (group < CONTPROF_MATCH_SEVERAL)
      flat->heats[group] = heat_of(samples);
    else
      flat->unknowns[flat->unknown_count++] = unknown_of(samples, group == CONTPROF_MATCH_SEVERAL);
  }
  for (size_t i = 0; i < all->alone.function_count; i++) {
    struct contprof_flat_heat heat = heat_of(all->alone.functions[i]);
    size_t group = contprof_name_match_find(all->match, all->alone.functions[i]->name);
    if (group < CONTPROF_MATCH_SEVERAL)
      flat->heats[group].alone = contprof_flat_peak(&heat);
  }
  if (flat->unknown_count)
    qsort(flat->unknowns, flat->unknown_count, sizeof *flat->unknowns, hottest_first);
}

static void mark_listed(struct flattening *all, struct contprof_flat_samples *flat) {
  for (size_t i = 0; i < all->sample->symbol_count; i++) {
    const char *text = all->sample->symbols[i];
    size_t length = strlen(text);
    struct contprof_sample_name name = {.text = text, .length = length}; // remembers its hash
    size_t group = contprof_name_match_find(all->match, &name);
    if (group < CONTPROF_MATCH_SEVERAL)
      flat->heats[group].listed = true;
  }
}

void contprof_flatten_samples(struct contprof_flat_samples *flat,
                              const struct contprof_sample_profile *sample,
                              const struct contprof_name_match *match) {
  struct flattening all = {.sample = sample, .match = match};
  for (size_t i = 0; i < sample->function_count; i++)
    add(&all, sample->functions[i], false);
  *flat = (struct contprof_flat_samples){0};
  flat->heats = contprof_need(calloc(match->group_count + 1, sizeof *flat->heats));
  flat->unknowns = contprof_need(calloc(all.copies.function_count + 1, sizeof *flat->unknowns));
  take_heats(&all, flat);
  mark_listed(&all, flat);
  contprof_sample_profile_free(&all.copies);
  contprof_sample_profile_free(&all.alone);
}

void contprof_flat_samples_free(struct contprof_flat_samples *flat) {
  for (size_t i = 0; i < flat->unknown_count; i++)
    free(flat->unknowns[i].name);
  free(flat->heats);
  free(flat->unknowns);
  *flat = (struct contprof_flat_samples){0};
}
