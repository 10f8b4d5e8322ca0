// Supplements an instrumentation profile with a sample profile, as llvm-profdata merge
// --supplement-instr-with-sample does, with the same result: functions that are cold in the first
// but hot or warm in the second are scaled up, or, where their counters are mostly zero, marked as
// hot or warm with their counts unknown. The rules are those of one LLVM version.
// Source: adjustInstrProfile and updateInstrProfileEntry in llvm-profdata.cpp of LLVM 14 and 19.
#ifndef CONTPROF_COMBINE_SUPPLEMENT_H
#define CONTPROF_COMBINE_SUPPLEMENT_H

#include "../instr/profile.h"
#include "../sample/sample_profile.h"

struct contprof_supplement_options {
  // Whose rules: up to 15, functions are found by their whole names alone, by head samples, and
  // made hot; from 16, samples of inlined functions count for these, local functions are found, and
  // those that are warm become warm. 0: 19's, with local functions named as any version does.
  unsigned llvm;
  uint64_t min_size;            // counters (up to 15: body samples) that a function must have
  float zero_counter_threshold; // the share of zero counters beyond which counts are dropped
  uint64_t cold_threshold;      // largest count of a cold function; 0: the profile's own
};

// llvm-profdata's defaults.
#define CONTPROF_SUPPLEMENT_MIN_SIZE 10
#define CONTPROF_SUPPLEMENT_ZERO_THRESHOLD 0.7F

struct contprof_supplement_report {
  uint64_t marked_hot, marked_warm, scaled; // functions
  uint64_t saturated;                       // counts that were cut
  // Called for each name of a hot or warm local function that several files have; may be NULL.
  void (*ambiguous)(const char *name);
};

// Changes the functions of `profile`, which is sorted. *report is added to.
void contprof_supplement(struct contprof_profile *profile,
                         const struct contprof_sample_profile *sample,
                         const struct contprof_supplement_options *options,
                         struct contprof_supplement_report *report);

#endif
