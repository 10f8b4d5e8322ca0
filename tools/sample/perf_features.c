#include "perf_features.h"

#include "perf_format.h"

// Names, by the order of the events: attr, how many ids, name, ids.
static void take_event_names(struct contprof_perf_catalog *catalog, struct contprof_cursor *body) {
  uint32_t events = contprof_take_u32(body);
  uint32_t attr_size = contprof_take_u32(body);
  for (uint32_t i = 0; contprof_cursor_ok(body) && i < events; i++) {
    contprof_skip(body, attr_size);
    uint32_t ids = contprof_take_u32(body);
    uint32_t length = contprof_take_u32(body);
    const uint8_t *name = contprof_take_bytes(body, length);
    contprof_skip(body, (uint64_t)ids * sizeof(uint64_t));
    if (contprof_cursor_ok(body) && i < catalog->attr_count)
      contprof_perf_catalog_name(catalog, i, name, length);
  }
}

// Records as BUILD_ID has them, whose type may be 0.
static void take_build_ids(struct contprof_perf_catalog *catalog, struct contprof_cursor *body) {
  while (contprof_cursor_ok(body) && contprof_cursor_left(body)) {
    contprof_skip(body, sizeof(uint32_t)); // type
    uint16_t misc = contprof_take_u16(body);
    uint16_t size = contprof_take_u16(body);
    if (contprof_cursor_ok(body) && size < PERF_RECORD_HEADER_SIZE)
      contprof_cursor_corrupt(body, "an entry says it has %u bytes, fewer than its header", size);
    if (!contprof_cursor_ok(body))
      return;
    struct contprof_cursor entry =
        contprof_take_sub(body, (uint64_t)size - PERF_RECORD_HEADER_SIZE, "build-ids");
    contprof_perf_catalog_build_id(catalog, misc, &entry);
  }
}

// How records are compressed: version, type (1: zstd), level, ratio, and what one comes to at most.
static void take_compression(struct contprof_perf_catalog *catalog, struct contprof_cursor *body) {
  contprof_skip(body, sizeof(uint32_t));
  uint32_t type = contprof_take_u32(body);
  contprof_skip(body, 2 * sizeof(uint32_t));
  uint32_t piece = contprof_take_u32(body);
  if (contprof_cursor_ok(body) && type > 1)
    contprof_cursor_corrupt(body, "records are compressed in a way that is not known, %u", type);
  else
    catalog->piece = piece;
}

void contprof_perf_feature_take(struct contprof_perf_catalog *catalog, uint64_t feature,
                                struct contprof_cursor *body) {
  switch (feature) {
  case PERF_FEATURE_EVENT_DESC:
    body->section = "event names";
    take_event_names(catalog, body);
    break;
  case PERF_FEATURE_BUILD_ID:
    body->section = "build-ids";
    take_build_ids(catalog, body);
    break;
  case PERF_FEATURE_COMPRESSED:
    body->section = "compression";
    take_compression(catalog, body);
    break;
  default:
    break;
  }
}
