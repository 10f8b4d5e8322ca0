#include "recording_parts.h"
#include "tools/base/memory.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { // records of perf's own
  ATTR = 64,
  BUILD_ID = 67,
  FINISHED_ROUND = 68,
  AUXTRACE = 71,
  EVENT_UPDATE = 78,
  FEATURE = 80,
  COMPRESSED = 81,
  COMPRESSED2 = 83,
};
enum { F_BUILD_ID = 2, F_HOSTNAME = 3, F_EVENT_DESC = 12, F_COMPRESSED = 27, FEATURES = 256 };
enum { MAPPED = 1 << 20 }; // what perf would call the size of its ring buffers

static void die(const struct recording *recording) {
  fprintf(stderr, "can't write %s\n", recording->path);
  exit(1);
}

void recording_write(struct recording *recording, const void *bytes, size_t size) {
  if (size && fwrite(bytes, 1, size, recording->file) != size)
    die(recording);
}

// --- records ------------------------------------------------------------------------------------

void recording_begin(struct recording *recording, uint32_t type, uint16_t misc) {
  recording->record.size = 0;
  put_u32(&recording->record, type);
  put_u16(&recording->record, misc);
  put_u16(&recording->record, 0);
}

static void seal(struct recording *recording) {
  if (recording->record.size > UINT16_MAX) {
    fprintf(stderr, "a record of %zu bytes\n", recording->record.size);
    exit(1);
  }
  patch_u16(&recording->record, 6, (uint16_t)recording->record.size);
}

static void write_plain(struct recording *recording) {
  seal(recording);
  recording_write(recording, recording->record.bytes, recording->record.size);
}

static void write_compressed(struct recording *recording, const uint8_t *bytes, size_t size) {
  bool sized = recording->form.compress == 2;
  recording_begin(recording, sized ? COMPRESSED2 : COMPRESSED, 0);
  if (sized)
    put_u64(&recording->record, size);
  put_bytes(&recording->record, bytes, size);
  if (sized)
    put_alignment(&recording->record, 8);
  write_plain(recording);
}

// One frame for the whole recording, flushed after each chunk; chunks are cut anywhere.
static void compress_chunk(struct recording *recording, size_t size) {
  size_t room = ZSTD_compressBound(size) + 64;
  uint8_t *packed = contprof_need(malloc(room));
  ZSTD_inBuffer input = {recording->waiting.bytes, size, 0};
  ZSTD_outBuffer output = {packed, room, 0};
  if (ZSTD_compressStream2(recording->compressor, &output, &input, ZSTD_e_flush) != 0)
    die(recording);
  for (size_t at = 0; at < output.pos; at += recording->form.piece) {
    size_t left = output.pos - at;
    write_compressed(recording, packed + at,
                     left < recording->form.piece ? left : recording->form.piece);
  }
  free(packed);
  recording->waiting.size -= size;
  memmove(recording->waiting.bytes, recording->waiting.bytes + size, recording->waiting.size);
}

void recording_flush(struct recording *recording) {
  while (recording->waiting.size)
    compress_chunk(recording, recording->waiting.size < recording->form.chunk
                                  ? recording->waiting.size
                                  : recording->form.chunk);
}

void recording_end(struct recording *recording) {
  if (!recording->form.compress) {
    write_plain(recording);
    return;
  }
  seal(recording);
  put_bytes(&recording->waiting, recording->record.bytes, recording->record.size);
  while (recording->waiting.size >= recording->form.chunk)
    compress_chunk(recording, recording->form.chunk);
}

void recording_round(struct recording *recording) {
  recording_flush(recording);
  recording_begin(recording, FINISHED_ROUND, 0);
  write_plain(recording);
}

void recording_auxtrace(struct recording *recording, uint64_t size) {
  recording_flush(recording);
  recording_begin(recording, AUXTRACE, 0);
  put_u64(&recording->record, size);
  put_zeros(&recording->record, 32);
  write_plain(recording);
  static const uint8_t zeros[4096];
  for (uint64_t done = 0; done < size; done += sizeof zeros)
    recording_write(recording, zeros, size - done < sizeof zeros ? size - done : sizeof zeros);
}

