// A sequence of records, cut out of bytes that come in pieces: from a file, a pipe, or out of
// compressed records. Each record stands whole in a block. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_STREAM_H
#define CONTPROF_SAMPLE_PERF_STREAM_H

#include "../base/cursor.h"
#include "perf_blocks.h"

// Puts up to `room` bytes, more than 0, to `into`. Returns how many; 0 if there are none now, or,
// with `error` set, if they can't be had.
typedef size_t contprof_perf_fill(void *source, uint8_t *into, size_t room,
                                  struct contprof_error *error);

// Passes over up to `size` bytes without reading them. Returns how many; it may be none.
typedef uint64_t contprof_perf_pass(void *source, uint64_t size);

struct contprof_perf_stream {
  contprof_perf_fill *fill;
  contprof_perf_pass *pass; // or NULL
  void *source;             // their first argument
  const char *file;         // for messages; not owned
  const char *section;      // for messages; a string literal
  bool swap;                // the other byte order
  uint64_t offset;          // of the next record, in the file or among the decompressed bytes
  struct contprof_perf_blocks *blocks;
  struct contprof_perf_block *block; // private: that of the next record; this stream is a user
  size_t at;                         // private: of the next record in `block`
  size_t filled;                     // private: bytes of `block`
  uint64_t to_skip;                  // private: bytes to drop before the next record
};

// A record as it stands in a block.
struct contprof_perf_raw {
  const struct contprof_perf_stream *stream; // that it came out of
  struct contprof_perf_block *block;         // its bytes are there until the block's users are gone
  const uint8_t *bytes;                      // `size` of them, with the header
  uint64_t offset;                           // of its first byte, for messages
  uint32_t type;
  uint16_t misc;
  uint16_t size; // bytes; at least that of the header
};

// Lets go of the block.
void contprof_perf_stream_close(struct contprof_perf_stream *stream);

// The next record. It holds until the next call, and longer for who becomes a user of its block.
// Returns false if there are no more bytes now, or, with `error` set, on failure.
bool contprof_perf_stream_next(struct contprof_perf_stream *stream,
                               struct contprof_perf_raw *record, struct contprof_error *error);

// What follows the last record is `size` bytes that are none.
void contprof_perf_stream_skip(struct contprof_perf_stream *stream, uint64_t size);

// True if the bytes have ended with a record. If not, fails with CONTPROF_TRUNCATED.
bool contprof_perf_stream_at_end(const struct contprof_perf_stream *stream,
                                 struct contprof_error *error);

// A cursor over a record's bytes after its header.
struct contprof_cursor contprof_perf_body(const struct contprof_perf_raw *record,
                                          struct contprof_error *error);

#endif
