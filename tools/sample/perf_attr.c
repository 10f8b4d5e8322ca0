#include "perf_attr.h"

#include "perf_format.h"

// Bit-fields are laid out from the lowest bit on little-endian machines and from the highest on
// big-endian ones (swap_bitfield of tools/perf/util/session.c). A field of two bits keeps the order
// of its own.
static uint64_t mirrored(uint64_t big_endian) {
  uint64_t mirror = 0;
  for (unsigned bit = 0; bit < 64; bit++)
    mirror |= (big_endian >> bit & 1) << (63 - bit);
  const uint64_t low = UINT64_C(1) << PERF_ATTR_PRECISE_IP;
  uint64_t precise = (mirror & low) << 1 | (mirror >> 1 & low);
  return (mirror & ~(low | low << 1)) | precise;
}

static uint32_t words_below(const struct contprof_perf_attr *attr, uint64_t fields) {
  return 8 * (uint32_t)__builtin_popcountll(attr->sample_type & fields);
}

// Of samples: IDENTIFIER, IP, TID, TIME, ADDR, ID, each of eight bytes.
static void lay_out_samples(struct contprof_perf_attr *attr) {
  const uint64_t before_time = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
  const uint64_t before_id = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
  uint32_t header = PERF_RECORD_HEADER_SIZE;
  attr->sample_id = attr->sample_time = CONTPROF_PERF_NOWHERE;
  if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
    attr->sample_id = header;
  else if (attr->sample_type & PERF_SAMPLE_ID)
    attr->sample_id = header + words_below(attr, before_id);
  if (attr->sample_type & PERF_SAMPLE_TIME)
    attr->sample_time = header + words_below(attr, before_time);
}

// Of other records, at the end: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER, each of eight bytes.
static void lay_out_trailer(struct contprof_perf_attr *attr) {
  const uint64_t from_id =
      PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
  attr->trailer_size = attr->trailer_id = attr->trailer_time = attr->trailer_pid = 0;
  if (!contprof_perf_attr_has(attr, PERF_ATTR_SAMPLE_ID_ALL))
    return;
  attr->trailer_size = words_below(attr, from_id | PERF_SAMPLE_TIME | PERF_SAMPLE_TID);
  if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
    attr->trailer_id = 8;
  else if (attr->sample_type & PERF_SAMPLE_ID)
    attr->trailer_id = words_below(attr, from_id);
  if (attr->sample_type & PERF_SAMPLE_TIME)
    attr->trailer_time = words_below(attr, from_id | PERF_SAMPLE_TIME);
  if (attr->sample_type & PERF_SAMPLE_TID)
    attr->trailer_pid = attr->trailer_size;
}

static uint32_t take_size(struct contprof_cursor *cursor) {
  uint32_t size = contprof_take_u32(cursor);
  if (size == 0) // of before the field was filled
    size = PERF_ATTR_SIZE_FIRST;
  if (contprof_cursor_ok(cursor) && (size < PERF_ATTR_SIZE_FIRST || size > cursor->size))
    contprof_cursor_corrupt(cursor, "an event's description says it has %u bytes, of %llu here",
                            size, (unsigned long long)cursor->size);
  return contprof_cursor_ok(cursor) ? size : 0;
}

uint32_t contprof_perf_attr_take(struct contprof_cursor *cursor, struct contprof_perf_attr *attr) {
  enum { BRANCH_SAMPLE_TYPE = 72, WITH_IT = 80 }; // bytes
  *attr = (struct contprof_perf_attr){.type = contprof_take_u32(cursor)};
  uint32_t size = take_size(cursor);
  attr->config = contprof_take_u64(cursor);
  attr->period = contprof_take_u64(cursor);
  attr->sample_type = contprof_take_u64(cursor);
  attr->read_format = contprof_take_u64(cursor);
  attr->flags = contprof_take_u64(cursor);
  if (cursor->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)) // a big-endian file
    attr->flags = mirrored(attr->flags);
  if (contprof_perf_attr_has(attr, PERF_ATTR_FREQ))
    attr->period = 0;
  if (size >= WITH_IT) {
    contprof_seek(cursor, BRANCH_SAMPLE_TYPE);
    attr->branch_sample_type = contprof_take_u64(cursor);
  }
  lay_out_samples(attr);
  lay_out_trailer(attr);
  return contprof_cursor_ok(cursor) ? size : 0;
}
