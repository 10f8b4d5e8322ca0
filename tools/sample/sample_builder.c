#include "sample_builder.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

struct call {
  struct contprof_sample_line line;
  struct contprof_function_samples *inlinee;
  size_t order; // in which they came
};

// A function that is open. Its arrays are kept from one function to the next.
struct contprof_builder_level {
  struct contprof_function_samples *function; // what the file says of it
  struct contprof_function_samples *part;     // where its lines go: the same, mostly
  struct contprof_body_sample *bodies;        // owned
  size_t body_count, body_room;
  bool bodies_in_order; // and no line twice
  struct call *calls;   // owned
  size_t call_count, call_room;
};

// Lines of a top-level function that came before.
struct contprof_builder_part {
  struct contprof_function_samples *function, *part;
};

// One level more than may be open, for putting two of the deepest functions together.
enum { LEVELS = CONTPROF_INLINE_DEPTH + 1 };

struct contprof_sample_builder contprof_builder_for(struct contprof_sample_profile *profile) {
  return (struct contprof_sample_builder){
      .profile = profile,
      .levels = contprof_need(calloc(LEVELS + 1, sizeof(struct contprof_builder_level)))};
}

struct contprof_function_samples *
contprof_builder_innermost(const struct contprof_sample_builder *builder) {
  return builder->levels[builder->open - 1].function;
}

static void add_to(struct contprof_sample_builder *builder, uint64_t *into, uint64_t count) {
  *into = contprof_samples_add(*into, count, 1, &builder->profile->saturated);
}

// --- targets ------------------------------------------------------------------------------------

void contprof_builder_target(struct contprof_sample_builder *builder,
                             const struct contprof_sample_name *name, uint64_t count) {
  if (builder->target_count == builder->target_room) {
    builder->target_room = builder->target_room ? builder->target_room * 2 : 16;
    builder->targets =
        contprof_need_array(builder->targets, builder->target_room, sizeof *builder->targets);
  }
  builder->targets[builder->target_count] =
      (struct contprof_built_target){{name, count}, builder->target_count};
  builder->target_count++;
}

