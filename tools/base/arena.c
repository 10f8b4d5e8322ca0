#include "arena.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

struct contprof_arena_block {
  struct contprof_arena_block *next;
  size_t size; // of `bytes`
  _Alignas(max_align_t) unsigned char bytes[];
};

// calloc gives zeroed pages straight from the system, so large arrays cost nothing until touched.
static void add_block(struct contprof_arena *arena, size_t size) {
  size_t block_size = size > BLOCK_BYTES ? size : BLOCK_BYTES;
  struct contprof_arena_block *block = contprof_need(calloc(1, sizeof *block + block_size));
  block->size = block_size;
  block->next = arena->blocks;
  arena->blocks = block;
  arena->used = 0;
}

void *contprof_arena_zeros(struct contprof_arena *arena, size_t count, size_t size) {
  size_t bytes;
  const size_t alignment = _Alignof(max_align_t);
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
    contprof_need(NULL);
  bytes = (bytes + alignment - 1) & ~(alignment - 1);
  if (!arena->blocks || bytes > arena->blocks->size - arena->used)
    add_block(arena, bytes);
  void *memory = arena->blocks->bytes + arena->used;
  arena->used += bytes;
  return memory;
}

char *contprof_arena_string(struct contprof_arena *arena, const void *bytes, size_t length) {
  char *copy = contprof_arena_zeros(arena, length + 1, 1);
  if (length)
    memcpy(copy, bytes, length);
  return copy;
}

void contprof_arena_free(struct contprof_arena *arena) {
  while (arena->blocks) {
    struct contprof_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  arena->used = 0;
}
