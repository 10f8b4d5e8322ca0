// Which clang does the work, and which version it is.
#ifndef CONTPROF_DRIVER_FIND_CLANG_H
#define CONTPROF_DRIVER_FIND_CLANG_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>

struct contprof_clang_search {
  const char *wanted; // $CONTPROF_CLANG: a path, or a name to look for; NULL or "" if not set
  const char *path;   // $PATH; NULL if not set
  const char *self;   // path of the running program, never the answer under whatever name
  bool cxx;           // a C++ driver is needed
};

struct contprof_clang {
  const char *path;        // to be run, as found; in the arena
  const char *driver_mode; // "--driver-mode=..." where the name does not imply it, or NULL
};

// Finds clang: `wanted` (or its C++ or C counterpart beside it: /usr/bin/clang-19 and
// /usr/bin/clang++-19), else clang or clang++ on the path. Fails with CONTPROF_NOT_FOUND.
bool contprof_find_clang(const struct contprof_clang_search *search, struct contprof_arena *arena,
                         struct contprof_clang *clang, struct contprof_error *error);

// The major version that a path tells: a directory llvm-N, or a name ending in -N. 0 if neither.
unsigned contprof_clang_version_in_path(const char *path);

// The major version in what `clang --version` prints; 0 if there is none.
unsigned contprof_clang_version_in_text(const char *text);

// The target triple that clang would compile for, by asking it with all of `words` (without
// argv[0], up to its NULL) and `driver_mode` (or NULL); NULL if it names none.
const char *contprof_clang_triple(const struct contprof_clang *clang, const char *const *words,
                                  struct contprof_arena *arena);

// The major version of the clang at `path`, without running it if its real path tells.
bool contprof_clang_version(const char *path, struct contprof_arena *arena, unsigned *major,
                            struct contprof_error *error);

#endif
