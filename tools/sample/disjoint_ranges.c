#include "disjoint_ranges.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// What begins and ends at an address. A count of 0 is not nothing: the range may be one that was
// not sampled.
struct boundary {
  uint64_t address;
  uint64_t begin_count; // of the ranges that begin here
  uint64_t end_count;   // of those whose last byte this is
  bool begins;          // a range does
  bool ends;
  bool zero_begins; // a range with count 0 does
  bool zero_ends;
};

struct sweep {
  struct contprof_pair_count *pieces; // owned
  size_t piece_count;
  uint64_t begin;      // where the piece that is open now began
  bool open;           // there is one
  uint64_t count;      // of the ranges that cover it
  uint64_t zero_depth; // boundaries of ranges with count 0 that are open
};

static int by_address(const void *a, const void *b) {
  const struct boundary *left = a;
  const struct boundary *right = b;
  return (left->address > right->address) - (left->address < right->address);
}

static void add_boundaries(const struct contprof_pair_count *range, struct boundary *two) {
  bool zero = range->count == 0;
  two[0] = (struct boundary){
      .address = range->from, .begin_count = range->count, .begins = true, .zero_begins = zero};
  two[1] = (struct boundary){
      .address = range->to, .end_count = range->count, .ends = true, .zero_ends = zero};
}

static void join(struct boundary *into, const struct boundary *from) {
  into->begin_count += from->begin_count;
  into->end_count += from->end_count;
  into->begins |= from->begins;
  into->ends |= from->ends;
  into->zero_begins |= from->zero_begins;
  into->zero_ends |= from->zero_ends;
}

// One boundary an address, sorted. Returns how many there are.
static size_t make_boundaries(const struct contprof_pair_count *ranges, size_t count,
                              struct boundary *boundaries) {
  for (size_t i = 0; i < count; i++)
    add_boundaries(&ranges[i], &boundaries[2 * i]);
  qsort(boundaries, 2 * count, sizeof *boundaries, by_address);
  size_t kept = 0;
  for (size_t i = 0; i < 2 * count; i++)
    if (kept && boundaries[kept - 1].address == boundaries[i].address)
      join(&boundaries[kept - 1], &boundaries[i]);
    else
      boundaries[kept++] = boundaries[i];
  return kept;
}

// What follows another range's last byte at once leaves a piece without bytes, which is none.
static void close_piece(struct sweep *sweep, uint64_t last) {
  if (sweep->begin <= last)
    sweep->pieces[sweep->piece_count++] =
        (struct contprof_pair_count){sweep->begin, last, sweep->count};
}

static void begin_at(struct sweep *sweep, const struct boundary *boundary) {
  if (sweep->open && boundary->address > 0)
    close_piece(sweep, boundary->address - 1);
  sweep->count += boundary->begin_count;
  sweep->begin = boundary->address;
  sweep->open = true;
  sweep->zero_depth += boundary->zero_begins;
}

// Ranges with count 0 nest no further than their boundaries tell: two that begin at one address are
// one, as llvm-profgen counts them.
static void end_at(struct sweep *sweep, const struct boundary *boundary) {
  close_piece(sweep, boundary->address);
  sweep->count -= boundary->end_count;
  sweep->begin = boundary->address + 1;
  sweep->zero_depth -= boundary->zero_ends;
  sweep->open = sweep->count || sweep->zero_depth;
}

struct contprof_pair_count *contprof_disjoint_ranges(const struct contprof_pair_count *ranges,
                                                     size_t count, size_t *piece_count) {
  struct boundary *boundaries = contprof_need_array(NULL, 2 * count + 1, sizeof *boundaries);
  size_t boundary_count = make_boundaries(ranges, count, boundaries);
  // A boundary closes two pieces at most: the one before it and itself.
  struct sweep sweep = {
      .pieces = contprof_need_array(NULL, 2 * boundary_count + 1, sizeof *sweep.pieces)};
  for (size_t i = 0; i < boundary_count; i++) {
    if (boundaries[i].begins)
      begin_at(&sweep, &boundaries[i]);
    if (boundaries[i].ends)
      end_at(&sweep, &boundaries[i]);
  }
  free(boundaries);
  *piece_count = sweep.piece_count;
  return sweep.pieces;
}
