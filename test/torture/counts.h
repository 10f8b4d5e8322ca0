// The counters of the victim's functions, summed over any number of profiles: read by contprof's
// own reader, or by stock llvm-profdata. Where the two agree on the sum over many files, ours may
// speak for each of them.
#ifndef TORTURE_COUNTS_H
#define TORTURE_COUNTS_H

#include "told.h"

#include "../../tools/instr/profile.h"

enum count_kind {
  COUNT_STEPS,  // entries of step_N
  COUNT_RUNS,   // entries of run_N
  COUNT_LOOPS,  // the loop's counter in run_N; frontend instrumentation has it second
  COUNT_SHARED, // entries of shared_step, at index 0
  COUNT_KINDS,
};

struct counts {
  uint64_t of[COUNT_KINDS][ALL_TASKS];
  bool frontend; // says what the second counter of run_N is
};

// Adds the counters of the function of this name, if it is one of those. `number` of them.
void counts_add(struct counts *counts, const char *name, const uint64_t *counters, size_t number);

// Adds those of a raw profile. False with a message in `why` if it can't be read.
bool counts_add_file(struct counts *counts, const char *path, char *why, size_t size);

void counts_add_counts(struct counts *counts, const struct counts *more);

bool counts_equal(const struct counts *one, const struct counts *other);

#endif
