// The outside of a perf.data file: which of its forms it has, and where its records are. A file
// tells of events, names and build-ids in its header and behind the records, a stream in records
// before them. Not thread-safe. Source: tools/perf/Documentation/perf.data-file-format.txt,
// tools/perf/util/header.c.
#ifndef CONTPROF_SAMPLE_PERF_FILE_H
#define CONTPROF_SAMPLE_PERF_FILE_H

#include "perf_catalog.h"

struct contprof_perf_file {
  const char *path; // as given; not owned
  bool swap;        // in the other byte order
  bool is_stream;   // pipe mode: the catalog is filled by records
  bool unfinished;  // the header does not say how many records there are: perf record was killed
  uint64_t data_offset; // of the first record
  int fd;               // owned, unless it is standard input; -1 if closed
  bool is_input;        // private: fd is standard input
  bool can_seek;        // private
  uint64_t size;        // bytes of the file; UINT64_MAX if it has no size of its own
  uint64_t end;         // of the last part that the header tells of, if it is a file and finished
  uint64_t left;        // private: bytes of records not read yet; UINT64_MAX: all to the end
};

// Opens `path` ("-" is standard input), fills `catalog` by what the file's header says, and stands
// at the first record. A file that comes through a pipe, whose end has to be read before its
// records, goes to a temporary file without a name (in $TMPDIR, or /tmp). Returns false, with
// `error` set and nothing open, if it is no perf.data or damaged.
bool contprof_perf_file_open(const char *path, struct contprof_perf_file *file,
                             struct contprof_perf_catalog *catalog, struct contprof_error *error);
// Fails: the recording ends at `offset`, where another one begins.
bool contprof_perf_joined(const char *path, uint64_t offset, struct contprof_error *error);

void contprof_perf_file_close(struct contprof_perf_file *file);

// A contprof_perf_fill and a contprof_perf_pass (perf_stream.h) over the records; `file` is a
// struct contprof_perf_file.
size_t contprof_perf_file_fill(void *file, uint8_t *into, size_t room,
                               struct contprof_error *error);
uint64_t contprof_perf_file_pass(void *file, uint64_t size);

#endif
