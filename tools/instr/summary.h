// The summary of a profile: what the compiler calls hot and cold is derived from it.
// Rules: llvm/ProfileData/ProfileCommon.h and lib/ProfileData/ProfileSummaryBuilder.cpp.
#ifndef CONTPROF_INSTR_SUMMARY_H
#define CONTPROF_INSTR_SUMMARY_H

#include "../base/count_summary.h"
#include "profile.h"

struct contprof_summary {
  uint64_t total_count;
  uint64_t max_count;          // of any counter
  uint64_t max_internal_count; // of any counter but a function's first
  uint64_t max_function_count; // of any function's first counter
  uint64_t counter_count;
  uint64_t function_count;
  uint64_t marked_count; // functions marked as hot or warm, which count for nothing else
  struct contprof_summary_entry *entries; // entry_count of them; in the arena
  size_t entry_count;
  struct contprof_arena arena; // private
};

// Which functions to summarise. A front-end hash may have CONTPROF_HASH_CS set by chance: the
// indexed format's summary leaves such functions out, as LLVM's writer does, `show` does not.
enum contprof_summary_of {
  CONTPROF_SUMMARY_PLAIN, // those without CONTPROF_HASH_CS
  CONTPROF_SUMMARY_CS,    // those with it
  CONTPROF_SUMMARY_ALL,
};

// Entries for the cutoffs that LLVM's writers use. Free with contprof_summary_free.
void contprof_summarise(const struct contprof_profile *profile, enum contprof_summary_of which,
                        struct contprof_summary *summary);

// The same for the cutoffs given; quicker if there are none.
void contprof_summarise_at(const struct contprof_profile *profile, enum contprof_summary_of which,
                           const struct contprof_cutoffs *cutoffs,
                           struct contprof_summary *summary);

void contprof_summary_free(struct contprof_summary *summary);

#endif
