// The sum of many profiles, file after file: raw profiles of a build that has been seen before are
// added the fast way (raw_sum.h), all others the general way. Both give the same profile. Memory
// follows the number of builds, not of files. Not thread-safe; separate sums may be used from
// separate threads.
#ifndef CONTPROF_INSTR_PROFILE_SUM_H
#define CONTPROF_INSTR_PROFILE_SUM_H

#include "../base/file_view.h"
#include "profile.h"

#include <pthread.h>

struct contprof_sum_build; // a build of raw profiles
struct contprof_raw_sum;   // raw_sum.h
struct contprof_raw_share;
struct contprof_raw_head;

// A zeroed struct is the sum of nothing (and has a mutex that is free: PTHREAD_MUTEX_INITIALIZER).
struct contprof_profile_sum {
  struct contprof_profile profile;   // complete after contprof_profile_sum_finish; owned
  struct contprof_profile last;      // private: what the last file was decoded to, or nothing
  struct contprof_sum_build *builds; // private: build_count of them, in the order they were seen
  size_t build_count, build_room;    // private
  uint32_t *slots;                   // private: hash table of indices into `builds` plus 1
  size_t slot_count;                 // private: a power of two, or 0
  bool expects_more;    // the caller's: the first file's build is summed fast from the second on
  pthread_mutex_t lock; // private: of `profile`, while threads add to it
};

// What contprof_profile_sum_add tells of one input.
struct contprof_sum_report {
  struct contprof_merge_report merge; // as contprof_profile_merge; nothing for a file added fast
  uint64_t functions_dropped;         // by the reader: the file holds them in other shapes
  const char *dropped_names[CONTPROF_LEFT_OUT_NAMED]; // of the first; valid as long as `binary_ids`
  uint64_t functions;                                 // in the file
  // Of the file; valid until the next file is added or the sum finished.
  const struct contprof_binary_id *binary_ids;
  size_t binary_id_count;
};

// Adds a file, each count times `weight` (at least 1). On failure the sum is as it was. file->path
// must outlive the sum, its bytes need not. `report` is set; the functions it refers to are there
// until the next file is added or the sum finished.
bool contprof_profile_sum_add(struct contprof_profile_sum *sum,
                              const struct contprof_file_view *file, uint64_t weight,
                              struct contprof_sum_report *report, struct contprof_error *error);

// The same with a file that has been decoded, so that it is not decoded again: takes all from
// `decoded`, or, where the file is added fast, leaves it as it is. NULL: it has not been.
bool contprof_profile_sum_add_read(struct contprof_profile_sum *sum,
                                   const struct contprof_file_view *file,
                                   struct contprof_profile *decoded, uint64_t weight,
                                   struct contprof_sum_report *report,
                                   struct contprof_error *error);

// Adds a file, whose head has been taken, if it is known to be of a build that the sum has. Returns
// false, and adds nothing, if it is not; it may be all the same.
bool contprof_profile_sum_add_alike(struct contprof_profile_sum *sum,
                                    const struct contprof_file_view *file,
                                    const struct contprof_raw_head *head, uint64_t weight,
                                    struct contprof_sum_report *report);

// For other threads, while one adds to the sum: what sums the build with this key, and its number,
// or NULL if it is not known to be summed fast. What is there stays until the sum is freed.
// `report` is filled as for a file of that build.
struct contprof_raw_sum *contprof_profile_sum_find(struct contprof_profile_sum *sum, uint64_t key,
                                                   size_t *index,
                                                   struct contprof_sum_report *report);

// Adds a thread's share to that of the build with this number.
void contprof_profile_sum_unite(struct contprof_profile_sum *sum, size_t index,
                                struct contprof_raw_share *share);

// Completes sum->profile. `report` tells which sums were cut.
void contprof_profile_sum_finish(struct contprof_profile_sum *sum,
                                 struct contprof_merge_report *report);

// Frees all, the profile too.
void contprof_profile_sum_free(struct contprof_profile_sum *sum);

#endif
