// The orders in which LLVM has what is in a sample profile, for output that is to be the same.
// Rules: FunctionId::compare, SampleContext::operator<, SampleRecord::CallTargetComparator and
// sortFuncProfiles in llvm/ProfileData (FunctionId.h, SampleProf.h, SampleProf.cpp).
#ifndef CONTPROF_SAMPLE_SAMPLE_ORDER_H
#define CONTPROF_SAMPLE_SAMPLE_ORDER_H

#include "sample_profile.h"

// Below, at or above 0 as `left` comes before, is, or comes after `right`; the two may belong to
// different profiles. Names of which only the hash is known come first, by that; the others by
// their bytes.
int contprof_sample_name_compare(const struct contprof_sample_name *left,
                                 const struct contprof_sample_name *right);

int contprof_sample_line_compare(const struct contprof_sample_line *left,
                                 const struct contprof_sample_line *right);

// By name and context: functions without context first, by name; the others frame by frame.
int contprof_sample_context_compare(const struct contprof_function_samples *left,
                                    const struct contprof_function_samples *right);

// The top-level functions, hottest first (by total samples), of equals by
// contprof_sample_context_compare: profile->function_count of them, to be freed.
const struct contprof_function_samples **
contprof_samples_sorted(const struct contprof_sample_profile *profile);

// The same by contprof_sample_context_compare alone.
const struct contprof_function_samples **
contprof_samples_sorted_by_context(const struct contprof_sample_profile *profile);

// A body sample's call targets, the most frequent first, of equals by name: body->target_count of
// them, to be freed; NULL if there are none.
const struct contprof_call_target **
contprof_targets_sorted(const struct contprof_body_sample *body);

#endif
