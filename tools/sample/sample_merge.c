#include "../base/memory.h"
#include "llvm_map_order.h"
#include "name_places.h"
#include "sample_index.h"

#include <stdlib.h>
#include <string.h>

// One function after another is added. Names of the other profile are looked up once each.
struct merger {
  struct contprof_sample_profile *into;
  const struct contprof_sample_name **names; // by index in the other profile, or NULL; owned
  bool same_names;                           // both profiles have the same table of names
  uint64_t weight;
  bool saturated;  // in this top-level function
  bool mismatched; // in this top-level function
};

static const struct contprof_sample_name *name_in(struct merger *merger,
                                                  const struct contprof_sample_name *name) {
  if (merger->same_names)
    return name;
  if (!merger->names)
    return contprof_sample_name_copy(merger->into, name);
  if (!merger->names[name->index])
    merger->names[name->index] = contprof_sample_name_copy(merger->into, name);
  return merger->names[name->index];
}

static void add(struct merger *merger, uint64_t *into, uint64_t count) {
  *into = contprof_samples_add(*into, count, merger->weight, &merger->saturated);
}

static void merge_function(struct merger *merger, struct contprof_function_samples *into,
                           const struct contprof_function_samples *from);

enum { CROWD = 64 }; // names on one line, from which on a search for each would be too long

// An array with room for `wanted`, with what was in it.
static void *with_room(struct merger *merger, void *array, size_t count, size_t wanted,
                       size_t *room, size_t size) {
  if (wanted <= *room)
    return array;
  *room = count ? wanted + wanted / 4 : wanted;
  void *larger = contprof_arena_zeros(&merger->into->arena, *room, size);
  if (count)
    memcpy(larger, array, count * size);
  return larger;
}

// --- bodies -------------------------------------------------------------------------------------

static void copy_targets(struct merger *merger, struct contprof_body_sample *into,
                         const struct contprof_body_sample *from) {
  into->target_count = into->target_room = from->target_count;
  if (!from->target_count)
    return;
  into->targets =
      contprof_arena_zeros(&merger->into->arena, from->target_count, sizeof *into->targets);
  for (uint32_t i = 0; i < from->target_count; i++) {
    into->targets[i].name = name_in(merger, from->targets[i].name);
    add(merger, &into->targets[i].count, from->targets[i].count);
  }
}

// The same targets in both is the common case, and needs no search.
static int by_target(const void *left, const void *right) {
  const struct contprof_call_target *a = left, *b = right;
  return contprof_sample_name_compare(a->name, b->name);
}

static uint32_t find_target(const struct contprof_name_places *places,
                            const struct contprof_body_sample *body,
                            const struct contprof_sample_name *name) {
  if (places->slots)
    return contprof_name_places_find(places, name, body->target_count);
  uint32_t at = 0;
  while (at < body->target_count && body->targets[at].name != name)
    at++;
  return at;
}

static void append_target(struct merger *merger, struct contprof_body_sample *body,
                          const struct contprof_sample_name *name) {
  size_t room = body->target_room;
  body->targets = with_room(merger, body->targets, body->target_count,
                            (size_t)body->target_count + 1, &room, sizeof *body->targets);
  body->target_room = (uint32_t)room;
  body->targets[body->target_count++] = (struct contprof_call_target){.name = name};
}

// The same targets in both is the common case, and needs no search.
static void merge_targets(struct merger *merger, struct contprof_body_sample *into,
                          const struct contprof_body_sample *from) {
  if (!into->target_count) {
    copy_targets(merger, into, from);
    return;
  }
  uint32_t before = into->target_count;
  struct contprof_name_places places = {0};
  if (before > CROWD || from->target_count > CROWD)
    places = contprof_name_places_new(before + from->target_count);
  for (uint32_t i = 0; places.slots && i < before; i++)
    contprof_name_places_add(&places, into->targets[i].name, i);
  for (uint32_t i = 0; i < from->target_count; i++) {
    const struct contprof_sample_name *name = name_in(merger, from->targets[i].name);
    bool same_place = i < before && into->targets[i].name == name;
    uint32_t at = same_place ? i : find_target(&places, into, name);
    if (at == into->target_count) {
      append_target(merger, into, name);
      if (places.slots)
        contprof_name_places_add(&places, name, at);
    }
    add(merger, &into->targets[at].count, from->targets[i].count);
  }
  if (into->target_count > before)
    qsort(into->targets, into->target_count, sizeof *into->targets, by_target);
  contprof_name_places_free(&places);
}

