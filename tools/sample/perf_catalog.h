// What a recording says about itself, besides its records: its events, by which of their ids a
// record is known, their names, and the build-ids of files. Filled from a file's header or from
// records of a stream; small, and not growing with the samples. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PERF_CATALOG_H
#define CONTPROF_SAMPLE_PERF_CATALOG_H

#include "../base/arena.h"
#include "perf_attr.h"
#include "perf_event.h"

struct contprof_perf_id;
struct contprof_perf_file_id;

struct contprof_perf_catalog {
  struct contprof_perf_attr *attrs; // owned; moves when one is added
  size_t attr_count;
  size_t attr_room;
  bool same_layout; // all attrs have the same fields in their records
  bool id_decides;  // all attrs have their id at the same places
  bool by_time;     // all attrs have sample_id_all: records can be put in order
  uint32_t piece;   // bytes that one compressed record comes to at most; 0 if not told

  // Private: open addressing, a power of two of slots; owned.
  struct contprof_perf_id *ids;
  size_t id_count;
  size_t id_room;
  struct contprof_perf_file_id *files;
  size_t file_count;
  size_t file_room;
  struct contprof_arena arena; // names and paths
};

// Frees all; a zeroed catalog is empty and usable.
void contprof_perf_catalog_free(struct contprof_perf_catalog *catalog);

// Adds an event; a name is derived. Returns its index.
size_t contprof_perf_catalog_add(struct contprof_perf_catalog *catalog,
                                 const struct contprof_perf_attr *attr);

// Records of that id are of event `attr`. The last word counts.
void contprof_perf_catalog_add_id(struct contprof_perf_catalog *catalog, uint64_t id, size_t attr);

// The event of an id: its index, or attr_count if there is none.
size_t contprof_perf_catalog_find_id(const struct contprof_perf_catalog *catalog, uint64_t id);

// Names an event, by at most `room` bytes, of which a NUL ends it. Names that were handed out stay.
void contprof_perf_catalog_name(struct contprof_perf_catalog *catalog, size_t attr,
                                const void *name, size_t room);

// Takes the body of a BUILD_ID record or table entry, all that follows the record's header: PID,
// build-id, path.
void contprof_perf_catalog_build_id(struct contprof_perf_catalog *catalog, unsigned misc,
                                    struct contprof_cursor *body);

// Gives `map` the build-id that is known for its path, if it has none; and says so if others are
// known for that path, too.
void contprof_perf_catalog_complete(const struct contprof_perf_catalog *catalog,
                                    struct contprof_perf_mmap *map);

#endif
