#include "perf_data.h"

#include "../base/memory.h"
#include "perf_features.h"
#include "perf_file.h"
#include "perf_inflate.h"
#include "perf_record.h"

#include <stdlib.h>

struct reader {
  struct contprof_perf_file file;
  struct contprof_perf_catalog catalog;
  struct contprof_perf_blocks blocks;
  struct contprof_perf_stream records;  // as they stand in the file
  struct contprof_perf_stream unpacked; // out of compressed ones
  struct contprof_perf_inflater inflater;
  struct contprof_perf_order order;
  struct contprof_perf_parser parser;
  uint64_t told_lost; // by records that perf itself wrote at the end
  uint64_t seen_lost; // by the kernel's records
  contprof_perf_take *take;
  void *context;
  struct contprof_perf_notes *notes;
};

// --- events -------------------------------------------------------------------------------------

static void add(uint64_t *sum, uint64_t number) {
  if (__builtin_add_overflow(*sum, number, sum))
    *sum = UINT64_MAX;
}

// At its end perf writes what each event has lost in all (LOST_SAMPLES without a time, Linux 6.1),
// which the kernel's records (LOST) may have told before: what is more than they said is new.
static void count_lost(struct reader *reader, const struct contprof_perf_raw *record,
                       struct contprof_perf_event *event) {
  if (record->type == PERF_RECORD_LOST_SAMPLES && !event->time) {
    uint64_t before = reader->told_lost > reader->seen_lost ? reader->told_lost : reader->seen_lost;
    add(&reader->told_lost, event->count);
    event->count = reader->told_lost > before ? reader->told_lost - before : 0;
  } else if (record->type == PERF_RECORD_LOST) {
    add(&reader->seen_lost, event->count);
  }
  add(&reader->notes->lost, event->count);
}

static bool hand_out(void *context, const struct contprof_perf_waiting *waiting,
                     struct contprof_error *error) {
  struct reader *reader = context;
  struct contprof_perf_event event;
  bool wanted;
  if (!contprof_perf_record_event(&reader->parser, waiting, &event, &wanted, error))
    return false;
  if (event.kind == CONTPROF_PERF_LOST)
    count_lost(reader, &waiting->record, &event);
  if (!wanted || !event.count)
    return true;
  if (reader->take(reader->context, &event, error))
    return true;
  return contprof_fail(error, CONTPROF_CORRUPT, reader->file.path, "data", waiting->record.offset,
                       "reading was ended");
}

static bool tells_of_loss(const struct contprof_perf_raw *record) {
  return record->type == PERF_RECORD_LOST || record->type == PERF_RECORD_LOST_SAMPLES;
}

// Records without a time come as they stand, and so do all if some never have one. What is lost is
// told at once, since perf's sums at the end have no time.
static bool take_kernel_record(struct reader *reader, const struct contprof_perf_raw *record,
                               struct contprof_error *error) {
  struct contprof_perf_waiting waiting = {.record = *record};
  if (!contprof_perf_record_identify(&reader->catalog, &waiting, error))
    return false;
  if (waiting.attr == reader->catalog.attr_count && record->type == PERF_RECORD_SAMPLE) {
    reader->notes->unknown_events++;
    return true;
  }
  if (!waiting.time || waiting.time == UINT64_MAX || !reader->catalog.by_time ||
      tells_of_loss(record))
    return hand_out(reader, &waiting, error);
  return contprof_perf_order_add(&reader->order, &waiting, error);
}

// --- records of perf's own ----------------------------------------------------------------------

static bool take_attr(struct reader *reader, struct contprof_cursor *body) {
  struct contprof_perf_attr attr;
  struct contprof_cursor whole =
      contprof_cursor_over(body->bytes + body->offset, contprof_cursor_left(body),
                           body->base + body->offset, body->file, body->section, body->error);
  whole.swap = body->swap;
  uint32_t size = contprof_perf_attr_take(&whole, &attr);
  if (!size)
    return false;
  contprof_skip(body, size);
  size_t index = contprof_perf_catalog_add(&reader->catalog, &attr);
  while (contprof_cursor_left(body) >= sizeof(uint64_t))
    contprof_perf_catalog_add_id(&reader->catalog, contprof_take_u64(body), index);
  return true;
}

static bool take_event_update(struct reader *reader, struct contprof_cursor *body) {
  uint64_t kind = contprof_take_u64(body);
  uint64_t id = contprof_take_u64(body);
  uint64_t room = contprof_cursor_left(body);
  const uint8_t *name = contprof_take_bytes(body, room);
  size_t attr = contprof_perf_catalog_find_id(&reader->catalog, id);
  if (name && kind == PERF_EVENT_UPDATE_NAME && attr < reader->catalog.attr_count)
    contprof_perf_catalog_name(&reader->catalog, attr, name, room);
  return contprof_cursor_ok(body);
}

static bool read_records(struct reader *reader, struct contprof_perf_stream *stream,
                         struct contprof_error *error);

// COMPRESSED holds bytes to its end, COMPRESSED2 (Linux 6.16) says how many of them count.
static bool take_compressed(struct reader *reader, const struct contprof_perf_raw *record,
                            struct contprof_cursor *body) {
  if (record->stream == &reader->unpacked)
    return contprof_cursor_corrupt(body, "a compressed record within compressed records");
  uint64_t size = contprof_cursor_left(body);
  if (record->type == PERF_USER_COMPRESSED2)
    size = contprof_take_u64(body);
  const uint8_t *bytes = contprof_take_bytes(body, size);
  if (!bytes)
    return false;
  contprof_perf_inflater_give(&reader->inflater, bytes, (size_t)size, record->offset,
                              reader->catalog.piece);
  return read_records(reader, &reader->unpacked, body->error);
}

