// The sampled side of a verb that is about counts: any number of sample profiles, recordings of
// perf, and directories of both, as one profile. Not thread-safe.
#ifndef CONTPROF_SAMPLED_SIDE_H
#define CONTPROF_SAMPLED_SIDE_H

#include "../sample/sample_profile.h"
#include "inputs.h"
#include "sample_options.h"

// What the command line says of it; its strings. A zeroed struct is none. Free with
// contprof_sampled_free.
struct contprof_sampled {
  struct contprof_inputs inputs;  // owned
  struct contprof_words binaries; // of recordings: the programs that were recorded; owned
  const char *debug_binary;       // where the one binary's debug information is, or NULL: it says
  bool once;                      // a sample counts 1, so that few look like few: not its period
};

void contprof_sampled_add_binary(struct contprof_sampled *sampled, const char *path);

// Reads all inputs into `profile`, which is empty. Of recordings, its list of symbols has all
// functions of the binaries. Returns the exit status of `verb`; if that is not CONTPROF_EXIT_OK,
// has said why: a recording needs a binary, with samples in it, and a binary a recording.
int contprof_sampled_read(const struct contprof_sampled *sampled, const char *verb,
                          struct contprof_sample_profile *profile);

// Whether `output` is no recording, binary, or (unless `in_place`) sample profile of these. If it
// is one, says so.
bool contprof_sampled_kept(const struct contprof_sampled *sampled, const char *output,
                           bool in_place);

void contprof_sampled_free(struct contprof_sampled *sampled);

#endif
