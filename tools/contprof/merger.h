// The work of a merge, once its options are known: what contprof merge does in one go
// (contprof_merge), and contprof-mpi in steps, each rank with a part of the inputs. What is to be
// said is said on stderr at once (messages.h). Memory follows the number of builds, not of inputs.
// Not thread-safe.
#ifndef CONTPROF_MERGER_H
#define CONTPROF_MERGER_H

#include "../base/name_filter.h"
#include "../base/new_names.h"
#include "../instr/profile_sum.h"
#include "../instr/sum_ahead.h"
#include "merge_options.h"
#include "merge_report.h"

// What is merged to one output: everything, or with --by-build the inputs of one build.
struct contprof_merge_target {
  char *build; // hexadecimal build-id, or "no-build-id"; NULL without --by-build; owned
  struct contprof_profile_sum sum;
};

struct contprof_merger {
  const struct contprof_merge_options *options; // not owned
  struct contprof_file_view file;               // the input being read; its memory serves again
  struct contprof_merge_target *targets;        // in the order of the inputs; owned
  size_t target_count;
  struct contprof_sum_ahead *ahead; // threads that read inputs and sum them, or NULL
  struct contprof_merge_journal journal;
  struct contprof_name_filter filter;
  struct contprof_renames renames;
  struct contprof_sample_profile sample; // that supplements the counts, if one is asked for
  // What was said, or left out, depends on the inputs before: two that contradict each other, a sum
  // that was cut, a file's own contradiction, which is said once a build.
  bool ordered;
  bool hinted; // it has been said that an input is a sample profile
};

// All of a merge. Returns the exit status.
int contprof_merge(const struct contprof_merge_options *options);

// Fills *merger, which is to be freed in any case. Returns the exit status: not CONTPROF_EXIT_OK if
// an option's argument is no good, which has been said. `options` must outlive the merger.
int contprof_merger_begin(struct contprof_merger *merger,
                          const struct contprof_merge_options *options);

// Adds the inputs from `first` up to `end`, which is not among them. Returns how many were bad.
size_t contprof_merger_add(struct contprof_merger *merger, size_t first, size_t end);

// The target of that build (NULL without --by-build), a new one if there is none. Takes over
// `build`. The pointer holds until the next target comes.
struct contprof_merge_target *contprof_merger_target(struct contprof_merger *merger, char *build);

// Says what follows from so many bad inputs. Returns whether outputs are to be written.
bool contprof_merger_judge(const struct contprof_merge_options *options, size_t bad);

// Writes the outputs.
bool contprof_merger_write(struct contprof_merger *merger);

// For who does something to the profile before it is written: the merged profile, sorted and with
// all that the options ask for, of a merge without --by-build. To be called once; the merger's own.
struct contprof_profile *contprof_merger_result(struct contprof_merger *merger);

// Writes `profile` to `path` as the options have it.
bool contprof_merger_write_profile(const struct contprof_merge_options *options,
                                   const struct contprof_profile *profile, const char *path);

// Writes the report, if one is asked for; to be called also when the merge fails, then most of all.
bool contprof_merger_report(struct contprof_merger *merger);

void contprof_merger_free(struct contprof_merger *merger);

#endif
