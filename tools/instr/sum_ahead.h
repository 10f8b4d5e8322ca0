// Reads and sums many files in several threads, as if one after another: threads take the files in
// order, read ahead of whoever asks for the results, and add those of builds that have been seen
// (raw_sum.h) to sums of their own; all others wait until it is their turn. So what is written and
// said does not depend on the number of threads. All functions are for one thread, the one that the
// sum belongs to.
#ifndef CONTPROF_INSTR_SUM_AHEAD_H
#define CONTPROF_INSTR_SUM_AHEAD_H

#include "profile_sum.h"

struct contprof_sum_ahead;

struct contprof_sum_input {
  const char *path; // not "-", which can be read once only
  uint64_t weight;  // at least 1
};

// Starts `threads` threads on `count` inputs. Both `sum`, otherwise untouched until the end, and
// `inputs` must outlive what is returned; so must the paths outlive the sum. NULL if no thread can
// be had.
struct contprof_sum_ahead *contprof_sum_ahead_start(struct contprof_profile_sum *sum,
                                                    const struct contprof_sum_input *inputs,
                                                    size_t count, unsigned threads);

// Opens and adds the next input: what contprof_file_open and contprof_profile_sum_add would say of
// it. To be called once for each input.
bool contprof_sum_ahead_next(struct contprof_sum_ahead *ahead, struct contprof_sum_report *report,
                             struct contprof_error *error);

// After the last input: gathers what the threads have summed, and frees all.
void contprof_sum_ahead_end(struct contprof_sum_ahead *ahead);

#endif