static bool take_skipped(const struct contprof_perf_raw *record, struct contprof_cursor *body,
                         struct contprof_perf_stream *stream) {
  bool auxtrace = record->type == PERF_USER_AUXTRACE;
  uint64_t size = auxtrace ? contprof_take_u64(body) : contprof_take_u32(body);
  if (contprof_cursor_ok(body))
    contprof_perf_stream_skip(stream, size);
  return contprof_cursor_ok(body);
}

static bool take_user_record(struct reader *reader, struct contprof_perf_stream *stream,
                             const struct contprof_perf_raw *record, struct contprof_error *error) {
  struct contprof_cursor body = contprof_perf_body(record, error);
  switch (record->type) {
  case PERF_USER_FINISHED_ROUND:
    return contprof_perf_order_round(&reader->order, error);
  case PERF_USER_ATTR:
    return take_attr(reader, &body);
  case PERF_USER_EVENT_UPDATE:
    return take_event_update(reader, &body);
  case PERF_USER_FEATURE: {
    uint64_t feature = contprof_take_u64(&body);
    contprof_perf_feature_take(&reader->catalog, feature, &body);
    return contprof_cursor_ok(&body);
  }
  case PERF_USER_BUILD_ID:
    contprof_perf_catalog_build_id(&reader->catalog, record->misc, &body);
    return contprof_cursor_ok(&body);
  case PERF_USER_COMPRESSED:
  case PERF_USER_COMPRESSED2:
    return take_compressed(reader, record, &body);
  case PERF_USER_AUXTRACE:
  case PERF_USER_TRACING_DATA:
    return take_skipped(record, &body, stream);
  default:
    reader->notes->skipped_records += record->type > PERF_USER_LAST_KNOWN;
    return true;
  }
}

// --- all of them --------------------------------------------------------------------------------

static bool take_record(struct reader *reader, struct contprof_perf_stream *stream,
                        const struct contprof_perf_raw *record, struct contprof_error *error) {
  reader->notes->records++;
  if (contprof_perf_record_matters(record))
    return take_kernel_record(reader, record, error);
  if (record->type >= PERF_USER_FIRST)
    return take_user_record(reader, stream, record, error);
  reader->notes->skipped_records += !record->type || record->type > PERF_KERNEL_LAST_KNOWN;
  return true;
}

// Until there are no more now.
static bool read_records(struct reader *reader, struct contprof_perf_stream *stream,
                         struct contprof_error *error) {
  struct contprof_perf_raw record;
  while (contprof_perf_stream_next(stream, &record, error))
    if (!take_record(reader, stream, &record, error))
      return false;
  return error->code == CONTPROF_OK;
}

// A recording whose writer was killed may end anywhere.
static bool check_end(struct reader *reader, struct contprof_error *error) {
  if (reader->file.unfinished)
    return true;
  if (!contprof_perf_stream_at_end(&reader->records, error) ||
      !contprof_perf_stream_at_end(&reader->unpacked, error))
    return false;
  if (reader->file.is_stream || !reader->file.left)
    return true;
  return contprof_fail(error, CONTPROF_TRUNCATED, reader->file.path, "data", reader->records.offset,
                       "cut short: the file has shrunk while it was read");
}

static void note_rest(struct reader *reader) {
  const struct contprof_perf_file *file = &reader->file;
  if (file->is_stream || file->unfinished || file->size <= file->end)
    return;
  reader->notes->rest = file->size - file->end;
  reader->notes->rest_offset = file->end;
}

static void prepare(struct reader *reader) {
  const struct contprof_perf_file *file = &reader->file;
  reader->records = (struct contprof_perf_stream){.fill = contprof_perf_file_fill,
                                                  .pass = contprof_perf_file_pass,
                                                  .source = &reader->file,
                                                  .file = file->path,
                                                  .section = "data",
                                                  .swap = file->swap,
                                                  .offset = file->data_offset,
                                                  .blocks = &reader->blocks};
  reader->unpacked = (struct contprof_perf_stream){.fill = contprof_perf_inflater_fill,
                                                   .source = &reader->inflater,
                                                   .file = file->path,
                                                   .section = "decompressed data",
                                                   .swap = file->swap,
                                                   .blocks = &reader->blocks};
  reader->inflater.file = file->path;
  reader->parser.catalog = &reader->catalog;
  reader->order.blocks = &reader->blocks;
  reader->order.hand_out = hand_out;
  reader->order.context = reader;
  reader->order.window = CONTPROF_PERF_WINDOW;
}

static void free_all(struct reader *reader) {
  contprof_perf_order_free(&reader->order);
  contprof_perf_stream_close(&reader->records);
  contprof_perf_stream_close(&reader->unpacked);
  contprof_perf_blocks_free(&reader->blocks);
  contprof_perf_inflater_free(&reader->inflater);
  contprof_perf_tasks_free(&reader->parser.tasks);
  contprof_perf_catalog_free(&reader->catalog);
  free(reader);
}

bool contprof_perf_data_read(const char *path, contprof_perf_take *take, void *context,
                             struct contprof_perf_notes *notes, struct contprof_error *error) {
  struct reader *reader = contprof_need(calloc(1, sizeof *reader));
  *notes = (struct contprof_perf_notes){0};
  reader->take = take;
  reader->context = context;
  reader->notes = notes;
  bool ok = contprof_perf_file_open(path, &reader->file, &reader->catalog, error);
  if (ok) {
    prepare(reader);
    ok = read_records(reader, &reader->records, error) && check_end(reader, error) &&
         contprof_perf_order_finish(&reader->order, error);
    notes->out_of_order = reader->order.out_of_order;
    notes->unfinished = reader->file.unfinished;
    note_rest(reader);
    contprof_perf_file_close(&reader->file);
  }
  free_all(reader);
  return ok;
}