// --- what is told about events ------------------------------------------------------------------

static uint64_t mirrored(uint64_t flags) {
  uint64_t mirror = 0;
  for (unsigned bit = 0; bit < 64; bit++)
    mirror |= (flags >> bit & 1) << (63 - bit);
  return mirror;
}

void recording_put_attr(struct recording *recording, struct record_bytes *to,
                        const struct recording_event *event) {
  struct record_bytes attr = {.big_endian = to->big_endian};
  put_u32(&attr, event->type);
  put_u32(&attr, recording->form.attr_size);
  put_u64(&attr, event->config);
  put_u64(&attr, event->period);
  put_u64(&attr, event->sample_type);
  put_u64(&attr, event->read_format);
  put_u64(&attr, to->big_endian ? mirrored(event->flags) : event->flags);
  put_zeros(&attr, 24); // wakeup, breakpoint or config1, config2
  put_u64(&attr, event->branch_sample_type);
  put_u64(&attr, event->regs_user);
  put_u32(&attr, event->stack_user);
  put_u32(&attr, 0); // clock
  put_u64(&attr, event->regs_intr);
  put_zeros(&attr, 512);
  put_bytes(to, attr.bytes, recording->form.attr_size);
  record_bytes_free(&attr);
}

void recording_put_event_names(struct recording *recording, struct record_bytes *to) {
  put_u32(to, (uint32_t)recording->event_count);
  put_u32(to, recording->form.attr_size);
  for (size_t i = 0; i < recording->event_count; i++) {
    const struct recording_event *event = &recording->events[i];
    recording_put_attr(recording, to, event);
    put_u32(to, (uint32_t)event->id_count);
    put_string(to, event->name ? event->name : "");
    for (size_t j = 0; j < event->id_count; j++)
      put_u64(to, event->ids[j]);
  }
}

void recording_put_compression(struct recording *recording, struct record_bytes *to) {
  put_u32(to, 1); // version
  put_u32(to, 1); // zstd
  put_u32(to, (uint32_t)recording->form.level);
  put_u32(to, 2); // ratio
  put_u32(to, MAPPED);
}

static bool has_names(const struct recording *recording) {
  for (size_t i = 0; i < recording->event_count; i++)
    if (recording->events[i].name)
      return true;
  return false;
}

static void put_build_id(struct record_bytes *to, const char *path, const uint8_t *bytes,
                         size_t size, bool told_size) {
  put_u32(to, UINT32_MAX); // PID -1: the host's
  put_bytes(to, bytes, size);
  put_zeros(to, 20 - size);
  put_u8(to, told_size ? (uint8_t)size : 0);
  put_zeros(to, 3);
  put_bytes(to, path, strlen(path) + 1);
  put_alignment(to, 4);
  put_zeros(to, to->size % 8 ? 4 : 0);
}

void recording_build_id(struct recording *recording, const char *path, const uint8_t *bytes,
                        size_t size, bool told_size) {
  recording_begin(recording, BUILD_ID, PERF_RECORD_MISC_USER | (told_size ? 1U << 15 : 0));
  put_build_id(&recording->record, path, bytes, size, told_size);
  if (recording->form.stream) {
    write_plain(recording);
    return;
  }
  seal(recording);
  put_bytes(&recording->build_ids, recording->record.bytes, recording->record.size);
}

void recording_feature(struct recording *recording, unsigned number, const uint8_t *bytes,
                       size_t size) {
  put_u64(&recording->features, number);
  put_u64(&recording->features, size);
  put_bytes(&recording->features, bytes, size);
}

// --- a stream's beginning -----------------------------------------------------------------------

