// libFuzzer target: the reader of indexed profiles.
#include "fuzz_profile.h"
#include "tools/instr/indexed_reader.h"

static bool read_indexed(const struct contprof_file_view *file, struct contprof_profile *profile,
                         struct contprof_error *error) {
  return contprof_is_indexed(file)
             ? contprof_indexed_read(file, profile, error)
             : contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, 0, "other");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  contprof_fuzz(read_indexed, bytes, size);
  return 0;
}
