// Whether a raw profile is of the same build as another: the same but for counters, bitmaps, value
// data, and addresses, all moved by one distance where the program was loaded somewhere else. Large
// files are read for it piece by piece, so that what is only compared stays in a cache.
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

enum { CONTPROF_RAW_PIECE = 192 << 10 }; // bytes; a whole number of records of 48 and of 64 bytes

// Where addresses of code stand in a data record: FunctionPointer, and behind it Values.
size_t contprof_raw_pointers_at(const struct contprof_raw_image *image);

struct contprof_raw_places contprof_raw_places_of(const struct contprof_raw_image *image);

// Compares a file, whose first image is cut to `image`. Of a file opened in part, sections that are
// compared are read to `piece` (CONTPROF_RAW_PIECE bytes; NULL if the file is there as a whole),
// and all others to their places in the file's memory. Sets how far addresses have moved. False if
// the file is of another build, or shrank meanwhile.
bool contprof_raw_is_alike(const struct contprof_raw_pattern *like,
                           const struct contprof_file_view *file, struct contprof_raw_image *image,
                           uint8_t *piece, uint64_t *moved);

#endif