static void merge_body(struct merger *merger, struct contprof_body_sample *into,
                       const struct contprof_body_sample *from) {
  add(merger, &into->count, from->count);
  if (from->target_count)
    merge_targets(merger, into, from);
}

// How many of `from`'s lines `into` has not. Both are sorted.
#define COUNT_NEW(array, number)                                                                   \
  size_t new_count = 0, at = 0;                                                                    \
  for (size_t i = 0; i < from->number; i++) {                                                      \
    while (at < into->number &&                                                                    \
           contprof_sample_line_compare(into->array[at].line, from->array[i].line) < 0)            \
      at++;                                                                                        \
    new_count += at == into->number ||                                                             \
                 contprof_sample_line_compare(into->array[at].line, from->array[i].line) != 0;     \
  }                                                                                                \
  return new_count

static size_t new_bodies(const struct contprof_function_samples *into,
                         const struct contprof_function_samples *from) {
  COUNT_NEW(bodies, body_count);
}

static size_t new_callsites(const struct contprof_function_samples *into,
                            const struct contprof_function_samples *from) {
  COUNT_NEW(callsites, callsite_count);
}

// Spreads `into`'s lines from the back, so that each of `from`'s has its place, too.
#define SPREAD(array, number)                                                                      \
  size_t left = into->number, to = into->number + new_count;                                       \
  for (size_t i = from->number; i-- > 0;) {                                                        \
    while (left &&                                                                                 \
           contprof_sample_line_compare(into->array[left - 1].line, from->array[i].line) > 0)      \
      into->array[--to] = into->array[--left];                                                     \
    if (left &&                                                                                    \
        contprof_sample_line_compare(into->array[left - 1].line, from->array[i].line) == 0) {      \
      into->array[--to] = into->array[--left];                                                     \
    } else {                                                                                       \
      memset(&into->array[--to], 0, sizeof into->array[0]);                                        \
      into->array[to].line = from->array[i].line;                                                  \
    }                                                                                              \
  }                                                                                                \
  into->number += new_count

static void make_bodies(struct merger *merger, struct contprof_function_samples *into,
                        const struct contprof_function_samples *from) {
  size_t new_count = new_bodies(into, from);
  if (!new_count)
    return;
  into->bodies = with_room(merger, into->bodies, into->body_count, into->body_count + new_count,
                           &into->body_room, sizeof *into->bodies);
  SPREAD(bodies, body_count);
}

static void merge_bodies(struct merger *merger, struct contprof_function_samples *into,
                         const struct contprof_function_samples *from) {
  size_t at = 0;
  for (size_t i = 0; i < from->body_count; i++) {
    int order = -1;
    while (at < into->body_count &&
           (order = contprof_sample_line_compare(into->bodies[at].line, from->bodies[i].line)) < 0)
      at++;
    if (at == into->body_count || order != 0) // makes all that are missing, at their places
      make_bodies(merger, into, from);
    merge_body(merger, &into->bodies[at], &from->bodies[i]);
  }
}

// --- callsites ----------------------------------------------------------------------------------

static void make_callsites(struct merger *merger, struct contprof_function_samples *into,
                           const struct contprof_function_samples *from) {
  size_t new_count = new_callsites(into, from);
  if (!new_count)
    return;
  into->callsites =
      with_room(merger, into->callsites, into->callsite_count, into->callsite_count + new_count,
                &into->callsite_room, sizeof *into->callsites);
  SPREAD(callsites, callsite_count);
}