static void write_feature_record(struct recording *recording, uint64_t number,
                                 void put(struct recording *, struct record_bytes *)) {
  recording_begin(recording, FEATURE, 0);
  put_u64(&recording->record, number);
  put(recording, &recording->record);
  write_plain(recording);
}

static void write_attr_records(struct recording *recording) {
  for (size_t i = 0; i < recording->event_count; i++) {
    const struct recording_event *event = &recording->events[i];
    recording_begin(recording, ATTR, 0);
    recording_put_attr(recording, &recording->record, event);
    for (size_t j = 0; j < event->id_count; j++)
      put_u64(&recording->record, event->ids[j]);
    write_plain(recording);
    if (!event->name || !event->id_count)
      continue;
    recording_begin(recording, EVENT_UPDATE, 0);
    put_u64(&recording->record, 2); // its name
    put_u64(&recording->record, event->ids[0]);
    put_name(&recording->record, event->name);
    write_plain(recording);
  }
}

static void begin_stream(struct recording *recording) {
  struct record_bytes header = {.big_endian = recording->form.big_endian};
  put_bytes(&header, recording->form.big_endian ? "2ELIFREP" : "PERFILE2", 8);
  put_u64(&header, 16);
  recording_write(recording, header.bytes, header.size);
  record_bytes_free(&header);
  write_attr_records(recording);
  if (recording->form.no_features)
    return;
  if (has_names(recording))
    write_feature_record(recording, F_EVENT_DESC, recording_put_event_names);
  if (recording->form.compress)
    write_feature_record(recording, F_COMPRESSED, recording_put_compression);
}

// --- a file's beginning and end -----------------------------------------------------------------

// Header, ids, attrs: as perf record lays them out. `features` are the bits of the header.
static void put_beginning(struct recording *recording, struct record_bytes *to, uint64_t data_size,
                          const uint8_t *features) {
  const struct recording_form *form = &recording->form;
  size_t ids = 0;
  for (size_t i = 0; i < recording->event_count; i++)
    ids += recording->events[i].id_count;
  uint64_t attrs_at = form->header_size + 8 * ids, entry = form->attr_size + 16;
  recording->data_offset = attrs_at + recording->event_count * entry;
  put_bytes(to, form->big_endian ? "2ELIFREP" : "PERFILE2", 8);
  put_u64(to, form->header_size);
  put_u64(to, entry);
  put_u64(to, attrs_at);
  put_u64(to, recording->event_count * entry);
  put_u64(to, recording->data_offset);
  put_u64(to, data_size);
  put_zeros(to, 16);
  for (unsigned word = 0; form->header_size == 104 && word < FEATURES / 64; word++) {
    uint64_t bits = 0;
    for (unsigned bit = 0; bit < 64; bit++)
      bits |= (uint64_t)features[64 * word + bit] << bit;
    put_u64(to, bits);
  }
  for (size_t i = 0; i < recording->event_count; i++)
    for (size_t j = 0; j < recording->events[i].id_count; j++)
      put_u64(to, recording->events[i].ids[j]);
  uint64_t ids_at = form->header_size;
  for (size_t i = 0; i < recording->event_count; i++) {
    recording_put_attr(recording, to, &recording->events[i]);
    put_u64(to, ids_at);
    put_u64(to, 8 * recording->events[i].id_count);
    ids_at += 8 * recording->events[i].id_count;
  }
}

static void write_beginning(struct recording *recording, uint64_t data_size,
                            const uint8_t *features) {
  struct record_bytes beginning = {.big_endian = recording->form.big_endian};
  put_beginning(recording, &beginning, data_size, features);
  recording_write(recording, beginning.bytes, beginning.size);
  record_bytes_free(&beginning);
}

static uint64_t number_at(const struct record_bytes *bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; i++)
    value |= (uint64_t)bytes->bytes[at + (bytes->big_endian ? 7 - i : i)] << 8 * i;
  return value;
}

