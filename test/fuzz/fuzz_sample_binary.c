// libFuzzer target: the readers of sample profiles in binary and extended binary format. What has
// been read is written in the latter, in each of its shapes in turn.
#include "fuzz_profile.h"
#include "fuzz_sample.h"
#include "tools/sample/sample_text.h"

static bool is_binary(const uint8_t *bytes, size_t size) {
  return !contprof_is_sample_text(bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct contprof_sample_write_options options = {.format = CONTPROF_SAMPLE_EXTBINARY,
                                                  .compress = size % 3 == 0,
                                                  .md5_names = size % 5 == 0,
                                                  .split_layout = size % 7 == 0};
  contprof_fuzz_sample(bytes, size, is_binary, &options);
  return 0;
}
