#include "llvm_map_order.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// --- llvm::hash_combine_range over words of 64 bits ---------------------------------------------

#define K0 UINT64_C(0xc3a5c85c97cb3127)
#define K1 UINT64_C(0xb492b66fbe98f273)
#define K2 UINT64_C(0x9ae16a3b2f90404f)
#define K3 UINT64_C(0xc949d7c7509e6557)
#define SEED UINT64_C(0xff51afd7ed558ccd)

enum { CHUNK = 8 }; // words that are mixed at once

static uint64_t right(uint64_t value, unsigned bits) {
  return value >> bits | value << (64 - bits);
}

static uint64_t fold(uint64_t value) {
  return value ^ value >> 47;
}

static uint64_t of_two(uint64_t low, uint64_t high) {
  const uint64_t factor = UINT64_C(0x9ddfea08eb382d69);
  return fold((high ^ fold((low ^ high) * factor)) * factor) * factor;
}

// Sums of four words, for 33 to 64 bytes.
static void sum_four(uint64_t a, uint64_t z, uint64_t second, uint64_t third, uint64_t *sum,
                     uint64_t *turned) {
  uint64_t b = right(a + z, 52), c = right(a, 37);
  a += second;
  c += right(a, 7);
  a += third;
  *sum = a + z;
  *turned = b + right(a, 31) + c;
}

static uint64_t of_many(const uint64_t *words, size_t count) {
  uint64_t first, first_turned, last, last_turned;
  sum_four(words[0] + (count * 8 + words[count - 2]) * K0, words[3], words[1], words[2], &first,
           &first_turned);
  sum_four(words[2] + words[count - 4], words[count - 1], words[count - 3], words[count - 2], &last,
           &last_turned);
  uint64_t both = fold((first + last_turned) * K2 + (last + first_turned) * K0);
  return fold((SEED ^ both * K0) + first_turned) * K2;
}

static uint64_t of_few(const uint64_t *words, size_t count) {
  uint64_t length = count * 8;
  if (count == 0)
    return K2 ^ SEED;
  if (count == 1)
    return of_two(length + ((words[0] & UINT32_MAX) << 3), SEED ^ words[0] >> 32);
  if (count == 2)
    return of_two(SEED ^ words[0], right(words[1] + length, (unsigned)length)) ^ words[1];
  if (count > 4)
    return of_many(words, count);
  uint64_t a = words[0] * K1, b = words[1], c = words[count - 1] * K2, d = words[count - 2] * K0;
  return of_two(right(a - b, 43) + right(c ^ SEED, 30) + d,
                a + right(b ^ K3, 20) - c + length + SEED);
}

struct state {
  uint64_t h[7];
};

static void mix_half(const uint64_t *words, uint64_t *a, uint64_t *b) {
  *a += words[0];
  *b = right(*b + *a + words[3], 21);
  uint64_t before = *a;
  *a += words[1] + words[2];
  *b += right(*a, 44) + before;
  *a += words[3];
}

static void mix(struct state *state, const uint64_t words[CHUNK]) {
  uint64_t *h = state->h;
  h[0] = right(h[0] + h[1] + h[3] + words[1], 37) * K1;
  h[1] = right(h[1] + h[4] + words[6], 42) * K1;
  h[0] ^= h[6];
  h[1] += h[3] + words[5];
  h[2] = right(h[2] + h[5], 33) * K1;
  h[3] = h[4] * K1;
  h[4] = h[0] + h[5];
  mix_half(words, &h[3], &h[4]);
  h[5] = h[2] + h[6];
  h[6] = h[1] + words[2];
  mix_half(words + 4, &h[5], &h[6]);
  uint64_t swapped = h[2];
  h[2] = h[0];
  h[0] = swapped;
}

