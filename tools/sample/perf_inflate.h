// Decompresses what COMPRESSED records hold: one stream of zstd for the whole recording, cut into
// records anywhere. Piece by piece, so that memory does not depend on how much comes out. Not
// thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_INFLATE_H
#define CONTPROF_SAMPLE_PERF_INFLATE_H

#include "perf_stream.h"

struct contprof_perf_inflater {
  void *context;        // private: zstd's; owned
  const uint8_t *input; // private: of the record at hand
  size_t size;          // private: bytes of `input`
  size_t used;          // private: of these
  uint64_t left;        // private: bytes that may come out still
  const char *file;     // for messages; not owned
  uint64_t offset;      // of the record, for messages
};

// A zeroed inflater is usable. Frees what it owns.
void contprof_perf_inflater_free(struct contprof_perf_inflater *inflater);

// Takes the compressed bytes of the record at `offset`, which must stay until they are used up, and
// may come to no more than `most` bytes, or to what perf writes at most if that is 0.
void contprof_perf_inflater_give(struct contprof_perf_inflater *inflater, const uint8_t *bytes,
                                 size_t size, uint64_t offset, uint64_t most);

// A contprof_perf_fill over what comes out; `inflater` is a struct contprof_perf_inflater.
size_t contprof_perf_inflater_fill(void *inflater, uint8_t *into, size_t room,
                                   struct contprof_error *error);

#endif
