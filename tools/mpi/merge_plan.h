// What rank 0, which alone reads the command line, its lists and its directories, tells the others:
// the inputs, and which of the options bear on adding them.
#ifndef CONTPROF_MPI_MERGE_PLAN_H
#define CONTPROF_MPI_MERGE_PLAN_H

#include "../base/byte_writer.h"
#include "../contprof/merge_options.h"

void contprof_plan_put(const struct contprof_merge_options *options,
                       struct contprof_byte_writer *out);

// Fills *options, to be freed by contprof_merge_options_free; its strings, but for the inputs'
// paths, are in `plan`, which must outlive it.
void contprof_plan_take(const struct contprof_byte_writer *plan,
                        struct contprof_merge_options *options);

#endif
