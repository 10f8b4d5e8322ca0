#include "profile.h"

#include "../base/names.h"
#include "../base/new_names.h"
#include "name_order.h"

#include <stdlib.h>
#include <string.h>

// References are MD5 sums and the hashes of one name differ little, so that the latter are spread.
static struct contprof_function **bucket_of(const struct contprof_profile *profile,
                                            const struct contprof_function *function) {
  uint64_t key = function->name_ref ^ function->hash * UINT64_C(0x9e3779b97f4a7c15);
  return &profile->buckets[(key ^ key >> 32) & (profile->bucket_count - 1)];
}

static void link_function(struct contprof_profile *profile, struct contprof_function *function) {
  struct contprof_function **bucket = bucket_of(profile, function);
  function->next = *bucket;
  *bucket = function;
}

// As many buckets as there is room for functions. Those they outgrow stay in the arena: together no
// larger than the last ones.
static void make_buckets(struct contprof_profile *profile) {
  if (profile->bucket_count < profile->function_room) {
    profile->bucket_count = profile->function_room;
    profile->buckets =
        contprof_arena_zeros(&profile->arena, profile->bucket_count, sizeof *profile->buckets);
  } else {
    memset(profile->buckets, 0, profile->bucket_count * sizeof *profile->buckets);
  }
}

// The hash table is filled when somebody looks for a function: most profiles that are read are
// shown or added to another, and never looked into. What a look-up finds does not depend on it, so
// that a profile which is looked into counts as unchanged.
static bool link_all(const struct contprof_profile *looked_into) {
  struct contprof_profile *profile = (struct contprof_profile *)looked_into;
  if (!profile->function_count)
    return false;
  if (profile->bucket_count < profile->function_count || !profile->linked_count) {
    make_buckets(profile);
    profile->linked_count = 0;
  }
  while (profile->linked_count < profile->function_count)
    link_function(profile, profile->functions[profile->linked_count++]);
  return true;
}

struct contprof_function *contprof_profile_find_like(const struct contprof_profile *profile,
                                                     const struct contprof_function *like) {
  if (!link_all(profile))
    return NULL;
  struct contprof_function *function = *bucket_of(profile, like);
  while (function && (function->hash != like->hash || function->name_ref != like->name_ref ||
                      !contprof_function_same_name(function, like)))
    function = function->next;
  return function;
}

struct contprof_function *contprof_profile_find(const struct contprof_profile *profile,
                                                const char *name, size_t name_length,
                                                uint64_t hash) {
  struct contprof_function like = {.name = name,
                                   .name_length = name_length,
                                   .name_ref = contprof_name_ref(name, name_length),
                                   .hash = hash};
  return contprof_profile_find_like(profile, &like);
}

struct contprof_function *contprof_profile_find_ref(const struct contprof_profile *profile,
                                                    uint64_t name_ref, uint64_t hash) {
  const struct contprof_name *name =
      profile->renames ? contprof_renames_find(profile->renames, name_ref) : NULL;
  struct contprof_function like = {.name_ref = name ? name->ref : name_ref, .hash = hash};
  struct contprof_function *function = link_all(profile) ? *bucket_of(profile, &like) : NULL;
  while (function && (function->hash != hash || function->name_ref != like.name_ref))
    function = function->next;
  return function;
}

// The list of functions that is outgrown stays in the arena, as do buckets. `room` is a power of
// two.
static void grow_to(struct contprof_profile *profile, size_t room) {
  struct contprof_function **functions =
      contprof_arena_zeros(&profile->arena, room, sizeof *functions);
  if (profile->function_count)
    memcpy(functions, profile->functions, profile->function_count * sizeof *functions);
  profile->functions = functions;
  profile->function_room = room;
}

static void grow(struct contprof_profile *profile) {
  grow_to(profile, profile->function_room ? profile->function_room * 2 : 64);
}

void contprof_profile_expect(struct contprof_profile *profile, uint64_t functions) {
  size_t room = 64;
  while (room < functions)
    room *= 2;
  if (room > profile->function_room)
    grow_to(profile, room);
}

static void add_arrays(struct contprof_arena *arena, struct contprof_function *function) {
  function->counters =
      contprof_arena_zeros(arena, function->counter_count, sizeof *function->counters);
  if (function->bitmap_size)
    function->bitmap = contprof_arena_zeros(arena, function->bitmap_size, 1);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind])
      function->sites[kind] =
          contprof_arena_zeros(arena, function->site_count[kind], sizeof **function->sites);
}

// With its name behind it: a large profile is mostly functions and names.
static struct contprof_function *new_function(struct contprof_arena *arena,
                                              const struct contprof_function *like) {
  struct contprof_function *function =
      contprof_arena_zeros(arena, 1, sizeof *function + like->name_length + 1);
  char *name = (char *)(function + 1);
  if (like->name_length)
    memcpy(name, like->name, like->name_length);
  function->name = name;
  return function;
}

