#include "disjoint_ranges.h"

#include "../base/memory.h"

#include <stdlib.h>

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

// A mark is one end of one range, as a pair to be sorted: its address, what it is, and the count.
enum { MARK_ENDS = 1, MARK_ZERO = 2 };

// The two marks of each range, sorted by address: to be freed.
static struct contprof_pair_count *make_marks(const struct contprof_pair_count *ranges,
                                              size_t count) {
  struct contprof_pair_count *marks = contprof_need_array(NULL, 2 * count + 1, sizeof *marks);
  for (size_t i = 0; i < count; i++) {
    unsigned zero = ranges[i].count ? 0 : MARK_ZERO;
    marks[2 * i] = (struct contprof_pair_count){ranges[i].from, zero, ranges[i].count};
    marks[2 * i + 1] =
        (struct contprof_pair_count){ranges[i].to, zero | MARK_ENDS, ranges[i].count};
  }
  return contprof_pairs_sort(marks, 2 * count);
}

static void join(struct boundary *boundary, const struct contprof_pair_count *mark) {
  bool zero = mark->to & MARK_ZERO;
  if (mark->to & MARK_ENDS) {
    boundary->end_count += mark->count;
    boundary->ends = true;
    boundary->zero_ends |= zero;
  } else {
    boundary->begin_count += mark->count;
    boundary->begins = true;
    boundary->zero_begins |= zero;
  }
}

// What is at the address of marks[*at], and moves *at behind it.
static struct boundary take_boundary(const struct contprof_pair_count *marks, size_t count,
                                     size_t *at) {
  struct boundary boundary = {.address = marks[*at].from};
  for (; *at < count && marks[*at].from == boundary.address; ++*at)
    join(&boundary, &marks[*at]);
  return boundary;
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
  struct contprof_pair_count *marks = make_marks(ranges, count);
  // An address where a range begins or ends closes two pieces at most: the one before it and
  // itself.
  struct sweep sweep = {.pieces = contprof_need_array(NULL, 4 * count + 1, sizeof *sweep.pieces)};
  for (size_t at = 0; at < 2 * count;) {
    struct boundary boundary = take_boundary(marks, 2 * count, &at);
    if (boundary.begins)
      begin_at(&sweep, &boundary);
    if (boundary.ends)
      end_at(&sweep, &boundary);
  }
  free(marks);
  *piece_count = sweep.piece_count;
  return contprof_need_array(sweep.pieces, sweep.piece_count, sizeof *sweep.pieces);
}
