#include "../base/memory.h"
#include "sample_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void contprof_sample_profile_free(struct contprof_sample_profile *profile) {
  if (profile->index) {
    free(profile->index->names);
    free(profile->index->functions);
    free(profile->index);
  }
  free(profile->functions);
  free(profile->symbols);
  contprof_arena_free(&profile->arena);
  *profile = (struct contprof_sample_profile){0};
}

uint64_t contprof_samples_add(uint64_t a, uint64_t b, uint64_t weight, bool *saturated) {
  uint64_t product, sum;
  if (!__builtin_mul_overflow(b, weight, &product) && !__builtin_add_overflow(a, product, &sum))
    return sum;
  *saturated = true;
  return UINT64_MAX;
}

// --- the table of top-level functions -----------------------------------------------------------

static uint64_t function_key(const struct contprof_sample_name *name,
                             const struct contprof_context_frame *frames, size_t count) {
  uint64_t key = name->key;
  for (size_t i = 0; i < count; i++) {
    uint64_t line = (uint64_t)frames[i].line.discriminator << 32 | frames[i].line.offset;
    key = (key ^ frames[i].name->key ^ line * 31) * UINT64_C(0x9e3779b97f4a7c15);
    key ^= key >> 29;
  }
  return key;
}

static bool is_function(const struct contprof_function_samples *function,
                        const struct contprof_sample_name *name,
                        const struct contprof_context_frame *frames, size_t count) {
  if (function->name != name || function->context_count != count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (function->context[i].name != frames[i].name ||
        contprof_sample_line_compare(function->context[i].line, frames[i].line) != 0)
      return false;
  return true;
}

static struct contprof_function_slot *function_slot_of(const struct contprof_sample_index *index,
                                                       uint64_t key,
                                                       const struct contprof_sample_name *name,
                                                       const struct contprof_context_frame *frames,
                                                       size_t count) {
  size_t mask = index->function_slots - 1, at = key & mask;
  while (index->functions[at].function &&
         (index->functions[at].key != key ||
          !is_function(index->functions[at].function, name, frames, count)))
    at = (at + 1) & mask;
  return &index->functions[at];
}

static void put_in(struct contprof_sample_index *index,
                   struct contprof_function_samples *function) {
  uint64_t key = function_key(function->name, function->context, function->context_count);
  *function_slot_of(index, key, function->name, function->context, function->context_count) =
      (struct contprof_function_slot){key, function};
}

void contprof_sample_index_renew(struct contprof_sample_profile *profile) {
  struct contprof_sample_index *index = contprof_sample_index_of(profile);
  size_t slots = 256;
  while (slots <= profile->function_count * 2)
    slots *= 2;
  free(index->functions);
  index->functions = contprof_need(calloc(slots, sizeof *index->functions));
  index->function_slots = slots;
  for (size_t i = 0; i < profile->function_count; i++)
    put_in(index, profile->functions[i]);
}

struct contprof_function_samples *
contprof_sample_index_find(const struct contprof_sample_profile *profile,
                           const struct contprof_sample_name *name,
                           const struct contprof_context_frame *frames, size_t count) {
  if (!profile->index || !profile->index->function_slots)
    return NULL;
  return function_slot_of(profile->index, function_key(name, frames, count), name, frames, count)
      ->function;
}

void contprof_sample_index_add(struct contprof_sample_profile *profile,
                               struct contprof_function_samples *function) {
  struct contprof_sample_index *index = contprof_sample_index_of(profile);
  size_t count = profile->function_count;
  if ((count & (count - 1)) == 0)
    profile->functions =
        contprof_need_array(profile->functions, count ? count * 2 : 1, sizeof *profile->functions);
  profile->functions[profile->function_count++] = function;
  if (profile->function_count * 2 > index->function_slots) {
    contprof_sample_index_renew(profile);
    return;
  }
  put_in(index, function);
}

// --- top-level functions ------------------------------------------------------------------------

static struct contprof_function_samples *new_function(struct contprof_sample_profile *profile,
                                                      const struct contprof_sample_name *name) {
  struct contprof_function_samples *function =
      contprof_arena_zeros(&profile->arena, 1, sizeof *function);
  function->name = name;
  return function;
}

struct contprof_function_samples *contprof_samples_of(struct contprof_sample_profile *profile,
                                                      const struct contprof_sample_name *name) {
  struct contprof_function_samples *function = contprof_sample_index_find(profile, name, NULL, 0);
  if (!function) {
    function = new_function(profile, name);
    contprof_sample_index_add(profile, function);
  }
  return function;
}

struct contprof_function_samples *
contprof_samples_find(const struct contprof_sample_profile *profile, const char *text,
                      size_t length) {
  const struct contprof_sample_name *name = contprof_sample_name_find(profile, text, length);
  return name ? contprof_sample_index_find(profile, name, NULL, 0) : NULL;
}

struct contprof_function_samples *
contprof_samples_of_context(struct contprof_sample_profile *profile,
                            const struct contprof_context_frame *frames, size_t count) {
  const struct contprof_sample_name *name = frames[count - 1].name;
  struct contprof_function_samples *function =
      contprof_sample_index_find(profile, name, frames, count);
  if (function)
    return function;
  struct contprof_context_frame *context =
      contprof_arena_zeros(&profile->arena, count, sizeof *context);
  memcpy(context, frames, count * sizeof *context);
  function = new_function(profile, name);
  function->context = context;
  function->context_count = (uint32_t)count;
  contprof_sample_index_add(profile, function);
  return function;
}

void contprof_samples_keep(struct contprof_sample_profile *profile,
                           bool (*keep)(void *context,
                                        const struct contprof_function_samples *function),
                           void *context) {
  size_t kept = 0, room = 1;
  for (size_t i = 0; i < profile->function_count; i++)
    if (keep(context, profile->functions[i]))
      profile->functions[kept++] = profile->functions[i];
  if (kept == profile->function_count)
    return;
  while (room < kept) // contprof_sample_index_add grows at powers of two
    room *= 2;
  profile->functions = contprof_need_array(profile->functions, room, sizeof *profile->functions);
  profile->function_count = kept;
  contprof_sample_index_renew(profile);
}

static bool is_other(void *context, const struct contprof_function_samples *function) {
  return function != context;
}

void contprof_samples_remove(struct contprof_sample_profile *profile,
                             struct contprof_function_samples *function) {
  contprof_samples_keep(profile, is_other, function);
}

// --- sorted arrays in the arena -----------------------------------------------------------------

// A list of arrays that were outgrown, of one size.
struct contprof_spare_array {
  struct contprof_spare_array *next;
};

// The list for arrays of so many bytes; NULL: they are not kept.
static struct contprof_spare_array **spares_for(struct contprof_sample_profile *profile,
                                                size_t bytes) {
  size_t order = bytes ? (size_t)__builtin_ctzll(bytes) : 0;
  bool kept = bytes >= sizeof(struct contprof_spare_array) && (bytes & (bytes - 1)) == 0 &&
              order < CONTPROF_SPARE_ORDERS;
  return kept ? &profile->spares[order] : NULL;
}

// Memory for an array, zeroed: of the arena, or an outgrown one's. Arrays double as they grow, so
// that what one has left fits what another becomes.
static void *array_of(struct contprof_sample_profile *profile, size_t count, size_t size) {
  struct contprof_spare_array **spares = spares_for(profile, count * size);
  if (!spares || !*spares)
    return contprof_arena_zeros(&profile->arena, count, size);
  struct contprof_spare_array *spare = *spares;
  *spares = spare->next;
  return memset(spare, 0, count * size);
}

static void leave_array(struct contprof_sample_profile *profile, void *array, size_t bytes) {
  struct contprof_spare_array **spares = spares_for(profile, bytes);
  struct contprof_spare_array *spare = array;
  if (!spares || !array)
    return;
  spare->next = *spares;
  *spares = spare;
}

// Room for one more of `size` bytes each in an array of `count`; what was there is copied.
static void *grown(struct contprof_sample_profile *profile, void *array, size_t count, size_t *room,
                   size_t size) {
  if (count < *room)
    return array;
  size_t new_room = *room > count / 2 && *room ? *room * 2 : count + 2;
  void *larger = array_of(profile, new_room, size);
  if (count)
    memcpy(larger, array, count * size);
  if (*room == count)
    leave_array(profile, array, count * size);
  *room = new_room;
  return larger;
}

// Moves array[at..count) one element on and clears the gap.
static void open_gap(void *array, size_t at, size_t count, size_t size) {
  char *place = (char *)array + at * size;
  memmove(place + size, place, (count - at) * size);
  memset(place, 0, size);
}

// The first place whose line is not below `line`. Lines come in order mostly, so the end is tried
// first.
#define FIRST_NOT_BELOW(array, count)                                                              \
  size_t low = 0, high = (count);                                                                  \
  if (high && contprof_sample_line_compare((array)[high - 1].line, line) < 0)                      \
    return high;                                                                                   \
  while (low < high) {                                                                             \
    size_t middle = low + (high - low) / 2;                                                        \
    if (contprof_sample_line_compare((array)[middle].line, line) < 0)                              \
      low = middle + 1;                                                                            \
    else                                                                                           \
      high = middle;                                                                               \
  }                                                                                                \
  return low

static size_t body_place(const struct contprof_function_samples *function,
                         struct contprof_sample_line line) {
  FIRST_NOT_BELOW(function->bodies, function->body_count);
}

static size_t callsite_place(const struct contprof_function_samples *function,
                             struct contprof_sample_line line) {
  FIRST_NOT_BELOW(function->callsites, function->callsite_count);
}

struct contprof_body_sample *contprof_body_at(struct contprof_sample_profile *profile,
                                              struct contprof_function_samples *function,
                                              struct contprof_sample_line line) {
  size_t at = body_place(function, line);
  if (at < function->body_count &&
      contprof_sample_line_compare(function->bodies[at].line, line) == 0)
    return &function->bodies[at];
  function->bodies = grown(profile, function->bodies, function->body_count, &function->body_room,
                           sizeof *function->bodies);
  open_gap(function->bodies, at, function->body_count, sizeof *function->bodies);
  function->body_count++;
  function->bodies[at].line = line;
  return &function->bodies[at];
}

typedef const struct contprof_sample_name *name_at(const void *all, size_t index);

static const struct contprof_sample_name *target_name(const void *targets, size_t index) {
  return ((const struct contprof_call_target *)targets)[index].name;
}

static const struct contprof_sample_name *inlinee_name(const void *inlinees, size_t index) {
  return ((struct contprof_function_samples *const *)inlinees)[index]->name;
}

// Where the name stands among `count` sorted ones, or would.
static size_t place_among(const void *all, size_t count, name_at *name_of,
                          const struct contprof_sample_name *name) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (contprof_sample_name_compare(name_of(all, middle), name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void contprof_body_add_target(struct contprof_sample_profile *profile,
                              struct contprof_body_sample *body,
                              const struct contprof_sample_name *name, uint64_t count) {
  size_t at = place_among(body->targets, body->target_count, target_name, name);
  size_t room = body->target_room;
  if (at == body->target_count || contprof_sample_name_compare(body->targets[at].name, name) != 0) {
    body->targets = grown(profile, body->targets, body->target_count, &room, sizeof *body->targets);
    body->target_room = (uint32_t)room;
    open_gap(body->targets, at, body->target_count, sizeof *body->targets);
    body->target_count++;
    body->targets[at].name = name;
  }
  body->targets[at].count =
      contprof_samples_add(body->targets[at].count, count, 1, &profile->saturated);
}

static struct contprof_callsite *callsite_at(struct contprof_sample_profile *profile,
                                             struct contprof_function_samples *function,
                                             struct contprof_sample_line line) {
  size_t at = callsite_place(function, line);
  if (at < function->callsite_count &&
      contprof_sample_line_compare(function->callsites[at].line, line) == 0)
    return &function->callsites[at];
  function->callsites = grown(profile, function->callsites, function->callsite_count,
                              &function->callsite_room, sizeof *function->callsites);
  open_gap(function->callsites, at, function->callsite_count, sizeof *function->callsites);
  function->callsite_count++;
  function->callsites[at].line = line;
  return &function->callsites[at];
}

struct contprof_function_samples *contprof_samples_inlined(
    struct contprof_sample_profile *profile, struct contprof_function_samples *function,
    struct contprof_sample_line line, const struct contprof_sample_name *name) {
  struct contprof_callsite *callsite = callsite_at(profile, function, line);
  size_t at = place_among(callsite->inlinees, callsite->inlinee_count, inlinee_name, name);
  size_t room = callsite->inlinee_room;
  if (at < callsite->inlinee_count &&
      contprof_sample_name_compare(callsite->inlinees[at]->name, name) == 0)
    return callsite->inlinees[at];
  callsite->inlinees = grown(profile, callsite->inlinees, callsite->inlinee_count, &room,
                             sizeof *callsite->inlinees);
  callsite->inlinee_room = (uint32_t)room;
  open_gap(callsite->inlinees, at, callsite->inlinee_count, sizeof *callsite->inlinees);
  callsite->inlinee_count++;
  return callsite->inlinees[at] = new_function(profile, name);
}

// --- asking -------------------------------------------------------------------------------------

static uint64_t first_callsite_estimate(const struct contprof_function_samples *function) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < function->callsites[0].inlinee_count; i++)
    count += contprof_samples_head_estimate(function->callsites[0].inlinees[i]);
  return count;
}

uint64_t contprof_samples_head_estimate(const struct contprof_function_samples *function) {
  uint64_t count = 0;
  if (function->context && function->head)
    return function->head;
  if (function->body_count &&
      (!function->callsite_count ||
       contprof_sample_line_compare(function->bodies[0].line, function->callsites[0].line) < 0))
    count = function->bodies[0].count;
  else if (function->callsite_count)
    count = first_callsite_estimate(function);
  return count ? count : function->total > 0;
}

int contprof_samples_compare(const struct contprof_function_samples *a,
                             const struct contprof_function_samples *b) {
  if (!a->context || !b->context) {
    if (a->context || b->context)
      return a->context ? 1 : -1;
    return contprof_sample_name_compare(a->name, b->name);
  }
  for (uint32_t i = 0; i < a->context_count && i < b->context_count; i++) {
    int order = contprof_sample_name_compare(a->context[i].name, b->context[i].name);
    if (!order)
      order = contprof_sample_line_compare(a->context[i].line, b->context[i].line);
    if (order)
      return order;
  }
  return a->context_count < b->context_count ? -1 : a->context_count > b->context_count;
}

static int by_total(const void *left, const void *right) {
  const struct contprof_function_samples *a = *(struct contprof_function_samples *const *)left,
                                         *b = *(struct contprof_function_samples *const *)right;
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return contprof_samples_compare(a, b);
}

struct contprof_function_samples **
contprof_samples_sorted(const struct contprof_sample_profile *profile) {
  size_t count = profile->function_count;
  struct contprof_function_samples **sorted = contprof_need_array(NULL, count + 1, sizeof *sorted);
  if (count) {
    memcpy(sorted, profile->functions, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_total);
  }
  return sorted;
}

static int by_count(const void *left, const void *right) {
  const struct contprof_call_target *a = left, *b = right;
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return contprof_sample_name_compare(a->name, b->name);
}

void contprof_targets_sorted(const struct contprof_body_sample *body,
                             struct contprof_call_target *into) {
  if (!body->target_count)
    return;
  memcpy(into, body->targets, body->target_count * sizeof *into);
  if (body->target_count > 1)
    qsort(into, body->target_count, sizeof *into, by_count);
}

static void print_name(FILE *to, const struct contprof_sample_name *name) {
  if (name->text)
    fwrite(name->text, 1, name->length, to);
  else
    fprintf(to, "%" PRIu64, name->md5);
}

char *contprof_samples_text(const struct contprof_function_samples *function) {
  char *text = NULL;
  size_t size;
  FILE *to = contprof_need(open_memstream(&text, &size));
  for (uint32_t i = 0; i < function->context_count; i++) {
    const struct contprof_context_frame *frame = &function->context[i];
    if (i > 0)
      fputs(" @ ", to);
    print_name(to, frame->name);
    if (i + 1 == function->context_count)
      continue;
    fprintf(to, ":%" PRIu32, frame->line.offset);
    if (frame->line.discriminator)
      fprintf(to, ".%" PRIu32, frame->line.discriminator);
  }
  if (!function->context)
    print_name(to, function->name);
  fclose(to);
  return contprof_need(text);
}

// --- symbols ------------------------------------------------------------------------------------

static int by_text(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void contprof_symbols_sort(struct contprof_sample_profile *profile) {
  size_t kept = 0;
  if (profile->symbol_count > 1)
    qsort(profile->symbols, profile->symbol_count, sizeof *profile->symbols, by_text);
  for (size_t i = 0; i < profile->symbol_count; i++) // interned: equal ones are one pointer
    if (!kept || profile->symbols[i] != profile->symbols[kept - 1])
      profile->symbols[kept++] = profile->symbols[i];
  profile->symbol_count = kept;
}

// Names that are told again and again do not make the list grow.
static void make_symbol_room(struct contprof_sample_profile *profile) {
  contprof_symbols_sort(profile);
  if (profile->symbol_count * 2 < profile->symbol_room)
    return;
  profile->symbol_room = profile->symbol_room ? profile->symbol_room * 2 : 64;
  profile->symbols =
      contprof_need_array(profile->symbols, profile->symbol_room, sizeof *profile->symbols);
}

void contprof_symbols_add(struct contprof_sample_profile *profile, const char *text,
                          size_t length) {
  if (profile->symbol_count == profile->symbol_room)
    make_symbol_room(profile);
  profile->symbols[profile->symbol_count++] = contprof_sample_name_of(profile, text, length)->text;
}
