// One profile out of those of all ranks, on rank 0.
#ifndef CONTPROF_MPI_PROFILE_REDUCE_H
#define CONTPROF_MPI_PROFILE_REDUCE_H

#include "../instr/profile.h"

// On every rank of MPI_COMM_WORLD, with its own profile of those inputs that come after the inputs
// of the ranks before. Where the profiles of all ranks that have any, rank 0 among them, are alike
// in all but counts, as those of one build are, these are added up by MPI_Reduce, and values by a
// tree; else whole profiles are merged by a tree. Afterwards rank 0 has the whole, the others'
// profiles are of no further use. They have limits of traces. Sorts the functions. Returns false if
// what comes out would depend on the order of inputs, as contprof_wire_merge does; ranks may get
// different answers.
bool contprof_profile_reduce(struct contprof_profile *profile);

#endif
