// contprof merge: many profiles into one.
#include "merge_samples.h"
#include "merger.h"
#include "verbs.h"

int contprof_cmd_merge(int argc, char **argv) {
  struct contprof_merge_options options;
  int status;
  if (contprof_merge_parse(argc, argv, &options, &status))
    status = options.sample ? contprof_merge_samples(&options) : contprof_merge(&options);
  contprof_merge_options_free(&options);
  return status;
}
