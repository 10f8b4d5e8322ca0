// The list of profiles a verb reads, as the command line names them: files, directories, weighted
// files, and files that list files.
#ifndef CONTPROF_INPUTS_H
#define CONTPROF_INPUTS_H

#include "../base/error.h"

#include <stddef.h>

struct contprof_input {
  char *path;      // "-" is standard input; owned by the list
  uint64_t weight; // at least 1: how often the profile counts
  bool found;      // in a directory, not named itself
};

// A zeroed struct is an empty list.
struct contprof_inputs {
  struct contprof_input *inputs; // owned
  size_t count;
  size_t room; // private: allocated entries
};

// Adds the file at `path`, or, if it is a directory, every file in it and the directories below
// whose name is as those of profiles or recordings are (contprof_inputs_keep_kind), in the order of
// their names. Symbolic links to files are followed, those to directories are not (they may lead in
// circles). A file that is not there is found out when it is read, and so is a directory that can't
// be read, which is an input itself then.
void contprof_inputs_add(struct contprof_inputs *list, const char *path, uint64_t weight);

// Adds "WEIGHT,PATH".
bool contprof_inputs_add_weighted(struct contprof_inputs *list, const char *text,
                                  struct contprof_error *error);

// Adds what the file at `path` lists: a PATH or WEIGHT,PATH a line; blank lines and those that
// start with # are skipped. "-" is standard input.
bool contprof_inputs_add_listed(struct contprof_inputs *list, const char *path,
                                struct contprof_error *error);

// Moves all of `from` to the end of `list`.
void contprof_inputs_move(struct contprof_inputs *list, struct contprof_inputs *from);

// Whether two names are one regular file, or will be once they are written.
bool contprof_is_same_place(const char *left, const char *right);

enum contprof_inputs_kind {
  CONTPROF_INPUTS_COUNTS,  // *.profraw, *.profdata, *.proftext
  CONTPROF_INPUTS_SAMPLES, // *.afdo, *.prof, *.profdata, *.proftext
  // These and perf's recordings: *.data, and perf.data.SUFFIX, as perf record --switch-output names
  // them, but for perf.data.old, the one that the last one has replaced.
  CONTPROF_INPUTS_SAMPLED,
};

// Leaves out those found in directories whose names are not those of that kind.
void contprof_inputs_keep_kind(struct contprof_inputs *list, enum contprof_inputs_kind kind);

// Leaves out those found in directories that are the file `output`, or, if `parts`, whose names are
// that of `output` with something inserted before its extension: what the last run of the same
// command wrote is no input of this one.
void contprof_inputs_leave_out(struct contprof_inputs *list, const char *output, bool parts);

void contprof_inputs_free(struct contprof_inputs *list);

#endif
