#include "perf_blocks.h"

#include "../base/memory.h"

#include <stdlib.h>

enum { KEPT_FREE = 8 }; // blocks

struct contprof_perf_block *contprof_perf_block_take(struct contprof_perf_blocks *blocks) {
  struct contprof_perf_block *block = blocks->free;
  if (block) {
    blocks->free = block->next_free;
    blocks->free_count--;
  } else {
    block = contprof_need(malloc(sizeof *block));
  }
  block->next_free = NULL;
  block->users = 1;
  blocks->used_count++;
  return block;
}

void contprof_perf_block_release(struct contprof_perf_blocks *blocks,
                                 struct contprof_perf_block *block) {
  if (--block->users)
    return;
  blocks->used_count--;
  if (blocks->free_count == KEPT_FREE) {
    free(block);
    return;
  }
  block->next_free = blocks->free;
  blocks->free = block;
  blocks->free_count++;
}

void contprof_perf_blocks_free(struct contprof_perf_blocks *blocks) {
  while (blocks->free) {
    struct contprof_perf_block *next = blocks->free->next_free;
    free(blocks->free);
    blocks->free = next;
  }
  blocks->free_count = 0;
}
