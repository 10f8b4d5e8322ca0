// Overlapping ranges of code, each with a count, cut into pieces that overlap no more: what a piece
// ran is the sum over the ranges that cover it. Pure. Rule: findDisjointRanges in llvm-profgen's
// ProfileGenerator.cpp.
#ifndef CONTPROF_SAMPLE_DISJOINT_RANGES_H
#define CONTPROF_SAMPLE_DISJOINT_RANGES_H

#include "sample_counts.h"

// `ranges` are `count` distinct ones, from <= to and `to` below UINT64_MAX, in any order. Gaps
// between them stay gaps, but for those inside a range with count 0: they become pieces with count
// 0, which is how code that was not sampled is told from code that is not known. Returns
// *piece_count pieces, sorted by address, to be freed; both ends of a piece are in it, and a piece
// may begin or end within an instruction.
struct contprof_pair_count *contprof_disjoint_ranges(const struct contprof_pair_count *ranges,
                                                     size_t count, size_t *piece_count);

#endif
