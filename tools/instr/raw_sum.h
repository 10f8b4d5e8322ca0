// Sums raw profiles of one build at the speed of memory: files of one build are the same but for
// counters, bitmaps, value data, and addresses, all moved by one distance where the program is
// loaded somewhere else each time. So one of them is decoded, and of the others everything else is
// compared and the counters added as arrays. Whoever is not the same goes the general way
// (raw_reader.h, profile.h). A sum may be added to from several threads, each with a share of its
// own; all else, from one thread at a time.
#ifndef CONTPROF_INSTR_RAW_SUM_H
#define CONTPROF_INSTR_RAW_SUM_H

#include "../base/file_view.h"
#include "profile.h"
#include "raw_compare.h"
#include "raw_image.h"

#include <pthread.h>

struct contprof_raw_sum;   // what the files of a build have in common
struct contprof_raw_share; // the counts of some of them

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

// A number, never 0, over everything that files of a build share beyond the head: if it is that of
// a file that could be read, so can this one, but for its value data and what follows.
uint64_t contprof_raw_fingerprint(const struct contprof_raw_head *head);

// For files like `file`, which has been read or has the fingerprint of one that has. Sums go to the
// functions of `into`, which must stay as long as the sum. NULL if the file can't be summed so, or
// `into` does not have all its functions. To be freed with contprof_raw_sum_free.
struct contprof_raw_sum *contprof_raw_sum_new(const struct contprof_file_view *file,
                                              const struct contprof_profile *into);

// Those of the build; owned by the sum.
const struct contprof_binary_id *contprof_raw_sum_binary_ids(const struct contprof_raw_sum *sum,
                                                             size_t *count);

// A share of nothing. To be freed with contprof_raw_share_free.
struct contprof_raw_share *contprof_raw_share_new(const struct contprof_raw_sum *sum);

// Adds a file, not one opened in part, whose head has been taken, each count times `weight` (at
// least 1): values to `into`, while it holds `lock`, all else to the share. Returns false, and adds
// nothing, if it is not of the same build or damaged: the general way tells which.
bool contprof_raw_sum_add(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                          const struct contprof_file_view *file,
                          const struct contprof_raw_head *head, uint64_t weight,
                          struct contprof_profile *into, pthread_mutex_t *lock);

// A file opened in part.
struct contprof_raw_part {
  struct contprof_file_view *file;      // not owned
  const struct contprof_raw_head *head; // that has been taken; not owned
  bool added;                           // set
};

// As contprof_raw_sum_add for each of up to CONTPROF_RAW_TOGETHER files; what is said of one there
// is set as `added` here.
void contprof_raw_sum_add_together(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                                   struct contprof_raw_part *parts, size_t count, uint64_t weight,
                                   struct contprof_profile *into, pthread_mutex_t *lock);

// Adds what `from` has to `into`.
void contprof_raw_share_unite(const struct contprof_raw_sum *sum, struct contprof_raw_share *into,
                              struct contprof_raw_share *from);

// Adds the share to the functions that the sum is for, and begins it anew at nothing. `report` is
// added to.
void contprof_raw_sum_flush(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                            struct contprof_merge_report *report);

void contprof_raw_share_free(struct contprof_raw_share *share);
void contprof_raw_sum_free(struct contprof_raw_sum *sum);

#endif
