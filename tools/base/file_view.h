// A whole input file as bytes in memory. The bytes are a private copy: a live file changes while it
// is read. Of a large file that is only to be compared with another and added up, parts can be
// looked at one by one, without being copied.
#ifndef CONTPROF_BASE_FILE_VIEW_H
#define CONTPROF_BASE_FILE_VIEW_H

#include "error.h"
#include "torn_mapping.h"

#include <stddef.h>

#define CONTPROF_STREAM_MAX (UINT64_C(4) << 30)

struct contprof_file_view {
  const char *path;     // as given; not owned
  const uint8_t *bytes; // owned, 16-byte aligned; valid until contprof_file_close
  uint64_t size;        // of `bytes`
  uint64_t held;  // how many of `bytes`, from the start, have been read: all, unless opened in part
  size_t room;    // private: allocated bytes
  int descriptor; // private: of a file opened in part, plus 1; else 0
  struct contprof_torn_mapping window; // private: what is mapped of a file opened in part
  uint64_t window_at;                  // private: offset of the window in the file
  // Whether a file that begins with these bytes, 8 or more, is worth reading to its end; NULL: any
  // is. Of others the view holds the beginning alone, for a message of what they are.
  bool (*is_wanted)(const struct contprof_file_view *beginning);
};

// Reads the file at `path` ("-" is standard input). Regular files, pipes and FIFOs are read to
// their end; a directory is an error, and so is what has no size of its own, such as a pipe, and
// says more than half the machine's memory or CONTPROF_STREAM_MAX. `path` must outlive the view. On
// failure the view is empty. `view` need not be initialised.
bool contprof_file_open(const char *path, struct contprof_file_view *view,
                        struct contprof_error *error);

// As contprof_file_open, in the memory of `view`, which is open, failed or zeroed but for
// is_wanted: for reading file after file.
bool contprof_file_open_next(const char *path, struct contprof_file_view *view,
                             struct contprof_error *error);

// As contprof_file_open_next; but of a regular file of `least` bytes or more the beginning alone is
// read, and contprof_file_is_part is true until contprof_file_read_rest or the next opening.
bool contprof_file_open_part(const char *path, uint64_t least, struct contprof_file_view *view,
                             struct contprof_error *error);

static inline bool contprof_file_is_part(const struct contprof_file_view *view) {
  return view->descriptor != 0;
}

// Reads `size` bytes at `offset` of a file opened in part to `into`, which may be their place in
// `bytes`. Returns false if the file does not have them, or can't be read.
bool contprof_file_read_part(const struct contprof_file_view *view, uint64_t offset, uint64_t size,
                             void *into);

// The same bytes as they are in the file, and as they change there, until the next call for the
// view; or, where the file can't be mapped, read to `scratch`. NULL if the file does not have them.
// Bytes that are cut off meanwhile are zeros: after looking at all, ask contprof_file_is_whole. To
// be called by one thread, which also closes the view, leaves it or opens the next file.
const uint8_t *contprof_file_part(struct contprof_file_view *view, uint64_t offset, uint64_t size,
                                  void *scratch);

// Whether a file opened in part has all its bytes still, so that those that contprof_file_part gave
// were there when they were looked at.
bool contprof_file_is_whole(const struct contprof_file_view *view);

// Reads all of a file opened in part, which then is as contprof_file_open_next leaves it.
bool contprof_file_read_rest(struct contprof_file_view *view, struct contprof_error *error);

// Ends the reading of a file: the view is empty, and its memory serves the next one.
void contprof_file_leave(struct contprof_file_view *view);

// Of a large file, gives the memory of the first `until` bytes back to the system: they are not to
// be looked at again. *forgotten is how many have been given back before, 0 at first.
void contprof_file_forget(const struct contprof_file_view *view, uint64_t until,
                          uint64_t *forgotten);

void contprof_file_close(struct contprof_file_view *view);

#endif
