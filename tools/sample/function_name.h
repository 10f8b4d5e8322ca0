// Function names as sample profiles have them: without the suffixes that compilers add to copies.
#ifndef CONTPROF_SAMPLE_FUNCTION_NAME_H
#define CONTPROF_SAMPLE_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>

// The length of `name` without a trailing ".llvm.N", then ".part.N", then (unless `keep_unique`,
// for profiles with such names) ".__uniq.N": each is cut where what follows it has no further full
// stop. Rule: FunctionSamples::getCanonicalFnName with the policy "selected"
// (llvm/ProfileData/SampleProf.h).
size_t contprof_canonical_length(const char *name, size_t length, bool keep_unique);

#endif
