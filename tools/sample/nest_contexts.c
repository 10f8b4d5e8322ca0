// Calling contexts as functions inlined into each other: contprof_samples_nest.
#include "../base/memory.h"
#include "sample_builder.h"
#include "sample_flatten.h"
#include "sample_index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A frame of contexts; its children are the functions called there.
struct frame {
  const struct contprof_sample_name *name;          // in the profile read from
  struct contprof_sample_line line;                 // of the call, in the parent
  const struct contprof_function_samples *function; // NULL: without samples of its own
  struct frame **children;                          // child_count of them; in the arena
  size_t child_count, child_room;
};

struct nesting {
  struct contprof_sample_profile *into;
  bool keep_base;
  struct contprof_arena arena; // of the frames
};

static struct frame *new_child(struct nesting *nesting, struct frame *parent,
                               const struct contprof_sample_name *name,
                               struct contprof_sample_line line) {
  if (parent->child_count == parent->child_room) {
    parent->child_room = parent->child_room ? parent->child_room * 2 : 4;
    struct frame **larger =
        contprof_arena_zeros(&nesting->arena, parent->child_room, sizeof *larger);
    if (parent->child_count)
      memcpy(larger, parent->children, parent->child_count * sizeof *larger);
    parent->children = larger;
  }
  struct frame *child = contprof_arena_zeros(&nesting->arena, 1, sizeof *child);
  child->name = name;
  child->line = line;
  return parent->children[parent->child_count++] = child;
}

// Contexts come in order, so that a child that is there is the last one.
static struct frame *child_of(struct nesting *nesting, struct frame *parent,
                              const struct contprof_sample_name *name,
                              struct contprof_sample_line line) {
  struct frame *last = parent->child_count ? parent->children[parent->child_count - 1] : NULL;
  if (last && last->name == name && contprof_sample_line_compare(last->line, line) == 0)
    return last;
  return new_child(nesting, parent, name, line);
}

static int by_context(const void *left, const void *right) {
  return contprof_samples_compare(*(const struct contprof_function_samples *const *)left,
                                  *(const struct contprof_function_samples *const *)right);
}

static void make_frames(struct nesting *nesting, struct frame *root,
                        const struct contprof_sample_profile *from) {
  size_t count = from->function_count;
  struct contprof_function_samples **sorted = contprof_need_array(NULL, count + 1, sizeof *sorted);
  if (count)
    memcpy(sorted, from->functions, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_context);
  for (size_t i = 0; i < count; i++) {
    struct contprof_sample_line line = {0, 0};
    struct frame *frame = root;
    for (uint32_t j = 0; j < sorted[i]->context_count; j++) {
      frame = child_of(nesting, frame, sorted[i]->context[j].name, line);
      line = sorted[i]->context[j].line;
    }
    if (!sorted[i]->context)
      frame = child_of(nesting, frame, sorted[i]->name, line);
    frame->function = sorted[i];
  }
  free(sorted);
}

// --- the nested profile -------------------------------------------------------------------------

// A call that was inlined is none any more. Returns how many samples its line has lost
// (FunctionSamples::removeCalledTargetAndBodySample).
static uint64_t take_call_out(struct contprof_function_samples *function,
                              struct contprof_sample_line line,
                              const struct contprof_sample_name *callee) {
  size_t i = 0;
  uint32_t j = 0;
  while (i < function->body_count && contprof_sample_line_compare(function->bodies[i].line, line))
    i++;
  if (i == function->body_count)
    return 0;
  struct contprof_body_sample *body = &function->bodies[i];
  while (j < body->target_count && body->targets[j].name != callee)
    j++;
  uint64_t count = j < body->target_count ? body->targets[j].count : 0;
  if (j < body->target_count)
    memmove(&body->targets[j], &body->targets[j + 1],
            (--body->target_count - j) * sizeof *body->targets);
  count = count < body->count ? count : body->count;
  body->count -= count;
  if (!body->count)
    memmove(body, body + 1, (--function->body_count - i) * sizeof *body);
  return count;
}