static struct contprof_function_samples *made_like(struct merger *merger,
                                                   const struct contprof_function_samples *from) {
  struct contprof_function_samples *made =
      contprof_arena_zeros(&merger->into->arena, 1, sizeof *made);
  made->name = name_in(merger, from->name);
  made->attributes = from->attributes;
  return made;
}

static void copy_inlinees(struct merger *merger, struct contprof_callsite *into,
                          const struct contprof_callsite *from) {
  into->inlinees =
      contprof_arena_zeros(&merger->into->arena, from->inlinee_count, sizeof *into->inlinees);
  into->inlinee_count = into->inlinee_room = from->inlinee_count;
  for (uint32_t i = 0; i < from->inlinee_count; i++) {
    into->inlinees[i] = made_like(merger, from->inlinees[i]);
    merge_function(merger, into->inlinees[i], from->inlinees[i]);
  }
}

static int by_inlinee(const void *left, const void *right) {
  const struct contprof_function_samples *const *a = left, *const *b = right;
  return contprof_sample_name_compare((*a)->name, (*b)->name);
}

static uint32_t find_inlinee(const struct contprof_name_places *places,
                             const struct contprof_callsite *callsite,
                             const struct contprof_sample_name *name) {
  if (places->slots)
    return contprof_name_places_find(places, name, callsite->inlinee_count);
  uint32_t at = 0;
  while (at < callsite->inlinee_count && callsite->inlinees[at]->name != name)
    at++;
  return at;
}

static void append_inlinee(struct merger *merger, struct contprof_callsite *callsite,
                           const struct contprof_function_samples *like) {
  size_t room = callsite->inlinee_room;
  callsite->inlinees =
      with_room(merger, callsite->inlinees, callsite->inlinee_count,
                (size_t)callsite->inlinee_count + 1, &room, sizeof *callsite->inlinees);
  callsite->inlinee_room = (uint32_t)room;
  callsite->inlinees[callsite->inlinee_count++] = made_like(merger, like);
}

static void merge_inlinees(struct merger *merger, struct contprof_callsite *into,
                           const struct contprof_callsite *from) {
  uint32_t before = into->inlinee_count;
  struct contprof_name_places places = {0};
  if (before > CROWD || from->inlinee_count > CROWD)
    places = contprof_name_places_new(before + from->inlinee_count);
  for (uint32_t i = 0; places.slots && i < before; i++)
    contprof_name_places_add(&places, into->inlinees[i]->name, i);
  for (uint32_t i = 0; i < from->inlinee_count; i++) {
    const struct contprof_sample_name *name = name_in(merger, from->inlinees[i]->name);
    bool same_place = i < before && into->inlinees[i]->name == name;
    uint32_t at = same_place ? i : find_inlinee(&places, into, name);
    if (at == into->inlinee_count) {
      append_inlinee(merger, into, from->inlinees[i]);
      if (places.slots)
        contprof_name_places_add(&places, name, at);
    }
    merge_function(merger, into->inlinees[at], from->inlinees[i]);
  }
  if (into->inlinee_count > before)
    qsort(into->inlinees, into->inlinee_count, sizeof(void *), by_inlinee);
  contprof_name_places_free(&places);
}

static void merge_callsites(struct merger *merger, struct contprof_function_samples *into,
                            const struct contprof_function_samples *from) {
  size_t at = 0;
  for (size_t i = 0; i < from->callsite_count; i++) {
    int order = -1;
    while (at < into->callsite_count &&
           (order = contprof_sample_line_compare(into->callsites[at].line,
                                                 from->callsites[i].line)) < 0)
      at++;
    if (at == into->callsite_count || order != 0)
      make_callsites(merger, into, from);
    if (into->callsites[at].inlinee_count)
      merge_inlinees(merger, &into->callsites[at], &from->callsites[i]);
    else
      copy_inlinees(merger, &into->callsites[at], &from->callsites[i]);
  }
}

