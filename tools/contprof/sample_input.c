#include "sample_input.h"

#include "../sample/sample_format.h"

bool contprof_sample_input(const char *path, const char *binary,
                           struct contprof_sample_profile *profile, struct contprof_error *error) {
  if (binary)
    return contprof_fail(error, CONTPROF_USAGE, path, NULL, CONTPROF_NO_OFFSET,
                         "is no recording, so that --binary=%s says nothing", binary);
  return contprof_sample_read(path, profile, error);
}
