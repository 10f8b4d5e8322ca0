// The parts of a recording that its two halves share: recording.c, which puts the file together,
// and recording_records.c, which makes records.
#ifndef TEST_RECORDINGS_RECORDING_PARTS_H
#define TEST_RECORDINGS_RECORDING_PARTS_H

#include "recording.h"

#include <stdio.h>

struct recording {
  FILE *file;
  const char *path;
  struct recording_form form; // with all defaults filled in
  const struct recording_event *events;
  size_t event_count;
  uint64_t data_offset;
  struct record_bytes record;    // the one that is being made
  struct record_bytes build_ids; // the table's entries
  struct record_bytes features;  // of other kinds: number, size, bytes
  struct record_bytes waiting;   // records that are to be compressed
  void *compressor;
  uint64_t counters; // a number that grows, for READ
};

// Begins a record in recording->record.
void recording_begin(struct recording *recording, uint32_t type, uint16_t misc);

// Fills in its size and writes it, or lets it wait to be compressed.
void recording_end(struct recording *recording);

// Writes what waits to be compressed.
void recording_flush(struct recording *recording);

// Writes bytes as they are.
void recording_write(struct recording *recording, const void *bytes, size_t size);

// An event's description, of form.attr_size bytes.
void recording_put_attr(struct recording *recording, struct record_bytes *to,
                        const struct recording_event *event);

// The contents of the features EVENT_DESC and COMPRESSED.
void recording_put_event_names(struct recording *recording, struct record_bytes *to);
void recording_put_compression(struct recording *recording, struct record_bytes *to);

#endif