static struct contprof_function_samples *top_level(struct nesting *nesting,
                                                   const struct contprof_function_samples *from) {
  size_t before = nesting->into->function_count;
  struct contprof_function_samples *function =
      contprof_samples_of(nesting->into, contprof_sample_name_copy(nesting->into, from->name));
  if (nesting->into->function_count > before)
    function->attributes = from->attributes;
  return function;
}

static void fill(struct nesting *nesting, const struct frame *frame,
                 struct contprof_function_samples *function);

// A child with samples of its own becomes one of the functions inlined into `function`.
static void inline_child(struct nesting *nesting, const struct frame *child,
                         struct contprof_function_samples *function) {
  struct contprof_sample_profile *into = nesting->into;
  const struct contprof_sample_name *name = contprof_sample_name_copy(into, child->name);
  struct contprof_function_samples *inlinee =
      contprof_samples_inlined(into, function, child->line, name);
  fill(nesting, child, inlinee);
  function->total = contprof_samples_add(function->total, inlinee->total, 1, &into->saturated);
  uint64_t lost = take_call_out(function, child->line, name);
  function->total -= lost < function->total ? lost : function->total;
  if (!nesting->keep_base)
    return;
  contprof_samples_merge(into, top_level(nesting, inlinee), inlinee, 1);
  inlinee->attributes |= CONTPROF_CONTEXT_DUPLICATED;
}

// A child whose caller has no samples becomes top-level.
static void promote_child(struct nesting *nesting, const struct frame *child) {
  struct contprof_function_samples alone = {
      .name = contprof_sample_name_copy(nesting->into, child->name)};
  fill(nesting, child, &alone);
  if (child->function)
    contprof_samples_merge(nesting->into, top_level(nesting, &alone), &alone, 1);
}

// LLVM's order: where several contexts become one top-level function, it has the attributes of the
// first (FunctionSamples::getCallSiteHash, the key of ProfileConverter's children).
static uint64_t key_of(const struct frame *frame) {
  uint64_t line = (uint64_t)frame->line.discriminator << 32 | frame->line.offset;
  return contprof_sample_name_hash(frame->name) + (line << 5) + line;
}

static int by_key(const void *left, const void *right) {
  uint64_t one = key_of(*(struct frame *const *)left),
           other = key_of(*(struct frame *const *)right);
  return (one > other) - (one < other);
}

static void fill(struct nesting *nesting, const struct frame *frame,
                 struct contprof_function_samples *function) {
  if (frame->child_count)
    qsort(frame->children, frame->child_count, sizeof *frame->children, by_key);
  if (frame->function) {
    contprof_samples_merge(nesting->into, function, frame->function, 1);
    function->attributes = frame->function->attributes;
  }
  for (size_t i = 0; i < frame->child_count; i++)
    if (frame->function && frame->children[i]->function)
      inline_child(nesting, frame->children[i], function);
    else
      promote_child(nesting, frame->children[i]);
}

// As readers have it for functions that are inlined: each costs stack wherever profiles are walked.
static bool are_shallow(const struct contprof_sample_profile *from, struct contprof_error *error) {
  for (size_t i = 0; i < from->function_count; i++)
    if (from->functions[i]->context_count > CONTPROF_INLINE_DEPTH)
      return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                           "a calling context of %" PRIu32
                           " frames can't be nested: at most %d functions can be inlined into "
                           "one another",
                           from->functions[i]->context_count, CONTPROF_INLINE_DEPTH);
  return true;
}

bool contprof_samples_nest(struct contprof_sample_profile *into,
                           const struct contprof_sample_profile *from, bool keep_base,
                           struct contprof_error *error) {
  struct nesting nesting = {.into = into, .keep_base = keep_base};
  struct frame root = {0};
  struct contprof_function_samples none = {0};
  if (!are_shallow(from, error))
    return false;
  contprof_samples_same_kind(into, from);
  into->context_sensitive = false;
  make_frames(&nesting, &root, from);
  fill(&nesting, &root, &none);
  contprof_arena_free(&nesting.arena);
  return true;
}
