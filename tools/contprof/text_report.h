// What show and overlap have in common: they read a profile, saying what is wrong with it, and
// print text that is written at the end, whole or not at all. And what all verbs ask of an output.
#ifndef CONTPROF_TEXT_REPORT_H
#define CONTPROF_TEXT_REPORT_H

#include "../instr/profile.h"
#include "sample_load.h"

#include <stdio.h>

// Text on its way. `to` is for printing to; NULL if there is no memory for it.
struct contprof_text_report {
  FILE *to;
  char *text;  // private; owned
  size_t size; // private
};

// Whether none of the `count` files at `paths` is what `output` names ("-" is neither). If one is,
// says so.
bool contprof_report_keeps_inputs(int count, char **paths, const char *output);

// Whether `output` is not a terminal's standard output, or what goes there is `text`. If it is,
// says so.
bool contprof_report_spares_terminal(const char *output, bool text);

// Reads the profile at `path` ("-" is standard input) into the empty `profile`. Returns false,
// having said why, if it is bad.
bool contprof_report_load(const char *path, struct contprof_profile *profile);

// The same of a sample profile.
bool contprof_report_load_samples(const char *path, const struct contprof_sample_load *how,
                                  struct contprof_sample_profile *profile);

// Begins a text in *report, which must not move until contprof_report_write.
void contprof_report_begin(struct contprof_text_report *report);

// Writes what was printed as the file `output` ("-" is standard output), if `wanted`, and frees
// all. Returns false, having said why, if that failed.
bool contprof_report_write(struct contprof_text_report *report, const char *output, bool wanted);

#endif
