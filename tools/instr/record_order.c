#include "record_order.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { INLINE_BUCKETS = 4, LEAST_ALLOCATED = 64 };

struct buckets {
  const struct contprof_function **slots; // NULL where empty; owned
  size_t count;                           // a power of two
  bool since_19;                          // which LLVM's hash function
};

static struct buckets new_buckets(size_t count, bool since_19) {
  return (struct buckets){
      .slots = contprof_need(calloc(count, sizeof(void *))), .count = count, .since_19 = since_19};
}

// DenseMapInfo<unsigned long>::getHashValue in llvm/ADT/DenseMapInfo.h.
static uint32_t hash_of(const struct contprof_function *function, bool since_19) {
  if (!since_19)
    return (uint32_t)(function->hash * 37);
  uint64_t mixed = function->hash * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(mixed ^ mixed >> 31);
}

// Quadratic probing, as DenseMapBase::LookupBucketFor.
static void insert(struct buckets *buckets, const struct contprof_function *function) {
  size_t at = hash_of(function, buckets->since_19);
  for (size_t step = 1; buckets->slots[at &= buckets->count - 1]; step++)
    at += step;
  buckets->slots[at] = function;
}

static void grow(struct buckets *buckets) {
  size_t count = buckets->count * 2;
  struct buckets larger =
      new_buckets(count < LEAST_ALLOCATED ? LEAST_ALLOCATED : count, buckets->since_19);
  for (size_t i = 0; i < buckets->count; i++)
    if (buckets->slots[i])
      insert(&larger, buckets->slots[i]);
  free(buckets->slots);
  *buckets = larger;
}

void contprof_record_order(const struct contprof_function **functions, size_t count,
                           bool since_19) {
  if (count < 2)
    return;
  struct buckets buckets = new_buckets(INLINE_BUCKETS, since_19);
  for (size_t i = 0; i < count; i++) {
    if (4 * (i + 1) >= 3 * buckets.count)
      grow(&buckets);
    insert(&buckets, functions[i]);
  }
  for (size_t i = 0, next = 0; i < buckets.count; i++)
    if (buckets.slots[i])
      functions[next++] = buckets.slots[i];
  free(buckets.slots);
}
