// What samples of one binary come to before they are symbolised: how often each range of code ran
// and each branch was taken. The text form is llvm-profgen's unsymbolised profile. Not thread-safe.
#ifndef CONTPROF_SAMPLE_COUNTS_H
#define CONTPROF_SAMPLE_COUNTS_H

#include "../base/error.h"

#include <stddef.h>
#include <stdio.h>

// In place of an address outside of the binary, as llvm-profgen has it and its unsymbolised
// profiles show it (ExternalAddr; with offsets, the base is taken off it as off any other).
#define CONTPROF_EXTERNAL UINT64_C(1)

// A pair of addresses of the ELF file's own and how often it was seen. Of a range: its first and
// its last instruction's address (both in it). Of a branch: source (CONTPROF_EXTERNAL: outside of
// the binary) and target.
struct contprof_pair_count {
  uint64_t from;
  uint64_t to;
  uint64_t count;
};

// A set of pairs. A zeroed struct is empty.
struct contprof_pair_counts {
  size_t count;                       // pairs held
  struct contprof_pair_count *slots;  // private: hash table, the pair of no addresses: free; owned
  size_t slot_count;                  // private: a power of two, or 0
  struct contprof_pair_count last;    // private: what can't stand in the table: the pair of ~0, ~0
  bool has_last;                      // private
  struct contprof_pair_count *sorted; // private: all pairs, in place of table and last; or NULL;
                                      // owned
};

struct contprof_sample_counts {
  struct contprof_pair_counts ranges;
  struct contprof_pair_counts branches;
};

// Adds to a pair's count, which saturates at 2^64-1. A count of 0 makes the pair known.
void contprof_pair_add(struct contprof_pair_counts *counts, uint64_t from, uint64_t to,
                       uint64_t count);

// Makes ready for a pair that will be added soon: fetches its place in the table from memory.
void contprof_pair_expect(const struct contprof_pair_counts *counts, uint64_t from, uint64_t to);

// The pairs, sorted by from, then to: counts->count of them, to be freed.
struct contprof_pair_count *contprof_pairs_sorted(const struct contprof_pair_counts *counts);

// The same, and empties the set. `count` gets their number.
struct contprof_pair_count *contprof_pairs_take(struct contprof_pair_counts *counts, size_t *count);

// Makes *counts, which was empty, the set of `count` distinct pairs, sorted so: an array of
// malloc's of at least one, which it then owns.
void contprof_pairs_give(struct contprof_pair_counts *counts, struct contprof_pair_count *sorted,
                         size_t count);

// Sorts `count` pairs so, by a radix sort if they are many. `pairs` is an array of malloc's, which
// may be freed; the result is one in its place.
struct contprof_pair_count *contprof_pairs_sort(struct contprof_pair_count *pairs, size_t count);

void contprof_sample_counts_free(struct contprof_sample_counts *counts);

// Writes `counts` to `to`: the same bytes as llvm-profgen --skip-symbolization. `base` is what
// addresses in the text count from: the text base or the load base (--use-offset,
// --use-first-loadable-segment-as-base), or 0.
void contprof_unsymbolized_write(const struct contprof_sample_counts *counts, uint64_t base,
                                 FILE *to);

// Reads `path` ("-" is standard input), whose addresses count from `base`, and adds. Returns false
// with `error` (file, line, reason) set if it is no such text; `counts` then holds what came
// before. Context-sensitive profiles ("[...]" lines) are refused.
bool contprof_unsymbolized_read(const char *path, uint64_t base,
                                struct contprof_sample_counts *counts,
                                struct contprof_error *error);

#endif
