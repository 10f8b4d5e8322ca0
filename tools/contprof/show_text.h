// Prints a profile as `llvm-profdata show` does, LLVM 19's text to the byte (llvm-profdata.cpp,
// showInstrProfile). Where this differs on purpose, and where LLVM 14 and 16 do, docs/show.md says.
#ifndef CONTPROF_SHOW_TEXT_H
#define CONTPROF_SHOW_TEXT_H

#include "../instr/profile.h"
#include "../instr/summary.h"

#include <stdio.h>

struct contprof_show_options {
  const char *function;   // show functions whose name has this in it; NULL or "": none
  uint64_t top_count;     // how many of the hottest functions to list
  uint64_t value_cutoff;  // functions whose largest count is below are counted, not shown
  bool all_functions;     // show every function
  bool counts;            // with all of its counters
  bool ic_targets;        // with the targets of its indirect calls
  bool vtables;           // with the vtables of its virtual calls
  bool memop_sizes;       // with the sizes of its memory intrinsics
  bool detailed_summary;  // how many counters make up which share of the total
  bool binary_ids;        // build-ids of the programs
  bool context_sensitive; // of an IR profile, the context-sensitive functions and no others
  bool list_below_cutoff; // list the functions below value_cutoff, instead of showing any
  bool covered;           // only the names of functions that ran
  bool profile_version;   // the file's format version
  bool text;              // of the functions to show, their part of the text format, and no more
  struct contprof_cutoffs cutoffs; // of the detailed summary; none: LLVM's own; not owned
};

void contprof_show_profile(FILE *to, const struct contprof_profile *profile,
                           const struct contprof_show_options *options);

#endif