// The contents of a feature. Returns false if there is none.
static bool put_feature(struct recording *recording, unsigned number, struct record_bytes *to) {
  for (size_t at = 0; at < recording->features.size;) {
    uint64_t size = number_at(&recording->features, at + 8);
    if (number_at(&recording->features, at) == number) {
      put_bytes(to, recording->features.bytes + at + 16, size);
      return true;
    }
    at += 16 + size;
  }
  if (number == F_HOSTNAME)
    put_string(to, "tests");
  else if (number == F_EVENT_DESC && has_names(recording))
    recording_put_event_names(recording, to);
  else if (number == F_BUILD_ID && recording->build_ids.size)
    put_bytes(to, recording->build_ids.bytes, recording->build_ids.size);
  else if (number == F_COMPRESSED && recording->form.compress)
    recording_put_compression(recording, to);
  else
    return false;
  return true;
}

// The table of sections, then what they hold.
static void write_features(struct recording *recording, uint64_t at, uint8_t *features) {
  struct record_bytes table = {.big_endian = recording->form.big_endian};
  struct record_bytes contents = table;
  size_t count = 0;
  for (unsigned i = 0; i < FEATURES; i++) {
    contents.size = 0;
    features[i] = put_feature(recording, i, &contents);
    count += features[i];
  }
  contents.size = 0;
  for (unsigned i = 0; i < FEATURES; i++) {
    size_t start = contents.size;
    if (!features[i])
      continue;
    put_feature(recording, i, &contents);
    put_u64(&table, at + 16 * count + start);
    put_u64(&table, contents.size - start);
  }
  recording_write(recording, table.bytes, table.size);
  recording_write(recording, contents.bytes, contents.size);
  record_bytes_free(&table);
  record_bytes_free(&contents);
}

// A perf record that is killed has not said how much it has written, nor written its features.
static void finish_file(struct recording *recording) {
  uint8_t features[FEATURES] = {[F_HOSTNAME] = 1, [F_EVENT_DESC] = 1};
  uint64_t end = (uint64_t)ftello(recording->file);
  bool unfinished = recording->form.unfinished;
  if (!unfinished)
    memset(features, 0, sizeof features);
  if (!unfinished && !recording->form.no_features && recording->form.header_size == 104)
    write_features(recording, end, features);
  if (fseeko(recording->file, 0, SEEK_SET) != 0)
    die(recording);
  write_beginning(recording, unfinished ? 0 : end - recording->data_offset, features);
}

// --- all of it ----------------------------------------------------------------------------------

static void fill_in(struct recording_form *form) {
  form->header_size = form->header_size ? form->header_size : 104;
  form->attr_size = form->attr_size ? form->attr_size : 128;
  form->level = form->level ? form->level : 1;
  form->chunk = form->chunk ? form->chunk : 4096;
  form->piece = form->piece ? form->piece : 32768;
}

struct recording *recording_open(const char *path, const struct recording_form *form,
                                 const struct recording_event *events, size_t event_count) {
  struct recording *recording = contprof_need(calloc(1, sizeof *recording));
  const uint8_t features[FEATURES] = {0};
  recording->path = path;
  recording->form = *form;
  fill_in(&recording->form);
  recording->events = events;
  recording->event_count = event_count;
  recording->record.big_endian = recording->build_ids.big_endian = recording->features.big_endian =
      form->big_endian;
  recording->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!recording->file)
    die(recording);
  if (form->compress) {
    recording->compressor = contprof_need(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(recording->compressor, ZSTD_c_compressionLevel, recording->form.level);
  }
  if (form->stream)
    begin_stream(recording);
  else
    write_beginning(recording, 0, features);
  return recording;
}

void recording_close(struct recording *recording) {
  recording_flush(recording);
  if (!recording->form.stream)
    finish_file(recording);
  if (fclose(recording->file) != 0)
    die(recording);
  ZSTD_freeCCtx(recording->compressor);
  record_bytes_free(&recording->record);
  record_bytes_free(&recording->build_ids);
  record_bytes_free(&recording->features);
  record_bytes_free(&recording->waiting);
  free(recording);
}
