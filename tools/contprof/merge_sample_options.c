#include "merge_sample_options.h"

#include "option_values.h"

#include <string.h>

static bool *flag_of(int option, struct contprof_merge_sample_options *options) {
  switch (option) {
  case CONTPROF_OPTION_MD5:
    return &options->md5_names;
  case CONTPROF_OPTION_COMPRESS:
    return &options->compress;
  case CONTPROF_OPTION_SPLIT:
    return &options->split_layout;
  case CONTPROF_OPTION_PARTIAL:
    return &options->partial;
  case CONTPROF_OPTION_DROP_SYMBOLS:
    return &options->drop_symbols;
  case CONTPROF_OPTION_NEST:
    return &options->nest;
  case CONTPROF_OPTION_KEEP_BASE:
    return &options->keep_base;
  case CONTPROF_OPTION_MERGE_COLD:
    return &options->merge_cold;
  case CONTPROF_OPTION_TRIM_COLD:
    return &options->trim_cold;
  case CONTPROF_OPTION_IS_FS:
    return &options->load.flow_sensitive;
  default:
    return NULL;
  }
}

bool *contprof_merge_sample_flag(int option, struct contprof_merge_sample_options *options) {
  bool *flag = flag_of(option, options);
  if (flag)
    options->given = option;
  return flag;
}

static bool take_layout(const char *text, struct contprof_merge_sample_options *options,
                        struct contprof_error *error) {
  bool flat = strcmp(text, "flat") == 0;
  options->layout = flat ? CONTPROF_LAYOUT_FLAT : CONTPROF_LAYOUT_NESTED;
  return flat || strcmp(text, "nest") == 0 ||
         contprof_bad_argument(error, "convert-sample-profile-layout", text, "flat or nest");
}

static bool take_frames(const char *text, struct contprof_merge_sample_options *options,
                        struct contprof_error *error) {
  const char *name = "sample-frame-depth-for-cold-context";
  return contprof_number_argument(name, text, &options->cold_frames, error) &&
         (options->cold_frames || contprof_bad_argument(error, name, text, "1 or more"));
}

static bool take_cutoff(const char *text, struct contprof_merge_sample_options *options,
                        struct contprof_error *error) {
  const char *name = "profile-summary-cutoff-cold";
  return contprof_number_argument(name, text, &options->cold_cutoff, error) &&
         (options->cold_cutoff <= 999999 ||
          contprof_bad_argument(error, name, text, "millionths from 0 to 999999"));
}

bool contprof_merge_sample_take(int option, const char *argument,
                                struct contprof_merge_sample_options *options,
                                struct contprof_error *error) {
  options->given = option;
  switch (option) {
  case CONTPROF_OPTION_SYMBOLS:
    options->symbol_list = argument;
    return true;
  case CONTPROF_OPTION_FS_PASS:
    return contprof_sample_load_pass(argument, &options->load, error);
  case CONTPROF_OPTION_LAYOUT:
    return take_layout(argument, options, error);
  case CONTPROF_OPTION_COLD_FRAMES:
    return take_frames(argument, options, error);
  case CONTPROF_OPTION_COLD_CUTOFF:
    return take_cutoff(argument, options, error);
  case CONTPROF_OPTION_COLD_COUNT:
    options->has_cold_count = true;
    return contprof_number_argument("profile-summary-cold-count", argument, &options->cold_count,
                                    error);
  default:
    return contprof_number_argument("output-size-limit", argument, &options->size_limit, error);
  }
}
