// What the programs have in common that damage files everywhere: each file cut to every length,
// then changed in the program's own way. A reader is to say good or bad, never crash, within a
// bound of memory.
#ifndef CONTPROF_FUZZ_CUT_FILES_H
#define CONTPROF_FUZZ_CUT_FILES_H

#include "tools/base/file_view.h"

// How many of the changed files were good all the same.
struct contprof_cut_tally {
  unsigned cut, cut_good, changed, changed_good;
};

struct contprof_cutter {
  const char *what; // what a file is to begin with, for a message: "profile"
  bool (*is_good)(const uint8_t *bytes, size_t size);
  // Changes `copy`, which is the file's and is to be so again afterwards, and tries what comes out.
  void (*change)(const struct contprof_file_view *file, uint8_t *copy,
                 struct contprof_cut_tally *tally);
};

// Tries a changed file.
void contprof_cut_try(const struct contprof_cutter *cutter, const uint8_t *bytes, size_t size,
                      struct contprof_cut_tally *tally);

// The whole of such a program: its exit status.
int contprof_cut_files(const struct contprof_cutter *cutter, int argc, char **argv);

#endif
