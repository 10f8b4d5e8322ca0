#include "perf_stream.h"

#include "perf_data.h"
#include "perf_file.h"
#include "perf_format.h"

#include <inttypes.h>
#include <string.h>

void contprof_perf_stream_close(struct contprof_perf_stream *stream) {
  if (stream->block)
    contprof_perf_block_release(stream->blocks, stream->block);
  stream->block = NULL;
  stream->at = stream->filled = 0;
}

// The next record goes to a new block, with what is there of it.
static void change_block(struct contprof_perf_stream *stream) {
  struct contprof_perf_block *next = contprof_perf_block_take(stream->blocks);
  size_t rest = stream->filled - stream->at;
  if (stream->block) {
    memcpy(next->bytes, stream->block->bytes + stream->at, rest);
    contprof_perf_block_release(stream->blocks, stream->block);
  }
  stream->block = next;
  stream->at = 0;
  stream->filled = rest;
}

// Makes `size` bytes of the next record stand in the block, if there are so many now.
static bool have(struct contprof_perf_stream *stream, size_t size, struct contprof_error *error) {
  if (!stream->block || sizeof stream->block->bytes - stream->at < size)
    change_block(stream);
  while (stream->filled - stream->at < size) {
    size_t got = stream->fill(stream->source, stream->block->bytes + stream->filled,
                              sizeof stream->block->bytes - stream->filled, error);
    if (!got)
      return false;
    stream->filled += got;
  }
  return true;
}

static bool drop(struct contprof_perf_stream *stream, struct contprof_error *error) {
  while (stream->to_skip) {
    if (stream->filled == stream->at && stream->pass) {
      uint64_t passed = stream->pass(stream->source, stream->to_skip);
      stream->to_skip -= passed;
      stream->offset += passed;
      if (passed)
        continue;
    }
    if (!have(stream, 1, error))
      return false;
    size_t there = stream->filled - stream->at;
    size_t part = stream->to_skip < there ? (size_t)stream->to_skip : there;
    stream->at += part;
    stream->offset += part;
    stream->to_skip -= part;
  }
  return true;
}

static uint16_t u16_at(const uint8_t *bytes, bool swap) {
  uint16_t value;
  memcpy(&value, bytes, sizeof value);
  return swap ? __builtin_bswap16(value) : value;
}

static uint32_t u32_at(const uint8_t *bytes, bool swap) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return swap ? __builtin_bswap32(value) : value;
}

bool contprof_perf_stream_next(struct contprof_perf_stream *stream,
                               struct contprof_perf_raw *record, struct contprof_error *error) {
  if (!drop(stream, error) || !have(stream, PERF_RECORD_HEADER_SIZE, error))
    return false;
  const uint8_t *header = stream->block->bytes + stream->at;
  uint16_t size = u16_at(header + 6, stream->swap);
  if (contprof_is_perf_data(header, PERF_RECORD_HEADER_SIZE)) // no type that perf could ever have
    return contprof_perf_joined(stream->file, stream->offset, error);
  if (size < PERF_RECORD_HEADER_SIZE)
    return contprof_fail(error, CONTPROF_CORRUPT, stream->file, stream->section, stream->offset,
                         "a record says it has %u bytes, fewer than its header", size);
  if (!have(stream, size, error))
    return false;
  header = stream->block->bytes + stream->at;
  *record = (struct contprof_perf_raw){.stream = stream,
                                       .block = stream->block,
                                       .bytes = header,
                                       .offset = stream->offset,
                                       .type = u32_at(header, stream->swap),
                                       .misc = u16_at(header + 4, stream->swap),
                                       .size = size};
  stream->at += size;
  stream->offset += size;
  return true;
}

void contprof_perf_stream_skip(struct contprof_perf_stream *stream, uint64_t size) {
  stream->to_skip = size;
}

bool contprof_perf_stream_at_end(const struct contprof_perf_stream *stream,
                                 struct contprof_error *error) {
  size_t rest = stream->filled - stream->at;
  if (stream->to_skip)
    return contprof_fail(error, CONTPROF_TRUNCATED, stream->file, stream->section, stream->offset,
                         "cut short: %" PRIu64 " bytes more should follow", stream->to_skip);
  if (rest)
    return contprof_fail(error, CONTPROF_TRUNCATED, stream->file, stream->section, stream->offset,
                         "cut short in a record, of which %zu bytes are there", rest);
  return true;
}

struct contprof_cursor contprof_perf_body(const struct contprof_perf_raw *record,
                                          struct contprof_error *error) {
  const struct contprof_perf_stream *stream = record->stream;
  struct contprof_cursor body = contprof_cursor_over(record->bytes, record->size, record->offset,
                                                     stream->file, stream->section, error);
  body.swap = stream->swap;
  contprof_skip(&body, PERF_RECORD_HEADER_SIZE);
  return body;
}
