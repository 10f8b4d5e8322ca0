#include "seen_files.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 1 << 20, FIRST_SLOTS = 64 };

void contprof_seen_files_free(struct contprof_seen_files *seen) {
  free(seen->files);
  free(seen->slots);
  contprof_arena_free(&seen->arena);
  *seen = (struct contprof_seen_files){0};
}

// FNV-1a.
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  for (const uint8_t *at = bytes, *end = at + size; at < end; at++)
    hash = (hash ^ *at) * UINT64_C(0x100000001b3);
  return hash;
}

// Where that begins is not the recording's to know, so that it can't make its paths collide.
static uint64_t hash_of(const struct contprof_seen_files *seen, const char *path, const uint8_t *id,
                        size_t id_size) {
  uint64_t hash = hash_bytes(seen->seed, path, strlen(path));
  return hash_bytes(hash, id, id_size) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static bool is_of(const struct contprof_seen_file *file, const struct contprof_perf_mmap *map) {
  return file->build_id_size == map->build_id_size &&
         memcmp(file->build_id, map->build_id, map->build_id_size) == 0 &&
         strcmp(file->path, map->path) == 0;
}

// The slot of a map's file, or the free one that it would get.
static uint32_t *slot_of(const struct contprof_seen_files *seen,
                         const struct contprof_perf_mmap *map) {
  size_t mask = seen->slot_count - 1;
  size_t i = hash_of(seen, map->path, map->build_id, map->build_id_size) & mask;
  while (seen->slots[i] && !is_of(&seen->files[seen->slots[i]], map))
    i = (i + 1) & mask;
  return &seen->slots[i];
}

static void put_back(struct contprof_seen_files *seen, uint32_t index) {
  const struct contprof_seen_file *file = &seen->files[index];
  size_t mask = seen->slot_count - 1;
  size_t i = hash_of(seen, file->path, file->build_id, file->build_id_size) & mask;
  while (seen->slots[i])
    i = (i + 1) & mask;
  seen->slots[i] = index;
}

// At most half of the slots are used.
static void grow(struct contprof_seen_files *seen) {
  seen->slot_count = seen->slot_count ? 2 * seen->slot_count : FIRST_SLOTS;
  free(seen->slots);
  seen->slots = contprof_need(calloc(seen->slot_count, sizeof *seen->slots));
  if (!seen->count)
    seen->seed = (uintptr_t)seen->slots ^ UINT64_C(0xcbf29ce484222325);
  seen->files = contprof_need_array(seen->files, seen->slot_count / 2, sizeof *seen->files);
  if (!seen->count)
    seen->files[seen->count++] = (struct contprof_seen_file){.path = ""};
  for (uint32_t i = 1; i < seen->count; i++)
    put_back(seen, i);
}

uint32_t contprof_seen_files_add(struct contprof_seen_files *seen,
                                 const struct contprof_perf_mmap *map) {
  if (!seen->slot_count)
    grow(seen);
  uint32_t *slot = slot_of(seen, map);
  if (*slot || seen->count == FILES_MAX)
    return *slot;
  if (seen->count == seen->slot_count / 2) {
    grow(seen);
    slot = slot_of(seen, map);
  }
  struct contprof_seen_file *file = &seen->files[seen->count];
  *file = (struct contprof_seen_file){
      .path = contprof_arena_string(&seen->arena, map->path, strlen(map->path)),
      .build_id_size = map->build_id_size};
  memcpy(file->build_id, map->build_id, map->build_id_size);
  return *slot = (uint32_t)seen->count++;
}

void contprof_seen_files_count(struct contprof_seen_files *seen, size_t index, uint64_t samples) {
  if (!seen->slot_count)
    grow(seen);
  seen->files[index < seen->count ? index : 0].samples += samples;
}

void contprof_seen_files_restart(struct contprof_seen_files *seen) {
  for (size_t i = 0; i < seen->count; i++)
    seen->files[i].samples = 0;
}

static int by_samples(const void *left, const void *right) {
  const struct contprof_seen_file *a = *(const struct contprof_seen_file *const *)left;
  const struct contprof_seen_file *b = *(const struct contprof_seen_file *const *)right;
  if (a->samples != b->samples)
    return a->samples > b->samples ? -1 : 1;
  return strcmp(a->path, b->path);
}

size_t contprof_seen_files_sorted(const struct contprof_seen_files *seen,
                                  const struct contprof_seen_file ***sorted) {
  size_t count = 0;
  *sorted = contprof_need_array(NULL, seen->count + 1, sizeof **sorted);
  for (size_t i = 0; i < seen->count; i++)
    if (seen->files[i].samples)
      (*sorted)[count++] = &seen->files[i];
  qsort(*sorted, count, sizeof **sorted, by_samples);
  return count;
}
