// Whether a raw profile is of the same build as another: the same but for counters, bitmaps, value
// data, and addresses, all moved by one distance where the program was loaded somewhere else. Large
// files are read for it piece by piece, several side by side, so that what is compared stays in a
// cache.
#ifndef CONTPROF_INSTR_RAW_COMPARE_H
#define CONTPROF_INSTR_RAW_COMPARE_H

#include "../base/file_view.h"
#include "raw_image.h"

// Where the parts of a file's first image are, as offsets from the file's start.
struct contprof_raw_places {
  uint64_t data, counters, bitmap, names; // first byte of the section
  uint64_t names_end;                     // end of the names' bytes
  uint64_t fixed_end;                     // end of the vtables' names; value data follow
};

// The file that others are compared with.
struct contprof_raw_pattern {
  uint8_t *bytes; // up to fixed_end
  struct contprof_raw_image image;
  struct contprof_raw_places at;
};

enum { CONTPROF_RAW_PIECE = 96 << 10 }; // bytes; a whole number of records of 48 and of 64 bytes

// Where addresses of code stand in a data record: FunctionPointer, and behind it Values.
size_t contprof_raw_pointers_at(const struct contprof_raw_image *image);

struct contprof_raw_places contprof_raw_places_of(const struct contprof_raw_image *image);

// How many files are compared, and added (raw_sum.h), together at most: enough for reading them to
// be most of the work.
enum { CONTPROF_RAW_TOGETHER = 8 };

// A file that may be of the build.
struct contprof_raw_suspect {
  struct contprof_file_view *file; // not owned
  struct contprof_raw_image image; // its first
  bool alike;                      // set: it is, and did not shrink meanwhile
  uint64_t moved;                  // set, if alike: how far its addresses are from the pattern's
  bool known;                      // private: `moved` is; false at first
};

// Compares them, piece by piece side by side, so that the pattern passes through the caches once
// for all of them: at most CONTPROF_RAW_TOGETHER. Of files opened in part what is only compared is
// looked at in parts (`pieces`: CONTPROF_RAW_PIECE bytes for each; NULL if there are no such
// files), counters and bitmaps are not, and all behind the names is read to its place in the file's
// memory.
void contprof_raw_compare(const struct contprof_raw_pattern *like,
                          struct contprof_raw_suspect *suspects, size_t count, uint8_t *pieces);

#endif
