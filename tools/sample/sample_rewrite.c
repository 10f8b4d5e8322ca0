#include "sample_rewrite.h"

#include "sample_flatten.h"
#include "sample_index.h"

struct rewriting {
  struct contprof_sample_profile *into;
  const struct contprof_sample_rewrite *how;
};

static const struct contprof_sample_name *new_name(struct rewriting *rewriting,
                                                   const struct contprof_sample_name *name) {
  const struct contprof_name *renamed =
      name->text && rewriting->how->renames
          ? contprof_renames_find(rewriting->how->renames, contprof_sample_name_hash(name))
          : NULL;
  return renamed ? contprof_sample_name_of(rewriting->into, renamed->text, renamed->length)
                 : contprof_sample_name_copy(rewriting->into, name);
}

static struct contprof_sample_line new_line(const struct rewriting *rewriting,
                                            struct contprof_sample_line line) {
  line.discriminator &= rewriting->how->discriminator_mask;
  return line;
}

static void add(struct rewriting *rewriting, uint64_t *sum, uint64_t count) {
  *sum = contprof_samples_add(*sum, count, 1, &rewriting->into->saturated);
}

static void add_body(struct rewriting *rewriting, struct contprof_function_samples *function,
                     const struct contprof_body_sample *from) {
  struct contprof_body_sample *body =
      contprof_body_at(rewriting->into, function, new_line(rewriting, from->line));
  add(rewriting, &body->count, from->count);
  for (uint32_t i = 0; i < from->target_count; i++)
    contprof_body_add_target(rewriting->into, body, new_name(rewriting, from->targets[i].name),
                             from->targets[i].count);
}

static size_t add_function(struct rewriting *rewriting, struct contprof_function_samples *function,
                           const struct contprof_function_samples *from);

static size_t add_callsite(struct rewriting *rewriting, struct contprof_function_samples *function,
                           const struct contprof_callsite *from) {
  size_t left_out = 0;
  for (uint32_t i = 0; i < from->inlinee_count; i++) {
    struct contprof_function_samples *inlinee =
        contprof_samples_inlined(rewriting->into, function, new_line(rewriting, from->line),
                                 new_name(rewriting, from->inlinees[i]->name));
    left_out += add_function(rewriting, inlinee, from->inlinees[i]);
  }
  return left_out;
}

// Returns how many functions were left out.
static size_t add_function(struct rewriting *rewriting, struct contprof_function_samples *function,
                           const struct contprof_function_samples *from) {
  size_t left_out = 0;
  if (function->cfg_hash && function->cfg_hash != from->cfg_hash)
    return 1;
  function->cfg_hash = from->cfg_hash;
  function->attributes |= from->attributes;
  add(rewriting, &function->total, from->total);
  add(rewriting, &function->head, from->head);
  for (size_t i = 0; i < from->body_count; i++)
    add_body(rewriting, function, &from->bodies[i]);
  for (size_t i = 0; i < from->callsite_count; i++)
    left_out += add_callsite(rewriting, function, &from->callsites[i]);
  return left_out;
}

static struct contprof_function_samples *counterpart(struct rewriting *rewriting,
                                                     const struct contprof_function_samples *from) {
  struct contprof_sample_profile *into = rewriting->into;
  if (!from->context)
    return contprof_samples_of(into, new_name(rewriting, from->name));
  struct contprof_context_frame *frames =
      contprof_arena_zeros(&into->arena, from->context_count, sizeof *frames);
  for (uint32_t i = 0; i < from->context_count; i++) {
    frames[i].name = new_name(rewriting, from->context[i].name);
    frames[i].line = new_line(rewriting, from->context[i].line);
  }
  return contprof_samples_of_context(into, frames, from->context_count);
}

size_t contprof_samples_rewrite(struct contprof_sample_profile *into,
                                const struct contprof_sample_profile *from,
                                const struct contprof_sample_rewrite *how) {
  struct rewriting rewriting = {.into = into, .how = how};
  size_t left_out = 0;
  contprof_samples_same_kind(into, from);
  for (size_t i = 0; i < from->function_count; i++)
    left_out +=
        add_function(&rewriting, counterpart(&rewriting, from->functions[i]), from->functions[i]);
  return left_out;
}
