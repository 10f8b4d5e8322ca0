// Blocks of memory that bytes of a recording are read, or decompressed, into, and that records
// which wait for their turn stay in. A block is used again when nothing in it is wanted any more.
// Not thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_BLOCKS_H
#define CONTPROF_SAMPLE_PERF_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

// Large enough for any record (64 KiB) with room to spare, small enough to stay in a cache.
enum { CONTPROF_PERF_BLOCK_SIZE = 256 * 1024 };

struct contprof_perf_block {
  struct contprof_perf_block *next_free; // private
  size_t users;                          // who hold it: the stream that fills it, waiting records
  uint8_t bytes[CONTPROF_PERF_BLOCK_SIZE];
};

struct contprof_perf_blocks {
  struct contprof_perf_block *free; // private; owned
  size_t free_count;                // private
  size_t used_count;                // blocks in use
};

// A block with one user. Ends the process with a message if there is no memory.
struct contprof_perf_block *contprof_perf_block_take(struct contprof_perf_blocks *blocks);

// One user less.
void contprof_perf_block_release(struct contprof_perf_blocks *blocks,
                                 struct contprof_perf_block *block);

// Frees the blocks that nobody uses; all must have been released.
void contprof_perf_blocks_free(struct contprof_perf_blocks *blocks);

#endif
