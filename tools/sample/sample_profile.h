// A sample profile in memory: the waist of all that reads, writes, merges and makes such profiles.
// Counts are samples (or what they were scaled to), saturating at 2^64-1. Names are interned: two
// equal names of one profile are one pointer. Not thread-safe. Model:
// llvm/include/llvm/ProfileData/SampleProf.h (FunctionSamples).
#ifndef CONTPROF_SAMPLE_PROFILE_H
#define CONTPROF_SAMPLE_PROFILE_H

#include "../base/arena.h"
#include "../base/error.h"

// A function's name, or, in profiles with MD5 names, its hash alone.
struct contprof_sample_name {
  const char *text; // NUL-terminated; NULL if only the hash is known; in the profile
  size_t length;    // bytes
  uint64_t hash;    // contprof_name_ref of the text
};

// Where in a function: lines from its declaration, and the discriminator.
struct contprof_sample_line {
  uint32_t offset;
  uint32_t discriminator;
};

struct contprof_call_target {
  const struct contprof_sample_name *name;
  uint64_t count;
};

// A body sample: how often a line ran, and whom it called.
struct contprof_body_sample {
  struct contprof_sample_line line;
  uint64_t count;
  struct contprof_call_target *targets; // sorted by name; in the profile
  uint32_t target_count;
  uint32_t target_room; // private
};

// The functions that are inlined at one line.
struct contprof_callsite {
  struct contprof_sample_line line;
  struct contprof_function_samples **inlinees; // sorted by name; in the profile
  uint32_t inlinee_count;
  uint32_t inlinee_room; // private
};

// One frame of a calling context (context-sensitive profiles).
struct contprof_context_frame {
  const struct contprof_sample_name *name;
  struct contprof_sample_line line; // 0 for the last frame
};

struct contprof_function_samples {
  const struct contprof_sample_name *name;
  const struct contprof_context_frame *context; // outermost first, this function last; NULL: none
  uint32_t context_count;
  uint32_t
      attributes;    // of the context (ContextAttributeMask): inlined 1, should be 2, duplicated 4
  uint64_t cfg_hash; // of probe-based profiles: !CFGChecksum; 0 if none
  uint64_t total;    // total samples
  uint64_t head;     // head samples: entries seen
  struct contprof_body_sample *bodies; // sorted by line; in the profile
  size_t body_count;
  size_t body_room;                    // private
  struct contprof_callsite *callsites; // sorted by line; in the profile
  size_t callsite_count;
  size_t callsite_room; // private
};

struct contprof_sample_profile {
  struct contprof_function_samples **functions; // top level, in the order they came; owned
  size_t function_count;
  bool probe_based;       // lines are probe indices
  bool context_sensitive; // full contexts
  bool preinlined;        // contexts that should be inlined are marked
  bool fs_discriminators; // flow-sensitive discriminators
  bool md5_names;         // read with hashes in place of names
  bool unique_suffixes;   // has names with ".__uniq."
  bool partial;           // of common code: --gen-partial-profile
  bool saturated;         // a sum came to 2^64-1
  const char **symbols;   // the symbol list of the extended binary format, sorted, or NULL; owned
  size_t symbol_count;
  struct contprof_arena arena;         // private
  struct contprof_sample_index *index; // private: names and top-level functions by hash; owned
};

// A zeroed profile is empty and usable. Frees all it owns; it is empty afterwards.
void contprof_sample_profile_free(struct contprof_sample_profile *profile);

// The interned name.
const struct contprof_sample_name *contprof_sample_name_of(struct contprof_sample_profile *profile,
                                                           const char *text, size_t length);
const struct contprof_sample_name *
contprof_sample_name_of_hash(struct contprof_sample_profile *profile, uint64_t hash);

// The top-level function of that name (without context), made if need be; or NULL if it is not
// there.
struct contprof_function_samples *contprof_samples_of(struct contprof_sample_profile *profile,
                                                      const struct contprof_sample_name *name);
struct contprof_function_samples *
contprof_samples_find(const struct contprof_sample_profile *profile, const char *text,
                      size_t length);

// The samples of `name` inlined into `function` at `line`; made if need be.
struct contprof_function_samples *
contprof_samples_inlined(struct contprof_sample_profile *profile,
                         struct contprof_function_samples *function,
                         struct contprof_sample_line line, const struct contprof_sample_name *name);

// The body sample at `line`, made with count 0 if need be. Holds until the next one is made.
struct contprof_body_sample *contprof_body_at(struct contprof_sample_profile *profile,
                                              struct contprof_function_samples *function,
                                              struct contprof_sample_line line);

// Adds to a call target of a body sample.
void contprof_body_add_target(struct contprof_sample_profile *profile,
                              struct contprof_body_sample *body,
                              const struct contprof_sample_name *name, uint64_t count);

// Takes a top-level function out; it is gone from functions[].
void contprof_samples_remove(struct contprof_sample_profile *profile,
                             struct contprof_function_samples *function);

// LLVM's head samples estimate (FunctionSamples::getHeadSamplesEstimate): of an inlined function
// there are no head samples, so the count of its first body line or callsite is taken.
uint64_t contprof_samples_head_estimate(const struct contprof_function_samples *function);

// Adds all of `from`, times `weight`, to `into` (SampleProfileWriter's merge:
// FunctionSamples::merge). Two probe-based functions whose cfg_hash differ: CONTPROF_MISMATCH,
// `into` unchanged for that function.
bool contprof_sample_profile_merge(struct contprof_sample_profile *into,
                                   const struct contprof_sample_profile *from, uint64_t weight,
                                   struct contprof_error *error);

// Saturating a + b * weight; sets *saturated.
uint64_t contprof_samples_add(uint64_t a, uint64_t b, uint64_t weight, bool *saturated);

#endif
