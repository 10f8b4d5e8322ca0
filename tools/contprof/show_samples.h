// Prints a sample profile as `llvm-profdata show --sample` does, LLVM 19's text to the byte
// (llvm-profdata.cpp, showSampleProfile; SampleProf.cpp, print). Where LLVM 14 and 16 differ,
// docs/show.md says.
#ifndef CONTPROF_SHOW_SAMPLES_H
#define CONTPROF_SHOW_SAMPLES_H

#include "../sample/sample_profile.h"

#include <stdio.h>

struct contprof_show_samples_options {
  const char *function;  // show the function of this name alone; NULL or "": all
  uint64_t top_count;    // how many of the hot functions to list; 0: all, if any
  bool all_functions;    // all, whatever `function` says
  bool json;             // functions as JSON
  bool symbols;          // then the symbol list
  bool detailed_summary; // then how many lines make up which share of the total
  bool hot_functions;    // then the hot functions
};

void contprof_show_samples(FILE *to, const struct contprof_sample_profile *profile,
                           const struct contprof_show_samples_options *options);

// The functions as JSON, an array in the order of the text.
void contprof_show_samples_json(FILE *to, const struct contprof_sample_profile *profile);

// A function of a profile, as text; NULL: what LLVM prints of one that is not there.
void contprof_show_function_samples(FILE *to, const struct contprof_function_samples *function);

#endif
