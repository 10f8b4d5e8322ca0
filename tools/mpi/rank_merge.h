// A merge by all ranks of MPI_COMM_WORLD: each adds a part of the inputs, in their order, and rank
// 0 puts together what they have and writes the outputs, last of all. What comes out, what is said
// (by rank 0 alone) and the exit status are those of contprof merge.
//
// Where these depend on the order of the inputs, it is not guessed at: rank 0 then merges all by
// itself.
#ifndef CONTPROF_MPI_RANK_MERGE_H
#define CONTPROF_MPI_RANK_MERGE_H

// argv[0] is "merge", as for contprof_cmd_merge. To be called on every rank; the arguments of rank
// 0 are read. Returns the exit status, the same on all ranks.
int contprof_rank_merge(int argc, char **argv);

#endif
