// Bytes between the ranks of MPI_COMM_WORLD, or of part of it: buffers of any size, where MPI's own
// calls count in int. Whoever receives learns the size. Errors end all ranks, as is MPI's default.
// What is sent is read by the same program on the same kind of machine, but through the cursor like
// all else.
#ifndef CONTPROF_MPI_RANK_BYTES_H
#define CONTPROF_MPI_RANK_BYTES_H

#include "../base/byte_writer.h"

#include <mpi.h>
#include <stdbool.h>

void contprof_rank_send(const struct contprof_byte_writer *bytes, int to, MPI_Comm ranks);

// Replaces what is in `bytes`.
void contprof_rank_receive(struct contprof_byte_writer *bytes, int from, MPI_Comm ranks);

// Those of rank 0 go to all others of MPI_COMM_WORLD, and replace what is in `bytes` there.
void contprof_rank_broadcast(struct contprof_byte_writer *bytes);

// Whether it is so on any rank of MPI_COMM_WORLD; the same answer on all.
bool contprof_rank_any(bool here);

#endif
