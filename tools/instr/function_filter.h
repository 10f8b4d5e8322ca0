// Leaving functions out of a profile by their names, as llvm-profdata merge --function and
// --no-function do: POSIX extended regular expressions that may match anywhere in a name; what
// --no-function matches goes, whatever --function says.
// Source: filterFunctions in llvm/tools/llvm-profdata/llvm-profdata.cpp, LLVM 19.
#ifndef CONTPROF_INSTR_FUNCTION_FILTER_H
#define CONTPROF_INSTR_FUNCTION_FILTER_H

#include "profile.h"

#include <regex.h>

struct contprof_function_filter {
  regex_t keep, drop;      // compiled if the flags below say so
  bool has_keep, has_drop; // which there are
};

// Compiles the expressions, NULL for none. Fails with CONTPROF_USAGE; nothing is to be freed then.
bool contprof_function_filter_new(struct contprof_function_filter *filter, const char *keep,
                                  const char *drop, struct contprof_error *error);

// Leaves the functions out. *names: how many names the profile had; *dropped: how many are gone.
void contprof_function_filter_apply(const struct contprof_function_filter *filter,
                                    struct contprof_profile *profile, size_t *names,
                                    size_t *dropped);

void contprof_function_filter_free(struct contprof_function_filter *filter);

#endif
