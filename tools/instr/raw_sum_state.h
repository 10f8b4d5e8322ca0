// What a sum of raw profiles (raw_sum.h) is made of, for the files that implement it.
#ifndef CONTPROF_INSTR_RAW_SUM_STATE_H
#define CONTPROF_INSTR_RAW_SUM_STATE_H

#include "address_map.h"
#include "raw_compare.h"
#include "raw_sum.h"

// Where the counts of a data record go.
struct contprof_raw_place {
  struct contprof_function *function; // of `into`; NULL: its shape lost against another's
  uint64_t counters;                  // index of its first counter in the section
  uint64_t bitmap;                    // offset of its bitmap in the section
};

struct contprof_raw_sum {
  struct contprof_raw_pattern like;   // its bytes are owned
  struct contprof_raw_place *records; // image.function_count of them; in the arena
  uint64_t *with_sites;               // indices of the records with value sites; in the arena
  uint64_t with_sites_count;
  struct contprof_binary_id *binary_ids; // in the arena
  size_t binary_id_count;
  struct contprof_address_map functions, vtables; // empty without value sites
  uint64_t key;                                   // of the build
  bool cut;                                       // a sum of values was
  struct contprof_error error;
  struct contprof_arena arena;
};

struct contprof_raw_share {
  uint64_t *counts;               // sums, for each counter of the section; in the arena
  uint8_t *bits;                  // OR of the bitmaps; in the arena
  struct contprof_function *said; // sites alone: what one file says, for each of with_sites
  bool cut;                       // a sum of counts was
  bool empty;                     // nothing has been added since the start or the last flush
  // For files that are added together (raw_together.c), NULL before the first; in the arena.
  uint64_t *together;     // sums, as `counts`, of files not known to be good yet
  uint8_t *together_bits; // the same of `bits`
  uint8_t *pieces;        // CONTPROF_RAW_PIECE bytes for each of CONTPROF_RAW_TOGETHER files
  struct contprof_arena arena;
};

static inline size_t contprof_raw_counts_of(const struct contprof_raw_sum *sum) {
  return sum->like.image.counters.size / sum->like.image.counter_size;
}

#endif
