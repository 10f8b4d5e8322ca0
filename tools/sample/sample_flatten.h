// Other shapes of a sample profile: each function once, nothing inlined and no contexts (flat), and
// contexts as functions inlined into each other (nested).
// Source: ProfileConverter in llvm/include/llvm/ProfileData/SampleProf.h and
// llvm/lib/ProfileData/SampleProf.cpp.
#ifndef CONTPROF_SAMPLE_SAMPLE_FLATTEN_H
#define CONTPROF_SAMPLE_SAMPLE_FLATTEN_H

#include "sample_profile.h"

// What is said of all of a profile, and its symbol list: `into`, which is empty, is of the same
// kind as `from`.
void contprof_samples_same_kind(struct contprof_sample_profile *into,
                                const struct contprof_sample_profile *from);

// Fills `into`, which is empty, with the flat form of `from`. Of a context-sensitive profile,
// functions' contexts are merged. Of another, what was inlined becomes a function of its own, and
// where it was inlined a call of it.
void contprof_samples_flatten(struct contprof_sample_profile *into,
                              const struct contprof_sample_profile *from);

// Fills `into`, which is empty, with the nested form of `from`, which is context-sensitive: a
// function of a context is inlined into the function that calls it there, if that has samples of
// its own, else it becomes top-level. With `keep_base` it becomes top-level in any case, and the
// inlined one is marked CONTPROF_CONTEXT_DUPLICATED. Returns false with `error` set, and `into`
// empty, if a context has more frames than CONTPROF_INLINE_DEPTH.
bool contprof_samples_nest(struct contprof_sample_profile *into,
                           const struct contprof_sample_profile *from, bool keep_base,
                           struct contprof_error *error);

#endif