// A chunk that is not full has the words before it in front.
static uint64_t combine(const uint64_t *words, size_t count) {
  if (count <= CHUNK)
    return of_few(words, count);
  struct state state = {
      {0, SEED, of_two(SEED, K1), right(SEED ^ K1, 49), SEED * K1, fold(SEED), 0}};
  uint64_t *h = state.h;
  h[6] = of_two(h[4], h[5]);
  for (size_t at = 0; at < count; at += CHUNK)
    mix(&state, words + (at + CHUNK <= count ? at : count - CHUNK));
  return of_two(of_two(h[3], h[5]) + fold(h[1]) * K1 + h[2],
                of_two(h[4], h[6]) + fold(count * 8) * K1 + h[0]);
}

static uint64_t hash_of(const struct contprof_function_samples *function) {
  uint64_t few[32], *words = few;
  if (!function->context)
    return contprof_sample_name_hash(function->name);
  if (function->context_count > sizeof few / sizeof *few)
    words = contprof_need_array(NULL, function->context_count, sizeof *words);
  for (uint32_t i = 0; i < function->context_count; i++) {
    const struct contprof_context_frame *frame = &function->context[i];
    uint64_t line = (uint64_t)frame->line.discriminator << 32 | frame->line.offset;
    words[i] = contprof_sample_name_hash(frame->name) + (line << 5) + line;
  }
  uint64_t hash = combine(words, function->context_count);
  if (words != few)
    free(words);
  return hash;
}

// --- std::unordered_map -------------------------------------------------------------------------

// How many buckets libstdc++ goes to when one more element would be more than there are buckets
// (std::__detail::_Prime_rehash_policy).
static const uint32_t SIZES[] = {
    1,     13,    29,    59,     127,    257,    541,     1109,    2357,    5087,     10273,
    20753, 42043, 85229, 172933, 351061, 712697, 1447153, 2938679, 5967347, 12117689, 24607243};

enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

// One list of all elements, of which those of a bucket stand together, and for each bucket the
// element before its first one. Elements are numbers; `count`, which is none, is before all.
struct map {
  const uint64_t *hashes;
  size_t count;   // of elements, in the end
  size_t *next;   // of each element, and of `count` the first; SIZE_MAX behind the last; owned
  size_t *before; // of each bucket, or SIZE_MAX for an empty one; owned
  size_t size;    // of the map: an index into SIZES
};

static size_t *bucket_of(const struct map *map, size_t element) {
  return &map->before[map->hashes[element] % SIZES[map->size]];
}

static void insert(struct map *map, size_t element) {
  size_t *before = bucket_of(map, element);
  if (*before != SIZE_MAX) {
    map->next[element] = map->next[*before];
    map->next[*before] = element;
    return;
  }
  size_t first = map->next[map->count];
  map->next[element] = first;
  map->next[map->count] = element;
  *before = map->count;
  if (first != SIZE_MAX)
    *bucket_of(map, first) = element;
}

static void grow(struct map *map) {
  size_t element = map->next[map->count];
  size_t buckets = SIZES[++map->size];
  map->before = contprof_need_array(map->before, buckets, sizeof *map->before);
  memset(map->before, 0xff, buckets * sizeof *map->before);
  map->next[map->count] = SIZE_MAX;
  while (element != SIZE_MAX) {
    size_t next = map->next[element];
    insert(map, element);
    element = next;
  }
}

struct contprof_function_samples **
contprof_samples_in_map_order(const struct contprof_sample_profile *profile) {
  size_t count = profile->function_count, used = 0;
  struct contprof_function_samples **ordered =
      contprof_need_array(NULL, count + 1, sizeof *ordered);
  uint64_t *hashes = contprof_need_array(NULL, count + 1, sizeof *hashes);
  struct map map = {.hashes = hashes, .count = count};
  map.next = contprof_need_array(NULL, count + 1, sizeof *map.next);
  map.next[count] = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    hashes[i] = hash_of(profile->functions[i]);
    if ((i == 0 || i + 1 > SIZES[map.size]) && map.size + 1 < SIZE_COUNT)
      grow(&map);
    insert(&map, i);
  }
  for (size_t at = map.next[count]; at != SIZE_MAX; at = map.next[at])
    ordered[used++] = profile->functions[at];
  free(hashes);
  free(map.next);
  free(map.before);
  return ordered;
}