static int by_name(const void *left, const void *right) {
  const struct contprof_built_target *a = left, *b = right;
  int order = contprof_sample_name_compare(a->target.name, b->target.name);
  return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

// Sorts the targets told and makes one of those of one name.
static void sort_targets(struct contprof_sample_builder *builder, bool last_counts) {
  struct contprof_built_target *targets = builder->targets;
  size_t kept = 0;
  qsort(targets, builder->target_count, sizeof *targets, by_name);
  for (size_t i = 0; i < builder->target_count; i++) {
    if (!kept || targets[kept - 1].target.name != targets[i].target.name)
      targets[kept++] = targets[i];
    else if (last_counts)
      targets[kept - 1].target.count = targets[i].target.count;
    else
      add_to(builder, &targets[kept - 1].target.count, targets[i].target.count);
  }
  builder->target_count = kept;
}

// The targets told become those of `body`.
static void give_targets(struct contprof_sample_builder *builder, struct contprof_body_sample *body,
                         bool last_counts) {
  if (builder->target_count > 1)
    sort_targets(builder, last_counts);
  body->target_count = body->target_room = (uint32_t)builder->target_count;
  body->targets =
      contprof_arena_zeros(&builder->profile->arena, builder->target_count, sizeof *body->targets);
  for (size_t i = 0; i < builder->target_count; i++)
    body->targets[i] = builder->targets[i].target;
  builder->target_count = 0;
}

// --- bodies -------------------------------------------------------------------------------------

static int by_line(const void *left, const void *right) {
  const struct contprof_body_sample *a = left, *b = right;
  return contprof_sample_line_compare(a->line, b->line);
}

// Makes one of `number` bodies of one line.
static void unite(struct contprof_sample_builder *builder, struct contprof_body_sample *bodies,
                  size_t number) {
  bool more_targets = false;
  for (size_t i = 1; i < number; i++) {
    add_to(builder, &bodies[0].count, bodies[i].count);
    more_targets |= bodies[i].target_count > 0;
  }
  if (!more_targets)
    return;
  for (size_t i = 0; i < number; i++)
    for (uint32_t j = 0; j < bodies[i].target_count; j++)
      contprof_builder_target(builder, bodies[i].targets[j].name, bodies[i].targets[j].count);
  give_targets(builder, &bodies[0], false);
}

static void sort_bodies(struct contprof_sample_builder *builder,
                        struct contprof_builder_level *level) {
  struct contprof_body_sample *bodies = level->bodies;
  size_t kept = 0, next;
  if (level->bodies_in_order)
    return;
  qsort(bodies, level->body_count, sizeof *bodies, by_line);
  for (size_t i = 0; i < level->body_count; i = next) {
    for (next = i + 1; next < level->body_count && by_line(&bodies[i], &bodies[next]) == 0;)
      next++;
    if (next > i + 1)
      unite(builder, &bodies[i], next - i);
    bodies[kept++] = bodies[i];
  }
  level->body_count = kept;
  level->bodies_in_order = true;
}

// Lines that are told again and again do not make the array grow.
static void make_body_room(struct contprof_sample_builder *builder,
                           struct contprof_builder_level *level) {
  sort_bodies(builder, level);
  if (level->body_count * 2 < level->body_room)
    return;
  level->body_room = level->body_room ? level->body_room * 2 : 64;
  level->bodies = contprof_need_array(level->bodies, level->body_room, sizeof *level->bodies);
}

static void add_body(struct contprof_sample_builder *builder, struct contprof_builder_level *level,
                     const struct contprof_body_sample *body) {
  if (level->body_count == level->body_room)
    make_body_room(builder, level);
  if (level->body_count && by_line(&level->bodies[level->body_count - 1], body) >= 0)
    level->bodies_in_order = false;
  level->bodies[level->body_count++] = *body;
}

void contprof_builder_body(struct contprof_sample_builder *builder,
                           struct contprof_sample_line line, uint64_t count) {
  struct contprof_builder_level *level = &builder->levels[builder->open - 1];
  struct contprof_body_sample body = {.line = line, .count = count};
  if (builder->target_count)
    give_targets(builder, &body, builder->last_target_counts);
  add_body(builder, level, &body);
}

static void give_bodies(struct contprof_sample_builder *builder,
                        struct contprof_builder_level *level) {
  struct contprof_function_samples *part = level->part;
  sort_bodies(builder, level);
  part->body_count = part->body_room = level->body_count;
  part->bodies =
      contprof_arena_zeros(&builder->profile->arena, level->body_count, sizeof *part->bodies);
  memcpy(part->bodies, level->bodies, level->body_count * sizeof *part->bodies);
}

// --- calls --------------------------------------------------------------------------------------

static void close_level(struct contprof_sample_builder *builder, size_t at);

static void open_level(struct contprof_sample_builder *builder, size_t at,
                       struct contprof_function_samples *function,
                       struct contprof_function_samples *part) {
  struct contprof_builder_level *level = &builder->levels[at];
  level->function = function;
  level->part = part;
  level->body_count = level->call_count = 0;
  level->bodies_in_order = true;
}

static void add_call(struct contprof_builder_level *level, struct contprof_sample_line line,
                     struct contprof_function_samples *inlinee) {
  if (level->call_count == level->call_room) {
    level->call_room = level->call_room ? level->call_room * 2 : 16;
    level->calls = contprof_need_array(level->calls, level->call_room, sizeof *level->calls);
  }
  level->calls[level->call_count] = (struct call){line, inlinee, level->call_count};
  level->call_count++;
}

static int compare_calls(const struct call *a, const struct call *b) {
  int order = contprof_sample_line_compare(a->line, b->line);
  return order ? order : contprof_sample_name_compare(a->inlinee->name, b->inlinee->name);
}

static int by_place(const void *left, const void *right) {
  const struct call *a = left, *b = right;
  int order = compare_calls(a, b);
  return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

static void load(struct contprof_sample_builder *builder, struct contprof_builder_level *level,
                 const struct contprof_function_samples *part) {
  for (size_t i = 0; i < part->body_count; i++)
    add_body(builder, level, &part->bodies[i]);
  for (size_t i = 0; i < part->callsite_count; i++)
    for (uint32_t j = 0; j < part->callsites[i].inlinee_count; j++)
      add_call(level, part->callsites[i].line, part->callsites[i].inlinees[j]);
}

// Makes one of `number` functions inlined at one place. Of what a function has once, the last one's
// holds.
static void unite_inlinees(struct contprof_sample_builder *builder, size_t at, struct call *calls,
                           size_t number) {
  struct contprof_function_samples *all = calls[0].inlinee;
  open_level(builder, at, all, all);
  for (size_t i = 0; i < number; i++) {
    const struct contprof_function_samples *one = calls[i].inlinee;
    load(builder, &builder->levels[at], one);
    if (i == 0)
      continue;
    add_to(builder, &all->total, one->total);
    add_to(builder, &all->head, one->head);
    all->cfg_hash = one->cfg_hash ? one->cfg_hash : all->cfg_hash;
    all->attributes = one->attributes ? one->attributes : all->attributes;
  }
  close_level(builder, at);
}

// `at` is a level that is not open.
static void sort_calls(struct contprof_sample_builder *builder,
                       struct contprof_builder_level *level, size_t at) {
  struct call *calls = level->calls;
  size_t kept = 0, next;
  bool in_order = true;
  for (size_t i = 1; i < level->call_count && in_order; i++)
    in_order = compare_calls(&calls[i - 1], &calls[i]) < 0;
  if (in_order)
    return;
  qsort(calls, level->call_count, sizeof *calls, by_place);
  for (size_t i = 0; i < level->call_count; i = next) {
    for (next = i + 1; next < level->call_count && compare_calls(&calls[i], &calls[next]) == 0;)
      next++;
    if (next > i + 1)
      unite_inlinees(builder, at, &calls[i], next - i);
    calls[kept++] = calls[i];
  }
  level->call_count = kept;
}

static size_t count_lines(const struct contprof_builder_level *level) {
  size_t count = 1;
  for (size_t i = 1; i < level->call_count; i++)
    count += contprof_sample_line_compare(level->calls[i - 1].line, level->calls[i].line) != 0;
  return count;
}

static void give_calls(struct contprof_sample_builder *builder,
                       struct contprof_builder_level *level) {
  struct contprof_function_samples *part = level->part;
  struct contprof_arena *arena = &builder->profile->arena;
  struct contprof_function_samples **inlinees =
      contprof_arena_zeros(arena, level->call_count, sizeof *inlinees);
  part->callsite_count = part->callsite_room = count_lines(level);
  part->callsites = contprof_arena_zeros(arena, part->callsite_count, sizeof *part->callsites);
  struct contprof_callsite *site = NULL;
  for (size_t i = 0; i < level->call_count; i++) {
    if (!site || contprof_sample_line_compare(site->line, level->calls[i].line) != 0) {
      site = site ? site + 1 : part->callsites;
      *site = (struct contprof_callsite){.line = level->calls[i].line, .inlinees = &inlinees[i]};
    }
    inlinees[i] = level->calls[i].inlinee;
    site->inlinee_count++;
    site->inlinee_room++;
  }
}

// --- functions ----------------------------------------------------------------------------------

static void close_level(struct contprof_sample_builder *builder, size_t at) {
  struct contprof_builder_level *level = &builder->levels[at];
  if (level->body_count)
    give_bodies(builder, level);
  if (level->call_count) {
    sort_calls(builder, level, at + 1);
    give_calls(builder, level);
  }
}

void contprof_builder_close(struct contprof_sample_builder *builder, size_t open) {
  while (builder->open > open)
    close_level(builder, --builder->open);
}

static struct contprof_function_samples *new_part(struct contprof_sample_builder *builder,
                                                  struct contprof_function_samples *function) {
  size_t count = builder->part_count++;
  if ((count & (count - 1)) == 0)
    builder->parts =
        contprof_need_array(builder->parts, count ? count * 2 : 1, sizeof *builder->parts);
  struct contprof_function_samples *part =
      contprof_arena_zeros(&builder->profile->arena, 1, sizeof *part);
  builder->parts[count] = (struct contprof_builder_part){function, part};
  return part;
}

void contprof_builder_top(struct contprof_sample_builder *builder,
                          struct contprof_function_samples *function) {
  contprof_builder_close(builder, 0);
  bool is_new = !function->body_count && !function->callsite_count;
  open_level(builder, builder->open++, function, is_new ? function : new_part(builder, function));
}

struct contprof_function_samples *
contprof_builder_inlined(struct contprof_sample_builder *builder, struct contprof_sample_line line,
                         const struct contprof_sample_name *name) {
  if (builder->open == CONTPROF_INLINE_DEPTH)
    return NULL;
  struct contprof_function_samples *inlinee =
      contprof_arena_zeros(&builder->profile->arena, 1, sizeof *inlinee);
  inlinee->name = name;
  add_call(&builder->levels[builder->open - 1], line, inlinee);
  open_level(builder, builder->open++, inlinee, inlinee);
  return inlinee;
}

static int by_function(const void *left, const void *right) {
  const struct contprof_builder_part *a = left, *b = right;
  uintptr_t x = (uintptr_t)a->function, y = (uintptr_t)b->function;
  return x < y ? -1 : x > y;
}

// Adds to each function what came of it later on, all at once.
static void join_parts(struct contprof_sample_builder *builder) {
  struct contprof_builder_part *parts = builder->parts;
  if (builder->part_count)
    qsort(parts, builder->part_count, sizeof *parts, by_function);
  for (size_t i = 0; i < builder->part_count;) {
    struct contprof_function_samples *function = parts[i].function;
    open_level(builder, 0, function, function);
    load(builder, &builder->levels[0], function);
    for (; i < builder->part_count && parts[i].function == function; i++)
      load(builder, &builder->levels[0], parts[i].part);
    close_level(builder, 0);
  }
}

void contprof_builder_finish(struct contprof_sample_builder *builder) {
  contprof_builder_close(builder, 0);
  join_parts(builder);
  for (size_t i = 0; i <= LEVELS; i++) {
    free(builder->levels[i].bodies);
    free(builder->levels[i].calls);
  }
  free(builder->levels);
  free(builder->parts);
  free(builder->targets);
  *builder = (struct contprof_sample_builder){0};
}