struct contprof_function *contprof_profile_add_like(struct contprof_profile *profile,
                                                    const struct contprof_function *like) {
  struct contprof_function *function = new_function(&profile->arena, like);
  function->name_length = like->name_length;
  function->name_ref = like->name_ref;
  function->hash = like->hash;
  function->counter_count = like->counter_count;
  function->bitmap_size = like->bitmap_size;
  memcpy(function->site_count, like->site_count, sizeof function->site_count);
  add_arrays(&profile->arena, function);
  if (profile->function_count == profile->function_room)
    grow(profile);
  profile->functions[profile->function_count++] = function;
  return function;
}

struct contprof_function *contprof_profile_add(struct contprof_profile *profile, const char *name,
                                               size_t name_length, uint64_t hash,
                                               uint32_t counter_count, uint32_t bitmap_size,
                                               const uint32_t site_count[CONTPROF_VALUE_KINDS]) {
  struct contprof_function like = {.name = name,
                                   .name_length = name_length,
                                   .name_ref = contprof_name_ref(name, name_length),
                                   .hash = hash,
                                   .counter_count = counter_count,
                                   .bitmap_size = bitmap_size};
  memcpy(like.site_count, site_count, sizeof like.site_count);
  return contprof_profile_add_like(profile, &like);
}

void contprof_profile_note_dropped(struct contprof_profile *profile, const char *name,
                                   size_t name_length) {
  uint64_t index = profile->functions_dropped++;
  if (index < CONTPROF_LEFT_OUT_NAMED)
    profile->dropped_names[index] = contprof_arena_string(&profile->arena, name, name_length);
}

static bool has_binary_id(const struct contprof_profile *profile, const uint8_t *bytes,
                          uint64_t size) {
  for (size_t i = 0; i < profile->binary_id_count; i++)
    if (profile->binary_ids[i].size == size &&
        memcmp(profile->binary_ids[i].bytes, bytes, size) == 0)
      return true;
  return false;
}

static void grow_binary_ids(struct contprof_profile *profile) {
  size_t room = profile->binary_id_room ? profile->binary_id_room * 2 : 4;
  struct contprof_binary_id *ids = contprof_arena_zeros(&profile->arena, room, sizeof *ids);
  if (profile->binary_id_count)
    memcpy(ids, profile->binary_ids, profile->binary_id_count * sizeof *ids);
  profile->binary_ids = ids;
  profile->binary_id_room = room;
}

void contprof_profile_add_binary_id(struct contprof_profile *profile, const uint8_t *bytes,
                                    uint64_t size) {
  if (has_binary_id(profile, bytes, size))
    return;
  if (profile->binary_id_count == profile->binary_id_room)
    grow_binary_ids(profile);
  profile->binary_ids[profile->binary_id_count++] = (struct contprof_binary_id){
      .bytes = (const uint8_t *)contprof_arena_string(&profile->arena, bytes, size), .size = size};
}

void contprof_profile_sort(struct contprof_profile *profile) {
  if (profile->linked_count < profile->function_count)
    profile->linked_count = 0; // those linked will no longer be the first
  contprof_name_order(profile->functions, profile->function_count);
}

static bool has_counts(const struct contprof_function *function) {
  for (uint32_t i = 0; i < function->counter_count; i++)
    if (function->counters[i])
      return true;
  for (uint32_t i = 0; i < function->bitmap_size; i++)
    if (function->bitmap[i])
      return true;
  return false;
}

void contprof_profile_keep(struct contprof_profile *profile,
                           bool (*keep)(const struct contprof_function *function, void *context),
                           void *context) {
  size_t kept = 0;
  for (size_t i = 0; i < profile->function_count; i++)
    if (keep(profile->functions[i], context))
      profile->functions[kept++] = profile->functions[i];
  profile->function_count = kept;
  profile->linked_count = 0;
}

void contprof_profile_drop_zeros(struct contprof_profile *profile) {
  size_t kept = 0, end;
  for (size_t start = 0; start < profile->function_count; start = end) {
    struct contprof_function **group = profile->functions + start;
    bool counted = false;
    for (end = start; end < profile->function_count; end++) {
      if (!contprof_function_same_name(*group, profile->functions[end]))
        break;
      counted |= has_counts(profile->functions[end]);
    }
    if (counted) {
      memmove(profile->functions + kept, group, (end - start) * sizeof *group);
      kept += end - start;
    }
  }
  profile->function_count = kept;
  profile->linked_count = 0;
}

void contprof_profile_free(struct contprof_profile *profile) {
  contprof_name_table_free(&profile->vtables);
  contprof_name_table_free(&profile->targets);
  contprof_arena_free(&profile->arena);
  *profile = (struct contprof_profile){0};
}
