// Writes perf.data files and streams for tests, record after record, as perf record would have for
// a program that did what the calls say. Times are nanoseconds; a time of 0 is none. A recording
// that can't be written ends the process with a message. Source: linux/perf_event.h,
// tools/perf/Documentation/perf.data-file-format.txt.
#ifndef TEST_RECORDINGS_RECORDING_H
#define TEST_RECORDINGS_RECORDING_H

#include "record_bytes.h"

enum { RECORDING_IDS = 4 };

// An event that is recorded: struct perf_event_attr.
struct recording_event {
  const char *name; // as perf would print it; NULL: none is recorded
  uint32_t type;
  uint64_t config;
  uint64_t period; // or the frequency, with bit 10 of flags
  uint64_t sample_type;
  uint64_t read_format;
  uint64_t branch_sample_type;
  uint64_t flags;      // bit-fields, counted from the lowest bit: 18 is sample_id_all
  uint64_t regs_user;  // mask
  uint64_t regs_intr;  // mask
  uint32_t stack_user; // bytes
  uint64_t ids[RECORDING_IDS];
  size_t id_count;
};

// How it is written.
struct recording_form {
  bool big_endian;
  bool stream;          // pipe mode
  bool no_features;     // of a file
  bool unfinished;      // of a file: as if perf record had been killed
  uint32_t header_size; // 0: 104
  uint32_t attr_size;   // 0: 128
  unsigned compress;    // 0: not; 1: COMPRESSED; 2: COMPRESSED2
  int level;            // of zstd; 0: 1
  size_t chunk;         // bytes that are compressed at a time; 0: 4096
  size_t piece;         // bytes of compressed data in a record at most; 0: 32768
};

// A record's common parts.
struct recording_place {
  size_t event; // index of the event whose id it has
  int32_t pid;
  int32_t tid;
  uint64_t time;
  uint32_t cpu;
  bool no_id; // as perf's own records: 0
};

struct recording_branch {
  uint64_t from;
  uint64_t to;
};

struct recording_sample {
  struct recording_place place;
  uint64_t ip;
  uint64_t period;
  bool kernel;
  const struct recording_branch *branches; // newest first
  size_t branch_count;
  const uint64_t *chain;
  size_t chain_count;
  size_t counters; // of READ with a group
  uint32_t raw;    // bytes; with its own size of 4 bytes a multiple of 8
};

struct recording_map {
  struct recording_place place;
  uint64_t start;
  uint64_t size;
  uint64_t offset;
  const char *path;
  const uint8_t *build_id; // or NULL
  size_t build_id_size;
  uint32_t protection; // PROT_*
  bool kernel;
  bool plain; // MMAP, not MMAP2
};

struct recording;

// `path` "-" is standard output, for streams alone. `events` and their names must outlive it.
struct recording *recording_open(const char *path, const struct recording_form *form,
                                 const struct recording_event *events, size_t event_count);

// Completes and closes the file.
void recording_close(struct recording *recording);

// Adds to the table of build-ids: of a stream, as a record, at once. `told_size`: with the id's
// size.
void recording_build_id(struct recording *recording, const char *path, const uint8_t *bytes,
                        size_t size, bool told_size);

// A feature that perf may not know, of a file.
void recording_feature(struct recording *recording, unsigned number, const uint8_t *bytes,
                       size_t size);

void recording_sample(struct recording *recording, const struct recording_sample *sample);
void recording_map(struct recording *recording, const struct recording_map *map);
void recording_comm(struct recording *recording, const struct recording_place *place,
                    const char *name, bool exec);

// place->pid and tid are the child's; of a thread, `parent` is its own process.
void recording_fork(struct recording *recording, const struct recording_place *place,
                    int32_t parent, bool synthesised);
void recording_exit(struct recording *recording, const struct recording_place *place);
void recording_lost(struct recording *recording, const struct recording_place *place,
                    uint64_t count);
void recording_lost_samples(struct recording *recording, const struct recording_place *place,
                            uint64_t count);

// A record of any type with any contents, and a trailer if `place` is there.
void recording_any(struct recording *recording, const struct recording_place *place, uint32_t type,
                   uint16_t misc, const uint8_t *bytes, size_t size);

void recording_round(struct recording *recording);

// An AUXTRACE record with so many bytes of zeros behind it.
void recording_auxtrace(struct recording *recording, uint64_t size);

#endif