// --- functions ----------------------------------------------------------------------------------

// Functions whose hashes differ have the name alone in common, or are of two versions of the source
// (FunctionSamples::merge).
static void merge_function(struct merger *merger, struct contprof_function_samples *into,
                           const struct contprof_function_samples *from) {
  if (into->cfg_hash && into->cfg_hash != from->cfg_hash) {
    merger->mismatched = true;
    return;
  }
  into->cfg_hash = from->cfg_hash;
  add(merger, &into->total, from->total);
  add(merger, &into->head, from->head);
  if (from->body_count)
    merge_bodies(merger, into, from);
  if (from->callsite_count)
    merge_callsites(merger, into, from);
}

bool contprof_samples_merge(struct contprof_sample_profile *profile,
                            struct contprof_function_samples *into,
                            const struct contprof_function_samples *from, uint64_t weight) {
  struct merger merger = {.into = profile, .weight = weight};
  merge_function(&merger, into, from);
  profile->saturated |= merger.saturated;
  return !merger.mismatched;
}

// --- profiles -----------------------------------------------------------------------------------

// Functions by their name's hash, for profiles of which one has hashes alone.
struct hashed {
  uint64_t hash;
  struct contprof_function_samples *function;
};

static int by_hash(const void *left, const void *right) {
  const struct hashed *a = left, *b = right;
  return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static struct hashed *hashed_functions(const struct contprof_sample_profile *profile) {
  struct hashed *all = contprof_need_array(NULL, profile->function_count + 1, sizeof *all);
  for (size_t i = 0; i < profile->function_count; i++)
    all[i] = (struct hashed){contprof_sample_name_hash(profile->functions[i]->name),
                             profile->functions[i]};
  qsort(all, profile->function_count, sizeof *all, by_hash);
  return all;
}

static struct contprof_function_samples *find_hashed(const struct hashed *all, size_t count,
                                                     const struct contprof_sample_name *name) {
  struct hashed key = {contprof_sample_name_hash(name), NULL};
  const struct hashed *found = bsearch(&key, all, count, sizeof *all, by_hash);
  return found ? found->function : NULL;
}

static struct contprof_function_samples *
with_context(struct merger *merger, const struct contprof_function_samples *from) {
  struct contprof_context_frame few[16], *frames = few;
  if (from->context_count > sizeof few / sizeof *few)
    frames = contprof_need_array(NULL, from->context_count, sizeof *frames);
  for (uint32_t i = 0; i < from->context_count; i++)
    frames[i] = (struct contprof_context_frame){name_in(merger, from->context[i].name),
                                                from->context[i].line};
  struct contprof_function_samples *function =
      contprof_samples_of_context(merger->into, frames, from->context_count);
  if (frames != few)
    free(frames);
  return function;
}

static struct contprof_function_samples *counterpart(struct merger *merger,
                                                     const struct contprof_function_samples *from,
                                                     const struct hashed *all, size_t all_count) {
  struct contprof_function_samples *found = NULL;
  size_t before = merger->into->function_count;
  if (from->context)
    found = with_context(merger, from);
  else if (!all || !(found = find_hashed(all, all_count, from->name)))
    found = contprof_samples_of(merger->into, name_in(merger, from->name));
  if (merger->into->function_count > before)
    found->attributes = from->attributes;
  return found;
}

static bool has_text_names(const struct contprof_sample_profile *profile) {
  return profile->text_names || !profile->md5_names;
}

static bool same_kind(struct contprof_sample_profile *into,
                      const struct contprof_sample_profile *from, struct contprof_error *error) {
  if (!into->filled) {
    into->probe_based = from->probe_based;
    into->context_sensitive = from->context_sensitive;
    into->filled = true;
  }
  if (into->probe_based != from->probe_based)
    return contprof_fail(error, CONTPROF_MISMATCH, NULL, NULL, CONTPROF_NO_OFFSET,
                         "cannot merge probe-based profile with non-probe-based profile");
  if (into->context_sensitive != from->context_sensitive)
    return contprof_fail(error, CONTPROF_MISMATCH, NULL, NULL, CONTPROF_NO_OFFSET,
                         "cannot merge CS profile with non-CS profile");
  into->preinlined |= from->preinlined;
  into->fs_discriminators |= from->fs_discriminators;
  into->text_names = has_text_names(from) || (into->function_count && has_text_names(into));
  into->md5_names |= from->md5_names;
  into->unique_suffixes |= from->unique_suffixes;
  into->saturated |= from->saturated;
  return true;
}

static void merge_symbols(struct contprof_sample_profile *into,
                          const struct contprof_sample_profile *from) {
  for (size_t i = 0; i < from->symbol_count; i++)
    contprof_symbols_add(into, from->symbols[i], strlen(from->symbols[i]));
  if (from->symbol_count)
    contprof_symbols_sort(into);
}

static void merge_all(struct merger *merger, const struct contprof_sample_profile *from,
                      const struct hashed *all, size_t all_count, contprof_merge_tell *tell,
                      void *context) {
  // The order shows in the metadata section alone, which plain profiles don't have.
  bool shows = from->probe_based || from->context_sensitive || from->preinlined;
  struct contprof_function_samples **ordered = shows ? contprof_samples_in_map_order(from) : NULL;
  for (size_t i = 0; i < from->function_count; i++) {
    const struct contprof_function_samples *function = ordered ? ordered[i] : from->functions[i];
    merger->saturated = merger->mismatched = false;
    merge_function(merger, counterpart(merger, function, all, all_count), function);
    merger->into->saturated |= merger->saturated;
    if (tell && (merger->saturated || merger->mismatched))
      tell(context, function,
           merger->mismatched ? CONTPROF_MERGE_HASH_MISMATCH : CONTPROF_MERGE_SATURATED);
  }
  free(ordered);
}

bool contprof_sample_profile_merge_telling(struct contprof_sample_profile *into,
                                           const struct contprof_sample_profile *from,
                                           uint64_t weight, contprof_merge_tell *tell,
                                           void *context, struct contprof_error *error) {
  bool kinds_differ = into->function_count && ((from->md5_names && has_text_names(into)) ||
                                               (into->md5_names && has_text_names(from)));
  if (!same_kind(into, from, error))
    return false;
  size_t all_count = into->function_count;
  struct merger merger = {
      .into = into, .weight = weight, .same_names = from->names_of == into || from == into};
  if (!merger.same_names)
    merger.names = contprof_need(calloc(contprof_sample_name_room(from) + 1, sizeof *merger.names));
  struct hashed *all = kinds_differ ? hashed_functions(into) : NULL;
  merge_all(&merger, from, all, all_count, tell, context);
  free(all);
  free(merger.names);
  merge_symbols(into, from);
  return true;
}

static void keep_first_mismatch(void *context, const struct contprof_function_samples *function,
                                enum contprof_merge_trouble trouble) {
  const struct contprof_function_samples **first = context;
  if (trouble == CONTPROF_MERGE_HASH_MISMATCH && !*first)
    *first = function;
}

bool contprof_sample_profile_merge(struct contprof_sample_profile *into,
                                   const struct contprof_sample_profile *from, uint64_t weight,
                                   struct contprof_error *error) {
  const struct contprof_function_samples *first = NULL;
  if (!contprof_sample_profile_merge_telling(into, from, weight, keep_first_mismatch, &first,
                                             error))
    return false;
  if (!first)
    return true;
  char *text = contprof_samples_text(first);
  contprof_fail(error, CONTPROF_MISMATCH, NULL, NULL, CONTPROF_NO_OFFSET,
                "%.400s: Function hash mismatch", text);
  free(text);
  return false;
}
