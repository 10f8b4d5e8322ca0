#include "rank_bytes.h"

#include "../base/memory.h"

enum { PIECE = 1 << 30, TAG = 0 }; // bytes of one call

static int piece_of(const struct contprof_byte_writer *bytes, size_t at) {
  return bytes->size - at < PIECE ? (int)(bytes->size - at) : PIECE;
}

static void make_room(struct contprof_byte_writer *bytes, uint64_t size) {
  if (size > bytes->room) {
    bytes->bytes = contprof_need_array(bytes->bytes, size, 1);
    bytes->room = size;
  }
  bytes->size = size;
}

void contprof_rank_send(const struct contprof_byte_writer *bytes, int to, MPI_Comm ranks) {
  uint64_t size = bytes->size;
  MPI_Send(&size, 1, MPI_UINT64_T, to, TAG, ranks);
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Send(bytes->bytes + at, piece_of(bytes, at), MPI_BYTE, to, TAG, ranks);
}

void contprof_rank_receive(struct contprof_byte_writer *bytes, int from, MPI_Comm ranks) {
  uint64_t size;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, TAG, ranks, MPI_STATUS_IGNORE);
  make_room(bytes, size);
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Recv(bytes->bytes + at, piece_of(bytes, at), MPI_BYTE, from, TAG, ranks, MPI_STATUS_IGNORE);
}

void contprof_rank_broadcast(struct contprof_byte_writer *bytes) {
  uint64_t size = bytes->size;
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  make_room(bytes, size);
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Bcast(bytes->bytes + at, piece_of(bytes, at), MPI_BYTE, 0, MPI_COMM_WORLD);
}

bool contprof_rank_any(bool here) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return any != 0;
}
