#include "subroutine_map.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { AT_GNU_DISCRIMINATOR = 0x2136 }; // of a call (DW_AT_GNU_discriminator); dwarf.h lacks it

// --- collecting ---------------------------------------------------------------------------------

// A range in the order of the entries, outer ones first.
struct found {
  uint64_t start;
  uint64_t end;
  uint32_t subroutine;
};

// An entry that has the current one in it.
struct ancestor {
  uint64_t die;
  bool is_subroutine;
  bool is_inlined;
  uint32_t number;  // of its subroutine plus 1, once it is one of the map's
  uint32_t nearest; // itself or the ancestor next to it that is a subroutine, plus 1; 0: none
};

struct collection {
  struct contprof_subroutine_map *map;
  size_t subroutine_room;
  struct found *ranges; // owned
  size_t range_count;
  size_t range_room;
  struct ancestor *ancestors; // by depth; owned
  size_t ancestor_room;
  struct contprof_address_ranges of_die; // owned
};

static struct contprof_subroutine *new_subroutine(struct collection *collection) {
  struct contprof_subroutine_map *map = collection->map;
  if (map->subroutine_count == collection->subroutine_room) {
    collection->subroutine_room = collection->subroutine_room * 2 + 128;
    map->subroutines = contprof_need_array(map->subroutines, collection->subroutine_room,
                                           sizeof *map->subroutines);
  }
  return &map->subroutines[map->subroutine_count++];
}

// Makes the ancestor at `depth` one of the map's, and those around it, which get the numbers that
// follow; returns its number plus 1.
static uint32_t subroutine_of(struct collection *collection, size_t depth) {
  uint32_t wanted = collection->ancestors[depth].number;
  while (!collection->ancestors[depth].number) {
    struct ancestor *ancestor = &collection->ancestors[depth];
    uint32_t outer = depth ? ancestor[-1].nearest : 0;
    struct contprof_subroutine *subroutine = new_subroutine(collection);
    ancestor->number = (uint32_t)collection->map->subroutine_count;
    wanted = wanted ? wanted : ancestor->number;
    *subroutine =
        (struct contprof_subroutine){.die = ancestor->die, .is_inlined = ancestor->is_inlined};
    if (!outer)
      break;
    depth = outer - 1;
    uint32_t number = collection->ancestors[depth].number;
    subroutine->parent = number ? number : ancestor->number + 1;
  }
  return wanted;
}

static void add_ranges(struct collection *collection, struct contprof_die_walk *walk) {
  if (!contprof_die_ranges(walk->unit, &walk->die, &collection->of_die))
    return;
  for (size_t i = 0; i < collection->of_die.count; i++) {
    const struct contprof_address_range *range = &collection->of_die.ranges[i];
    if (range->start == range->end)
      continue;
    if (collection->range_count == collection->range_room) {
      collection->range_room = collection->range_room * 2 + 256;
      collection->ranges = contprof_need_array(collection->ranges, collection->range_room,
                                               sizeof *collection->ranges);
    }
    collection->ranges[collection->range_count++] =
        (struct found){range->start, range->end, subroutine_of(collection, walk->depth) - 1};
  }
}

static void note_ancestor(struct collection *collection, struct contprof_die_walk *walk) {
  size_t depth = walk->depth;
  if (depth == collection->ancestor_room) {
    collection->ancestor_room = collection->ancestor_room * 2 + 32;
    collection->ancestors = contprof_need_array(collection->ancestors, collection->ancestor_room,
                                                sizeof *collection->ancestors);
  }
  int tag = dwarf_tag(&walk->die);
  bool is_inlined = tag == DW_TAG_inlined_subroutine;
  bool is_subroutine = is_inlined || tag == DW_TAG_subprogram;
  uint32_t outer = depth ? collection->ancestors[depth - 1].nearest : 0;
  collection->ancestors[depth] =
      (struct ancestor){contprof_die_offset(walk->unit, &walk->die), is_subroutine, is_inlined, 0,
                        is_subroutine ? (uint32_t)depth + 1 : outer};
}

static void collect(struct collection *collection, struct contprof_dwarf_unit *unit) {
  struct contprof_die_walk walk = contprof_die_walk(unit);
  while (contprof_die_next(&walk)) {
    note_ancestor(collection, &walk);
    if (collection->ancestors[walk.depth].is_subroutine)
      add_ranges(collection, &walk);
  }
}

// --- laying over each other ---------------------------------------------------------------------

// LLVM keeps a std::map from start to end and entry, into which each range is put in turn
// (DWARFUnit::updateAddressDieMap). All keys that it may ever have are known beforehand here: an
// array of them with a set of those in it serves as well, and costs no allocation each.
struct layers {
  uint64_t *keys; // key_count of them, in order; owned
  size_t key_count;
  uint64_t *present; // a bit for each key; owned
  uint64_t *blocks;  // a bit for each word of `present` that is not 0; owned
  struct found *at;  // of present keys: start is the key's; owned
};

static int by_number(const void *a, const void *b) {
  uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
  return (first > second) - (first < second);
}

