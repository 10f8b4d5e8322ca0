#include "sample_flatten.h"

#include "sample_index.h"

#include <string.h>

void contprof_samples_same_kind(struct contprof_sample_profile *into,
                                const struct contprof_sample_profile *from) {
  into->probe_based = from->probe_based;
  into->context_sensitive = from->context_sensitive;
  into->preinlined = from->preinlined;
  into->fs_discriminators = from->fs_discriminators;
  into->md5_names = from->md5_names;
  into->text_names = from->text_names;
  into->unique_suffixes = from->unique_suffixes;
  into->partial = from->partial;
  into->saturated = from->saturated;
  into->filled = from->filled;
  for (size_t i = 0; i < from->symbol_count; i++)
    contprof_symbols_add(into, from->symbols[i], strlen(from->symbols[i]));
}

// The top-level function of the same name, without context.
static struct contprof_function_samples *counterpart(struct contprof_sample_profile *into,
                                                     const struct contprof_function_samples *from) {
  size_t before = into->function_count;
  struct contprof_function_samples *function =
      contprof_samples_of(into, contprof_sample_name_copy(into, from->name));
  if (into->function_count > before) {
    function->cfg_hash = from->cfg_hash;
    function->attributes = from->attributes;
  }
  return function;
}

// --- contexts merged ----------------------------------------------------------------------------

static void merge_contexts(struct contprof_sample_profile *into,
                           const struct contprof_sample_profile *from) {
  for (size_t i = 0; i < from->function_count; i++) {
    const struct contprof_function_samples *function = from->functions[i];
    contprof_samples_merge(
        into, contprof_samples_of(into, contprof_sample_name_copy(into, function->name)), function,
        1);
  }
}

// --- inlined functions --------------------------------------------------------------------------

static void add_to(struct contprof_sample_profile *into, uint64_t *sum, uint64_t count) {
  *sum = contprof_samples_add(*sum, count, 1, &into->saturated);
}

static void add_bodies(struct contprof_sample_profile *into,
                       struct contprof_function_samples *function,
                       const struct contprof_function_samples *from) {
  for (size_t i = 0; i < from->body_count; i++) {
    struct contprof_body_sample *body = contprof_body_at(into, function, from->bodies[i].line);
    add_to(into, &body->count, from->bodies[i].count);
    for (uint32_t j = 0; j < from->bodies[i].target_count; j++)
      contprof_body_add_target(into, body,
                               contprof_sample_name_copy(into, from->bodies[i].targets[j].name),
                               from->bodies[i].targets[j].count);
  }
}

static void flatten_function(struct contprof_sample_profile *into,
                             const struct contprof_function_samples *from);

// An inlined function becomes a call. Returns what is left of its caller's total.
static uint64_t take_out(struct contprof_sample_profile *into,
                         struct contprof_function_samples *caller, struct contprof_sample_line line,
                         const struct contprof_function_samples *inlinee, uint64_t total) {
  uint64_t entries = contprof_samples_head_estimate(inlinee);
  struct contprof_body_sample *body = contprof_body_at(into, caller, line);
  add_to(into, &body->count, entries);
  contprof_body_add_target(into, body, contprof_sample_name_copy(into, inlinee->name), entries);
  flatten_function(into, inlinee);
  return (total > inlinee->total ? total - inlinee->total : 0) + entries;
}

static void flatten_function(struct contprof_sample_profile *into,
                             const struct contprof_function_samples *from) {
  struct contprof_function_samples *function = counterpart(into, from);
  uint64_t total = from->total;
  add_bodies(into, function, from);
  for (size_t i = 0; i < from->callsite_count; i++)
    for (uint32_t j = 0; j < from->callsites[i].inlinee_count; j++)
      total =
          take_out(into, function, from->callsites[i].line, from->callsites[i].inlinees[j], total);
  add_to(into, &function->total, total);
  function->head = contprof_samples_head_estimate(function);
}

void contprof_samples_flatten(struct contprof_sample_profile *into,
                              const struct contprof_sample_profile *from) {
  contprof_samples_same_kind(into, from);
  into->context_sensitive = false;
  if (from->context_sensitive) {
    merge_contexts(into, from);
    return;
  }
  for (size_t i = 0; i < from->function_count; i++)
    flatten_function(into, from->functions[i]);
}
