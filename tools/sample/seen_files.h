// The files that a recording has maps of, each once, by path and build-id: for telling where
// samples fell that are in none of the wanted binaries. Not thread-safe.
#ifndef CONTPROF_SAMPLE_SEEN_FILES_H
#define CONTPROF_SAMPLE_SEEN_FILES_H

#include "../base/arena.h"
#include "perf_event.h"

struct contprof_seen_file {
  const char *path; // as recorded; in the arena
  uint8_t build_id[CONTPROF_BUILD_ID_MAX];
  uint8_t build_id_size; // bytes; 0 if it is not told
  uint64_t samples;      // in it, as the owner has counted them
};

// A zeroed struct is empty. Files keep their index. File 0, with the path "", stands for all that
// have no place: memory is bounded whatever a recording says.
struct contprof_seen_files {
  struct contprof_seen_file *files; // count of them; owned; moves when one is added
  size_t count;
  uint32_t *slots;             // private: hash table of indices, 0: free; owned
  size_t slot_count;           // private: a power of two, or 0
  uint64_t seed;               // private: what hashes begin with
  struct contprof_arena arena; // private
};

void contprof_seen_files_free(struct contprof_seen_files *seen);

// The index of a map's file.
uint32_t contprof_seen_files_add(struct contprof_seen_files *seen,
                                 const struct contprof_perf_mmap *map);

// Adds to a file's samples; to those of file 0 if there is none of that index.
void contprof_seen_files_count(struct contprof_seen_files *seen, size_t index, uint64_t samples);

// No file has samples any more.
void contprof_seen_files_restart(struct contprof_seen_files *seen);

// The files with samples, most of them first; equal ones by path. Returns how many there are;
// *sorted is to be freed.
size_t contprof_seen_files_sorted(const struct contprof_seen_files *seen,
                                  const struct contprof_seen_file ***sorted);

#endif
