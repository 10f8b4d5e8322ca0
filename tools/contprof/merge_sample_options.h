// The options of contprof merge for sample profiles.
#ifndef CONTPROF_MERGE_SAMPLE_OPTIONS_H
#define CONTPROF_MERGE_SAMPLE_OPTIONS_H

#include "merge_options.h"

enum contprof_merge_sample_option {
  CONTPROF_OPTION_MD5 = 512, // behind the other options of merge
  CONTPROF_OPTION_COMPRESS,
  CONTPROF_OPTION_SPLIT,
  CONTPROF_OPTION_PARTIAL,
  CONTPROF_OPTION_SYMBOLS,
  CONTPROF_OPTION_DROP_SYMBOLS,
  CONTPROF_OPTION_LAYOUT,
  CONTPROF_OPTION_NEST,
  CONTPROF_OPTION_KEEP_BASE,
  CONTPROF_OPTION_MERGE_COLD,
  CONTPROF_OPTION_TRIM_COLD,
  CONTPROF_OPTION_COLD_FRAMES,
  CONTPROF_OPTION_COLD_CUTOFF,
  CONTPROF_OPTION_COLD_COUNT,
  CONTPROF_OPTION_SIZE_LIMIT,
  CONTPROF_OPTION_IS_FS,
  CONTPROF_OPTION_FS_PASS,
};

// As contprof_option_set's flag_of and take, of these options.
bool *contprof_merge_sample_flag(int option, struct contprof_merge_sample_options *options);
bool contprof_merge_sample_take(int option, const char *argument,
                                struct contprof_merge_sample_options *options,
                                struct contprof_error *error);

#endif
