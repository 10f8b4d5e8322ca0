#include "binary_functions.h"

#include "../base/memory.h"
#include "function_name.h"

#include <stdlib.h>
#include <string.h>

// A range as it was found; its function is a number while the functions still move.
struct found_range {
  uint64_t start;
  uint64_t end;
  size_t function;
  size_t order; // of being found
};

struct collection {
  const char **names; // of the functions; owned
  size_t name_count;
  size_t name_room;
  size_t *slots; // hash table of functions by name: number plus 1; owned
  size_t slot_count;
  struct found_range *ranges; // owned
  size_t range_count;
  size_t range_room;
  uint64_t text_base;
  struct contprof_address_ranges of_die; // of the entry that is looked at; owned
};

// --- names --------------------------------------------------------------------------------------

static uint64_t hash_of(const char *text) { // FNV-1a
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static size_t *slot_of(struct collection *collection, const char *name) {
  size_t at = hash_of(name) & (collection->slot_count - 1);
  while (collection->slots[at] && strcmp(collection->names[collection->slots[at] - 1], name) != 0)
    at = (at + 1) & (collection->slot_count - 1);
  return &collection->slots[at];
}

static void grow_names(struct collection *collection) {
  collection->name_room = collection->name_room * 2 + 512;
  collection->names =
      contprof_need_array(collection->names, collection->name_room, sizeof *collection->names);
  collection->slot_count = collection->slot_count ? collection->slot_count : 1;
  while (collection->slot_count < collection->name_room * 2)
    collection->slot_count *= 2;
  free(collection->slots);
  collection->slots = contprof_need(calloc(collection->slot_count, sizeof *collection->slots));
  for (size_t i = 0; i < collection->name_count; i++)
    *slot_of(collection, collection->names[i]) = i + 1;
}

static size_t function_number(struct collection *collection, const char *name) {
  if (collection->name_count == collection->name_room)
    grow_names(collection);
  size_t *slot = slot_of(collection, name);
  if (!*slot) {
    collection->names[collection->name_count++] = name;
    *slot = collection->name_count;
  }
  return *slot - 1;
}

// --- collecting ---------------------------------------------------------------------------------

static void add_range(struct collection *collection, const struct contprof_address_range *range,
                      const char *name) {
  if (range->end <= range->start || range->start < collection->text_base)
    return;
  if (collection->range_count == collection->range_room) {
    collection->range_room = collection->range_room * 2 + 512;
    collection->ranges =
        contprof_need_array(collection->ranges, collection->range_room, sizeof *collection->ranges);
  }
  collection->ranges[collection->range_count] = (struct found_range){
      range->start, range->end, function_number(collection, name), collection->range_count};
  collection->range_count++;
}

static void add_function(struct collection *collection, struct contprof_die_walk *walk) {
  if (!contprof_die_ranges(walk->unit, &walk->die, &collection->of_die) ||
      !collection->of_die.count)
    return;
  const char *name = contprof_die_name(&walk->die);
  for (size_t i = 0; name && i < collection->of_die.count; i++)
    add_range(collection, &collection->of_die.ranges[i], name);
}

static void collect(struct collection *collection, struct contprof_dwarf_unit *unit) {
  struct contprof_die_walk walk = contprof_die_walk(unit);
  while (contprof_die_next(&walk))
    if (dwarf_tag(&walk.die) == DW_TAG_subprogram)
      add_function(collection, &walk);
}

static void collect_all(struct collection *collection, struct contprof_dwarf_file *dwarf) {
  for (size_t i = 0; i < dwarf->unit_count; i++)
    if (!contprof_unit_is_type(&dwarf->units[i]))
      collect(collection, &dwarf->units[i]);
  for (size_t i = 0; i < dwarf->unit_count; i++)
    if (dwarf->units[i].dwo)
      collect(collection, dwarf->units[i].dwo);
}

// --- the result ---------------------------------------------------------------------------------

static int by_function(const void *a, const void *b) {
  const struct found_range *first = a, *second = b;
  if (first->function != second->function)
    return first->function > second->function ? 1 : -1;
  return (first->order > second->order) - (first->order < second->order);
}

struct start {
  const struct contprof_function_range *range;
  size_t order;
};

static int by_start(const void *a, const void *b) {
  const struct start *first = a, *second = b;
  if (first->range->start != second->range->start)
    return first->range->start > second->range->start ? 1 : -1;
  return (first->order > second->order) - (first->order < second->order);
}

static int by_first_range(const void *a, const void *b) {
  const struct contprof_binary_function *first = *(const struct contprof_binary_function *const *)a;
  const struct contprof_binary_function *second =
      *(const struct contprof_binary_function *const *)b;
  if (first->ranges[0]->start != second->ranges[0]->start)
    return first->ranges[0]->start > second->ranges[0]->start ? 1 : -1;
  return strcmp(first->name, second->name);
}

// Makes the functions of the ranges, which are sorted by function; starts[] gets all ranges.
static void make_functions(const struct collection *collection, struct contprof_arena *arena,
                           struct contprof_functions *functions, struct start *starts) {
  size_t count = collection->range_count;
  struct contprof_binary_function *list =
      contprof_arena_zeros(arena, collection->name_count + 1, sizeof *list);
  struct contprof_function_range *ranges = contprof_arena_zeros(arena, count + 1, sizeof *ranges);
  const struct contprof_function_range **pointers =
      contprof_arena_zeros(arena, count + 1, sizeof *pointers);
  functions->functions =
      contprof_arena_zeros(arena, collection->name_count + 1, sizeof *functions->functions);
  for (size_t i = 0; i < count; i++) {
    const struct found_range *found = &collection->ranges[i];
    struct contprof_binary_function *function = &list[found->function];
    ranges[i] = (struct contprof_function_range){found->start, found->end, false, function};
    pointers[i] = &ranges[i];
    starts[i] = (struct start){&ranges[i], found->order};
    if (!function->ranges) {
      function->name = collection->names[found->function];
      function->ranges = &pointers[i];
      functions->functions[functions->function_count++] = function;
    }
    function->range_count++;
  }
}

static void make_starts(size_t count, struct contprof_arena *arena,
                        struct contprof_functions *functions, struct start *starts) {
  qsort(starts, count, sizeof *starts, by_start);
  functions->ranges = contprof_arena_zeros(arena, count + 1, sizeof *functions->ranges);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || starts[i].range->start != starts[i - 1].range->start)
      functions->ranges[functions->range_count++] = starts[i].range;
}

