#include "name_order.h"

#include "../base/compare_bytes.h"
#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

struct key {
  uint64_t bytes; // eight of the name, the first one highest; zeros behind its end
  struct contprof_function *function;
};

enum { FEW = 12 }; // keys that insertion sorts as quickly

// --- by whole names -----------------------------------------------------------------------------

static int compare(const void *left_entry, const void *right_entry) {
  const struct contprof_function *left = ((const struct key *)left_entry)->function;
  const struct contprof_function *right = ((const struct key *)right_entry)->function;
  int order =
      contprof_compare_bytes(left->name, left->name_length, right->name, right->name_length);
  return order ? order : (left->hash > right->hash) - (left->hash < right->hash);
}

static void sort_whole(struct key *keys, size_t count) {
  if (count > 1)
    qsort(keys, count, sizeof *keys, compare);
}

// --- by eight bytes -----------------------------------------------------------------------------

static uint64_t bytes_at(const struct contprof_function *function, size_t depth) {
  uint8_t bytes[8] = {0};
  size_t left = function->name_length - depth;
  if (left >= sizeof bytes)
    memcpy(bytes, function->name + depth, sizeof bytes);
  else
    memcpy(bytes, function->name + depth, left);
  uint64_t word = 0;
  for (unsigned i = 0; i < sizeof bytes; i++)
    word = word << 8 | bytes[i];
  return word;
}

static void insert_all(struct key *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    struct key key = keys[i];
    size_t at = i;
    for (; at && keys[at - 1].bytes > key.bytes; at--)
      keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

static void merge_halves(struct key *keys, size_t half, size_t count, struct key *scratch) {
  size_t left = 0, right = half, to = 0;
  if (keys[half - 1].bytes <= keys[half].bytes)
    return;
  memcpy(scratch, keys, half * sizeof *keys);
  while (left < half && right < count)
    keys[to++] = scratch[left].bytes <= keys[right].bytes ? scratch[left++] : keys[right++];
  memcpy(keys + to, scratch + left, (half - left) * sizeof *keys);
}

// `scratch` has room for half of the keys.
static void sort_by_bytes(struct key *keys, size_t count, struct key *scratch) {
  if (count <= FEW) {
    insert_all(keys, count);
    return;
  }
  size_t half = count / 2;
  sort_by_bytes(keys, half, scratch);
  sort_by_bytes(keys + half, count - half, scratch);
  merge_halves(keys, half, count, scratch);
}

// --- by name ------------------------------------------------------------------------------------

// Moves those whose names end before `depth` to the front, and returns how many they are: they are
// the first, since all are alike up to there.
static size_t put_ended_first(struct key *keys, size_t count, size_t depth) {
  size_t ended = 0;
  for (size_t i = 0; i < count; i++)
    if (keys[i].function->name_length <= depth) {
      struct key key = keys[i];
      keys[i] = keys[ended];
      keys[ended++] = key;
    }
  return ended;
}

// Fills in the bytes at `depth`; returns whether all are the same.
static bool take_bytes(struct key *keys, size_t count, size_t depth) {
  uint64_t differences = 0;
  for (size_t i = 0; i < count; i++) {
    keys[i].bytes = bytes_at(keys[i].function, depth);
    differences |= keys[i].bytes ^ keys[0].bytes;
  }
  return !differences;
}

// Keys whose names are alike before `depth`. What is left for a round within a round is a part of
// it, so that those are few.
static void sort_from(struct key *keys, size_t count, size_t depth, struct key *scratch) {
  for (bool same = true; same; depth += sizeof keys->bytes) {
    size_t ended = put_ended_first(keys, count, depth);
    sort_whole(keys, ended);
    keys += ended;
    count -= ended;
    if (count < 2)
      return;
    same = take_bytes(keys, count, depth);
  }
  sort_by_bytes(keys, count, scratch);
  for (size_t start = 0, end; start < count; start = end) {
    for (end = start + 1; end < count && keys[end].bytes == keys[start].bytes; end++)
      ;
    if (end - start > FEW)
      sort_from(keys + start, end - start, depth, scratch);
    else
      sort_whole(keys + start, end - start);
  }
}

void contprof_name_order(struct contprof_function **functions, size_t count) {
  if (count < 2)
    return;
  struct key *keys = contprof_need_array(NULL, count + count / 2, sizeof *keys);
  for (size_t i = 0; i < count; i++)
    keys[i] = (struct key){.function = functions[i]};
  sort_from(keys, count, 0, keys + count);
  for (size_t i = 0; i < count; i++)
    functions[i] = keys[i].function;
  free(keys);
}
