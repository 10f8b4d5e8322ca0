// New names for functions, as llvm-profdata merge --remapping-file has them: plain text, a line
// "OLD NEW" for each, nothing of manglings; blank lines and those that begin with # are skipped. Of
// several lines for one old name the first holds. Names that values and traces mean stay.
// Source: SymbolRemapper in llvm/tools/llvm-profdata/llvm-profdata.cpp.
#ifndef CONTPROF_BASE_NEW_NAMES_H
#define CONTPROF_BASE_NEW_NAMES_H

#include "names.h"

// A zeroed struct renames nothing.
struct contprof_renames {
  struct contprof_name_table old; // owned
  struct contprof_name *renamed;  // of each name in `old`, in its order, the new one; owned
  size_t room;                    // private: allocated entries of `renamed`
  struct contprof_arena arena;    // private: the text of new names
};

// Adds what the file at `path` says; "-" is standard input. Fails with CONTPROF_CORRUPT, naming the
// line, if one is something else.
bool contprof_renames_read(struct contprof_renames *renames, const char *path,
                           struct contprof_error *error);

// The new name of the function of that name_ref; NULL if it keeps its own.
const struct contprof_name *contprof_renames_find(const struct contprof_renames *renames,
                                                  uint64_t name_ref);

void contprof_renames_free(struct contprof_renames *renames);

#endif
