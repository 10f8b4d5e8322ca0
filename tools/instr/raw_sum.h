// Sums raw profiles of one build at the speed of memory: files of one build are the same but for
// counters, bitmaps, value data, and addresses, all moved by one distance where the program is
// loaded somewhere else each time. So one of them is decoded, and of the others everything else is
// compared and the counters added as arrays. Whoever is not the same goes the general way
// (raw_reader.h, profile.h). Not thread-safe; separate sums may be used from separate threads.
#ifndef CONTPROF_INSTR_RAW_SUM_H
#define CONTPROF_INSTR_RAW_SUM_H

#include "../base/file_view.h"
#include "profile.h"
#include "raw_image.h"

struct contprof_raw_sum;

// The head of a raw profile: its first image, cut into sections. Points into the file's bytes and
// into itself, so it is not to be copied.
struct contprof_raw_head {
  struct contprof_raw_image image;
  struct contprof_cursor behind; // the file, at what follows the image
  uint64_t key;                  // as contprof_raw_take_head
  struct contprof_error error;   // of the cursors
};

// Reads the head, and returns a number that files of one build share, and that tells most builds
// apart: over the header and the binary ids. 0 if the file is not one that can be summed here: a
// raw profile of a 64-bit program in this machine's byte order, without a temporal trace.
uint64_t contprof_raw_take_head(const struct contprof_file_view *file,
                                struct contprof_raw_head *head);

// A sum, so far of nothing, of files like `file`, of which `decoded` has been read. Takes over what
// `decoded` holds and leaves it empty. NULL, and `decoded` is as it was, if the file
// can't be summed so. To be freed with contprof_raw_sum_free; needs neither argument any more.
struct contprof_raw_sum *contprof_raw_sum_new(const struct contprof_file_view *file,
                                              struct contprof_profile *decoded);

// Adds a file, whose head has been taken, each count times `weight` (at least 1). Returns false,
// and adds nothing, if it is not of the same build or damaged: the general way tells which.
bool contprof_raw_sum_add(struct contprof_raw_sum *sum, const struct contprof_file_view *file,
                          const struct contprof_raw_head *head, uint64_t weight);

// The functions and binary ids of the build; their counts are of no meaning. Owned by the sum.
const struct contprof_profile *contprof_raw_sum_profile(const struct contprof_raw_sum *sum);

// Adds the sum to `into`, as contprof_profile_merge does, and begins anew at nothing.
bool contprof_raw_sum_flush(struct contprof_raw_sum *sum, struct contprof_profile *into,
                            struct contprof_merge_report *report, struct contprof_error *error);

void contprof_raw_sum_free(struct contprof_raw_sum *sum);

#endif