void contprof_functions_load(struct contprof_dwarf_file *dwarf, uint64_t text_base,
                             struct contprof_arena *arena, struct contprof_functions *functions) {
  *functions = (struct contprof_functions){0};
  struct collection collection = {.text_base = text_base};
  collect_all(&collection, dwarf);
  if (collection.range_count) {
    struct start *starts = contprof_need_array(NULL, collection.range_count, sizeof *starts);
    qsort(collection.ranges, collection.range_count, sizeof *collection.ranges, by_function);
    make_functions(&collection, arena, functions, starts);
    make_starts(collection.range_count, arena, functions, starts);
    qsort(functions->functions, functions->function_count, sizeof *functions->functions,
          by_first_range);
    free(starts);
  }
  free(collection.names);
  free(collection.slots);
  free(collection.ranges);
  free(collection.of_die.ranges);
}

// --- use ----------------------------------------------------------------------------------------

// Of the last range that starts at or before the address, its number plus 1.
static size_t last_before(const struct contprof_functions *functions, uint64_t address) {
  size_t low = 0, high = functions->range_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (functions->ranges[middle]->start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct contprof_function_range *
contprof_functions_range_at(const struct contprof_functions *functions, uint64_t address) {
  size_t last = last_before(functions, address);
  return last && address < functions->ranges[last - 1]->end ? functions->ranges[last - 1] : NULL;
}

static void mark(const struct contprof_functions *functions,
                 const struct contprof_text_symbol *symbol) {
  struct contprof_function_range *range =
      (struct contprof_function_range *)contprof_functions_range_at(functions, symbol->address);
  if (!range || range->is_entry)
    return;
  size_t length = contprof_canonical_length(symbol->name, strlen(symbol->name), true);
  const char *name = range->function->name;
  range->is_entry = range->function->range_count == 1 ||
                    (strlen(name) == length && !memcmp(name, symbol->name, length));
}

void contprof_functions_mark_entries(struct contprof_functions *functions,
                                     const struct contprof_text *text) {
  for (size_t i = 0; i < text->section_count; i++)
    for (size_t j = 0; j < text->sections[i].symbol_count; j++)
      mark(functions, &text->sections[i].symbols[j]);
}
