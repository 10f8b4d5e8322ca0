#include "../base/memory.h"
#include "../base/names.h"
#include "sample_index.h"

#include <stdlib.h>
#include <string.h>

struct contprof_sample_index *contprof_sample_index_of(struct contprof_sample_profile *profile) {
  if (!profile->index)
    profile->index = contprof_need(calloc(1, sizeof *profile->index));
  return profile->index;
}

// --- keys ---------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t word) {
  unsigned __int128 product = (unsigned __int128)(hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Of a name's text, eight bytes at a time: names are looked up once in each file that has them, and
// MD5 would take most of a merge's time.
static uint64_t key_of(const char *text, size_t length) {
  uint64_t hash = length ^ UINT64_C(0x51ed270b35ae22d5), word;
  for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
    memcpy(&word, text, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  memcpy(&word, text, length);
  return mix(mix(hash, word), length);
}

static uint64_t key_of_hash(uint64_t hash) {
  return mix(UINT64_C(0xd6e8feb86659fd93), hash);
}

// --- the table ----------------------------------------------------------------------------------

static bool is_name(const struct contprof_sample_name *name, const char *text, size_t length,
                    uint64_t md5) {
  if (!text || !name->text)
    return !text && !name->text && name->md5 == md5;
  return name->length == length && memcmp(name->text, text, length) == 0;
}

static struct contprof_name_slot *name_slot_of(const struct contprof_sample_index *index,
                                               uint64_t key, const char *text, size_t length,
                                               uint64_t md5) {
  size_t mask = index->name_slots - 1, at = key & mask;
  while (index->names[at].name &&
         (index->names[at].key != key || !is_name(index->names[at].name, text, length, md5)))
    at = (at + 1) & mask;
  return &index->names[at];
}

static void grow_names(struct contprof_sample_index *index) {
  struct contprof_name_slot *old = index->names;
  size_t old_slots = index->name_slots;
  index->name_slots = old_slots ? old_slots * 2 : 256;
  index->names = contprof_need(calloc(index->name_slots, sizeof *index->names));
  for (size_t i = 0; i < old_slots; i++)
    if (old[i].name) {
      size_t at = old[i].key & (index->name_slots - 1);
      while (index->names[at].name)
        at = (at + 1) & (index->name_slots - 1);
      index->names[at] = old[i];
    }
  free(old);
}

static const struct contprof_sample_name *intern(struct contprof_sample_profile *profile,
                                                 uint64_t key, const char *text, size_t length,
                                                 uint64_t md5) {
  if (profile->names_of)
    return intern(profile->names_of, key, text, length, md5);
  struct contprof_sample_index *index = contprof_sample_index_of(profile);
  if (index->name_count * 2 >= index->name_slots)
    grow_names(index);
  struct contprof_name_slot *slot = name_slot_of(index, key, text, length, md5);
  if (slot->name)
    return slot->name;
  struct contprof_sample_name *name = contprof_arena_zeros(&profile->arena, 1, sizeof *name);
  name->text = text ? contprof_arena_string(&profile->arena, text, length) : NULL;
  name->length = length;
  name->md5 = md5;
  name->key = key;
  name->index = (uint32_t)index->name_count++;
  *slot = (struct contprof_name_slot){key, name};
  return name;
}

const struct contprof_sample_name *contprof_sample_name_of(struct contprof_sample_profile *profile,
                                                           const char *text, size_t length) {
  return intern(profile, key_of(text, length), text, length, 0);
}

const struct contprof_sample_name *
contprof_sample_name_of_hash(struct contprof_sample_profile *profile, uint64_t hash) {
  return intern(profile, key_of_hash(hash), NULL, 0, hash);
}

const struct contprof_sample_name *
contprof_sample_name_copy(struct contprof_sample_profile *profile,
                          const struct contprof_sample_name *name) {
  return intern(profile, name->key, name->text, name->length, name->md5);
}

const struct contprof_sample_name *
contprof_sample_name_find(const struct contprof_sample_profile *profile, const char *text,
                          size_t length) {
  if (profile->names_of)
    return contprof_sample_name_find(profile->names_of, text, length);
  if (!profile->index || !profile->index->name_slots)
    return NULL;
  return name_slot_of(profile->index, key_of(text, length), text, length, 0)->name;
}

size_t contprof_sample_name_room(const struct contprof_sample_profile *profile) {
  if (profile->names_of)
    return contprof_sample_name_room(profile->names_of);
  return profile->index ? profile->index->name_count : 0;
}

// --- asking -------------------------------------------------------------------------------------

uint64_t contprof_sample_name_hash(const struct contprof_sample_name *name) {
  // Names are in the arena, never constants; what is remembered changes nothing that can be seen.
  if (name->text && !name->md5)
    ((struct contprof_sample_name *)name)->md5 = contprof_name_ref(name->text, name->length);
  return name->md5;
}

int contprof_sample_name_compare(const struct contprof_sample_name *a,
                                 const struct contprof_sample_name *b) {
  if (a == b)
    return 0;
  if (!a->text || !b->text) {
    if (a->text || b->text)
      return a->text ? 1 : -1;
    return a->md5 < b->md5 ? -1 : a->md5 > b->md5;
  }
  int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
  return order ? order : a->length < b->length ? -1 : a->length > b->length;
}
