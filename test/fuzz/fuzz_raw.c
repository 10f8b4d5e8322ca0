// libFuzzer target: the reader of raw profiles.
#include "fuzz_profile.h"
#include "tools/instr/raw_reader.h"

static bool read_raw(const struct contprof_file_view *file, struct contprof_profile *profile,
                     struct contprof_error *error) {
  return contprof_is_raw(file) ? contprof_raw_read(file, profile, error)
                               : contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, 0, "other");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  contprof_fuzz(read_raw, bytes, size);
  return 0;
}
