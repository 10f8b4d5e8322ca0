// Choosing functions by their names, as llvm-profdata merge --function and --no-function do: POSIX
// extended regular expressions that may match anywhere in a name; what --no-function matches goes,
// whatever --function says.
// Source: filterFunctions in llvm/tools/llvm-profdata/llvm-profdata.cpp, LLVM 19.
#ifndef CONTPROF_BASE_NAME_FILTER_H
#define CONTPROF_BASE_NAME_FILTER_H

#include "error.h"

#include <regex.h>

struct contprof_name_filter {
  regex_t keep, drop;            // compiled if the flags below say so
  bool has_keep, has_drop;       // which there are
  uint64_t keep_hash, drop_hash; // contprof_name_ref of the expressions' texts
};

// Compiles the expressions, NULL for none. Fails with CONTPROF_USAGE; nothing is to be freed then.
bool contprof_name_filter_new(struct contprof_name_filter *filter, const char *keep,
                              const char *drop, struct contprof_error *error);

// Whether the function of that name stays.
bool contprof_name_filter_keeps(const struct contprof_name_filter *filter, const char *name);

// The same for a function of which the hash is all that is known, `name` its decimal digits: an
// expression that is a whole name also matches by its hash.
bool contprof_name_filter_keeps_hash(const struct contprof_name_filter *filter, const char *name,
                                     uint64_t hash);

void contprof_name_filter_free(struct contprof_name_filter *filter);

#endif
