// The command line of contprof sample: llvm-profgen's, with several binaries and processes.
#ifndef CONTPROF_SAMPLE_OPTIONS_H
#define CONTPROF_SAMPLE_OPTIONS_H

#include "../sample/sample_format.h"

// What the input is, as its option says.
enum contprof_sample_input {
  CONTPROF_INPUT_NONE,
  CONTPROF_INPUT_PERF_DATA,
  CONTPROF_INPUT_PERF_SCRIPT,
  CONTPROF_INPUT_UNSYMBOLIZED,
  CONTPROF_INPUT_SAMPLE_PROFILE,
};

// A list of words of the command line.
struct contprof_words {
  char **words; // count of them; the array is owned, the words are not
  size_t count;
};

// Strings are those of the command line, but for the words of `events`.
struct contprof_sample_options {
  struct contprof_words binaries; // at least one; none of a list
  struct contprof_words outputs;  // one a binary; of a list one
  struct contprof_words events;   // --perf-event; the words are owned, too
  int32_t *pids;                  // --pid; owned
  size_t pid_count;
  enum contprof_sample_input kind;
  struct contprof_words inputs; // of that kind; several only of recordings
  const char *input;            // the first; "-" is standard input
  const char *debug_binary;     // or NULL
  const char *dwp;              // or NULL
  struct contprof_sample_write_options write;
  uint64_t sample_period;  // 0: not given
  bool alike;              // set by combine alone: IPs count once each, whatever their periods
  uint64_t threads;        // 0: two, if there are as many processors
  uint64_t cutoff_cold;    // millionths
  uint64_t cold_count;     // if has_cold_count
  uint64_t density_cutoff; // millionths
  double density_threshold;
  bool has_cold_count;
  bool ip_only;
  bool symbol_list;
  bool fill_zero_for_all;
  bool update_total;
  bool trim_cold;
  bool skip_symbolization;
  bool use_offset;
  bool load_base; // --use-first-loadable-segment-as-base
  bool show_maps;
  bool show_details;
  bool show_density;
  bool list;            // tell what is in the recordings, make no profile
  bool by_lines;        // --use-dwarf-correlation: as always here, but then meant
  bool unwinder_output; // --show-unwinder-output: no more than said to have no effect
  bool ignored;         // what has no meaning here
};

// Fills *options, which is to be freed by contprof_sample_options_free in any case. Returns false
// if there is nothing to do: help has been printed or an error said, and *status is the verb's.
bool contprof_sample_parse(int argc, char **argv, struct contprof_sample_options *options,
                           int *status);

void contprof_sample_options_free(struct contprof_sample_options *options);

#endif