static void list_keys(struct layers *layers, const struct collection *collection) {
  size_t count = 0;
  layers->keys = contprof_need_array(NULL, collection->range_count * 2 + 1, sizeof(uint64_t));
  for (size_t i = 0; i < collection->range_count; i++) {
    layers->keys[count++] = collection->ranges[i].start;
    layers->keys[count++] = collection->ranges[i].end;
  }
  qsort(layers->keys, count, sizeof(uint64_t), by_number);
  for (size_t i = 0; i < count; i++)
    if (!layers->key_count || layers->keys[layers->key_count - 1] != layers->keys[i])
      layers->keys[layers->key_count++] = layers->keys[i];
  layers->present = contprof_need(calloc(layers->key_count / 64 + 1, sizeof(uint64_t)));
  layers->blocks = contprof_need(calloc(layers->key_count / 4096 + 1, sizeof(uint64_t)));
  layers->at = contprof_need(calloc(layers->key_count + 1, sizeof *layers->at));
}

static size_t key_index(const struct layers *layers, uint64_t key) {
  const uint64_t *found = bsearch(&key, layers->keys, layers->key_count, sizeof key, by_number);
  return (size_t)(found - layers->keys);
}

static void set(struct layers *layers, size_t index, uint64_t end, uint32_t subroutine) {
  layers->at[index] = (struct found){layers->keys[index], end, subroutine};
  layers->present[index / 64] |= UINT64_C(1) << index % 64;
  layers->blocks[index / 4096] |= UINT64_C(1) << index / 64 % 64;
}

// The last bit up to `index` that is set, within its word; false if there is none.
static bool last_in_word(const uint64_t *bits, size_t index, size_t *found) {
  uint64_t word = bits[index / 64] & (UINT64_MAX >> (63 - index % 64));
  if (!word)
    return false;
  *found = index / 64 * 64 + 63 - (size_t)__builtin_clzll(word);
  return true;
}

// The last present key up to `index`; false if there is none.
static bool last_present(const struct layers *layers, size_t index, size_t *found) {
  if (last_in_word(layers->present, index, found))
    return true;
  if (index < 64)
    return false;
  size_t word = index / 64 - 1, block;
  while (!last_in_word(layers->blocks, word, &block)) {
    if (word < 64)
      return false;
    word = word / 64 * 64 - 1;
  }
  return last_in_word(layers->present, block * 64 + 63, found);
}

static void lay(struct layers *layers, const struct found *range) {
  size_t start = key_index(layers, range->start);
  size_t below;
  if (last_present(layers, start, &below) && range->start < layers->at[below].end) {
    struct found under = layers->at[below];
    if (range->end < under.end)
      set(layers, key_index(layers, range->end), under.end, under.subroutine);
    if (range->start > under.start)
      layers->at[below].end = range->start;
  }
  set(layers, start, range->end, range->subroutine);
}

static void take_spans(const struct layers *layers, struct contprof_subroutine_map *map) {
  map->spans = contprof_need_array(NULL, layers->key_count + 1, sizeof *map->spans);
  for (size_t i = 0; i < layers->key_count; i++) {
    if (!(layers->present[i / 64] >> i % 64 & 1))
      continue;
    const struct found *found = &layers->at[i];
    struct contprof_span *last = map->span_count ? &map->spans[map->span_count - 1] : NULL;
    if (last && last->end > found->start)
      last->end = found->start;
    if (found->end > found->start)
      map->spans[map->span_count++] =
          (struct contprof_span){found->start, found->end, found->subroutine};
  }
}

void contprof_subroutines_map(struct contprof_dwarf_unit *unit,
                              struct contprof_subroutine_map *map) {
  *map = (struct contprof_subroutine_map){.unit = unit};
  struct collection collection = {.map = map};
  struct layers layers = {0};
  collect(&collection, unit);
  list_keys(&layers, &collection);
  for (size_t i = 0; i < collection.range_count; i++)
    lay(&layers, &collection.ranges[i]);
  take_spans(&layers, map);
  free(layers.keys);
  free(layers.present);
  free(layers.blocks);
  free(layers.at);
  free(collection.ranges);
  free(collection.ancestors);
  free(collection.of_die.ranges);
}

void contprof_subroutine_map_free(struct contprof_subroutine_map *map) {
  free(map->subroutines);
  free(map->spans);
  memset(map, 0, sizeof *map);
}

// --- use ----------------------------------------------------------------------------------------

static struct contprof_subroutine *known(struct contprof_subroutine_map *map, uint32_t number) {
  struct contprof_subroutine *subroutine = &map->subroutines[number];
  if (!subroutine->is_known) {
    Dwarf_Die die = contprof_die_at(map->unit, subroutine->die);
    subroutine->name = contprof_die_name(&die);
    subroutine->decl_line = (uint32_t)contprof_die_number_through(&die, DW_AT_decl_line);
    subroutine->call_line = (uint32_t)contprof_die_number(&die, DW_AT_call_line);
    subroutine->call_discriminator = (uint32_t)contprof_die_number(&die, AT_GNU_DISCRIMINATOR);
  }
  subroutine->is_known = true;
  return subroutine;
}

struct contprof_subroutine *contprof_subroutine_at(struct contprof_subroutine_map *map,
                                                   uint64_t address, uint64_t *start,
                                                   uint64_t *end) {
  const struct contprof_span *span =
      contprof_span_at(map->spans, map->span_count, address, start, end);
  if (!span)
    return NULL;
  return known(map, (uint32_t)span->of);
}

struct contprof_subroutine *
contprof_subroutine_caller(struct contprof_subroutine_map *map,
                           const struct contprof_subroutine *subroutine) {
  return subroutine->is_inlined && subroutine->parent ? known(map, subroutine->parent - 1) : NULL;
}
