// Exact counts of some processes (canaries) with samples of all (the fleet): each function's counts
// are multiplied so that its heat is the fleet's, and its inner proportions stay those that were
// counted. Why and how: docs/combine.md. Numbers of counts and samples are compared by one scale,
// the weighted median of what functions that both sides know say.
//
// Counts are multiplied by whole numbers only, and never rounded or cut: whatever sum of counters
// equals another before does so after. Where functions are to become colder than others, all are
// multiplied by 2^n, and those by less.
#ifndef CONTPROF_COMBINE_COMBINATION_H
#define CONTPROF_COMBINE_COMBINATION_H

#include "flat_samples.h"
#include "hot_thresholds.h"

// What was decided for a function.
enum contprof_decision {
  CONTPROF_LEFT_ALONE,  // both sides agree, within what they can tell
  CONTPROF_LEFT_UNSEEN, // the samples do not know it
  CONTPROF_LEFT_COLD,   // neither counted nor warm
  CONTPROF_LEFT_SMALL,  // not counted but warm: small, and so inlined before it counts
  CONTPROF_LEFT_MARKED, // an earlier supplement has marked it
  CONTPROF_RAISED,
  CONTPROF_LOWERED,
  CONTPROF_MARKED_HOT,  // hot, and its counts say nothing
  CONTPROF_MARKED_WARM, // warm, and its counts say nothing
  CONTPROF_DROPPED,     // the same in front-end profiles, which know no marks, or if it is small
};

struct contprof_combined {
  uint64_t counted;  // its largest counter; of several builds, their sum
  uint32_t counters; // of the first function of the name
  uint32_t zeros;    // of these
  double expected;   // samples of its hottest line, by its counts
  double shift;      // log2 of sampled to expected, damped by what so few samples can say
  uint64_t factor;   // its counts were multiplied by this
  enum contprof_decision decision;
};

struct contprof_combine_options {
  uint64_t min_size;    // counters below which copies are inlined before IR instrumentation
  float zero_threshold; // share of zero counters beyond which a cold function's are dropped
  double tolerance;     // a factor: how far heats may lie apart and count as the same; 0: by kind
  double trusted;       // samples, or counts, that are half sure
};

#define CONTPROF_COMBINE_TOLERANCE 4       // of branch stacks; and of time, the least
#define CONTPROF_COMBINE_TIME_TOLERANCE 32 // of time, if the mix seems to be the same
#define CONTPROF_COMBINE_NOISE 0.8         // the spread (log2) that samples of one mix may have
#define CONTPROF_COMBINE_TRUSTED 16

struct contprof_combination {
  struct contprof_name_match match;
  struct contprof_flat_samples flat;
  struct contprof_combined *functions; // by group of `match`; owned
  double scale;                        // samples to a count; 0: no function is known to both
  double spread;                       // log2: how far functions' heats lie apart on average
  double tolerance;                    // the options', or by the kind of samples and the spread
  size_t common;                       // functions that the scale is from
  uint64_t multiplier;                 // what all counts were multiplied by: 1 if none is lowered
  struct contprof_hot_thresholds instr, sample;
  bool ir;                           // counts are of IR instrumentation
  struct contprof_match_rules rules; // private
};

// Compares the two and decides; changes neither. `profile` is sorted; it and `options` must stay as
// they are until contprof_combine_apply. Free with contprof_combination_free.
void contprof_combine(struct contprof_combination *all, const struct contprof_profile *profile,
                      const struct contprof_sample_profile *sample,
                      const struct contprof_combine_options *options);

// Does to `profile` what was decided.
void contprof_combine_apply(const struct contprof_combination *all,
                            struct contprof_profile *profile);

// Adds to `sample` the functions that were counted and that it can't know (they are neither in it
// nor in its list of symbols): totals and, where the entry is counted, head samples, by the scale.
// Returns how many there are.
size_t contprof_combine_into_samples(const struct contprof_combination *all,
                                     const struct contprof_profile *profile,
                                     struct contprof_sample_profile *sample);

void contprof_combination_free(struct contprof_combination *all);

#endif
