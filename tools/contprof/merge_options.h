// The command line of contprof merge.
#ifndef CONTPROF_MERGE_OPTIONS_H
#define CONTPROF_MERGE_OPTIONS_H

#include "../instr/profile.h"
#include "inputs.h"
#include "sample_load.h"
#include "supplement_options.h"

// When bad inputs make the merge fail. Names and meanings are llvm-profdata's.
enum contprof_failure_mode {
  CONTPROF_FAIL_ANY,  // one is enough
  CONTPROF_FAIL_ALL,  // all are bad
  CONTPROF_FAIL_NEVER // "warn": not even then; the profile is empty
};

enum contprof_merge_layout {
  CONTPROF_LAYOUT_KEEP,
  CONTPROF_LAYOUT_FLAT,  // nothing inlined, no contexts
  CONTPROF_LAYOUT_NESTED // contexts as inlined functions
};

// What concerns sample profiles alone. Strings are those of the command line.
struct contprof_merge_sample_options {
  const char *symbol_list; // file of names for the symbol list, or NULL
  enum contprof_merge_layout layout;
  uint64_t cold_frames; // of merged cold contexts: how many frames stay; at least 1
  uint64_t cold_cutoff; // millionths of all samples that the lines not cold make up
  uint64_t cold_count;  // if has_cold_count: instead, samples from which on is not cold
  uint64_t size_limit;  // bytes of the output; 0: none
  struct contprof_sample_load load;
  int given; // private: the last of these options that was given; 0: none
  bool has_cold_count;
  bool binary, extbinary; // formats
  bool md5_names;         // these six, of the extended binary format
  bool compress;
  bool split_layout;
  bool partial;
  bool drop_symbols;
  bool merge_cold, trim_cold; // contexts
  bool nest;                  // --gen-cs-nested-profile
  bool keep_base;             // of nested contexts, their functions stay top-level, too
};

// Strings are those of the command line.
struct contprof_merge_options {
  // In llvm-profdata's order: those named, weighted ones, and listed ones; owned.
  struct contprof_inputs inputs;
  struct contprof_inputs weighted, listed; // private; empty once parsed
  const char *output;                      // "-" is standard output
  const char *report;                      // file for the JSON report, or NULL
  const char *function;                    // extended regular expression of names to keep, or NULL
  const char *remapping;                   // file of new names for functions, or NULL
  const char *no_function;                 // of names to leave out, or NULL
  uint64_t llvm;                           // major version; 0: not asked for
  uint64_t indexed_version;                // 0: not asked for
  uint64_t threads;                        // 0: as many as there are processors, up to 8
  uint64_t min_valid;                      // percent of the inputs that must be good
  struct contprof_supplement_request supplement;
  struct contprof_trace_limits traces; // what is kept of temporal traces
  enum contprof_failure_mode failure_mode;
  bool text;
  bool dump_inputs; // print the inputs, and merge nothing
  bool ignored;     // what has no meaning here
  bool sparse;
  bool keep_vtables; // their names
  bool by_build;
  bool sample; // the inputs are sample profiles
  struct contprof_merge_sample_options samples;
};

// Fills *options, which is to be freed by contprof_merge_options_free in any case. Returns false if
// there is nothing to merge: help has been printed or an error said, and *status is the verb's.
bool contprof_merge_parse(int argc, char **argv, struct contprof_merge_options *options,
                          int *status);

// The argument of --llvm. Fails with CONTPROF_USAGE.
bool contprof_llvm_argument(const char *text, uint64_t *llvm, struct contprof_error *error);

void contprof_merge_options_free(struct contprof_merge_options *options);

#endif
