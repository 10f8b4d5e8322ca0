#include "name_places.h"

#include "../base/memory.h"

#include <stdlib.h>

struct contprof_name_place {
  const struct contprof_sample_name *name; // NULL: unused
  uint32_t place;
};

struct contprof_name_places contprof_name_places_new(uint32_t count) {
  struct contprof_name_places places = {.slot_count = 64};
  while (places.slot_count < (size_t)count * 2)
    places.slot_count *= 2;
  places.slots = contprof_need(calloc(places.slot_count, sizeof *places.slots));
  return places;
}

void contprof_name_places_free(struct contprof_name_places *places) {
  free(places->slots);
  *places = (struct contprof_name_places){0};
}

// The name's slot, or the free one where it belongs: there is one, as half of them are.
static struct contprof_name_place *slot_of(const struct contprof_name_places *places,
                                           const struct contprof_sample_name *name) {
  size_t at = ((uintptr_t)name >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  while (places->slots[at & (places->slot_count - 1)].name &&
         places->slots[at & (places->slot_count - 1)].name != name)
    at++;
  return &places->slots[at & (places->slot_count - 1)];
}

void contprof_name_places_add(struct contprof_name_places *places,
                              const struct contprof_sample_name *name, uint32_t place) {
  *slot_of(places, name) = (struct contprof_name_place){name, place};
}

uint32_t contprof_name_places_find(const struct contprof_name_places *places,
                                   const struct contprof_sample_name *name, uint32_t none) {
  const struct contprof_name_place *slot = slot_of(places, name);
  return slot->name ? slot->place : none;
}
