// libFuzzer target: the reader of text profiles.
#include "fuzz_profile.h"
#include "tools/instr/text_reader.h"

static bool read_text(const struct contprof_file_view *file, struct contprof_profile *profile,
                      struct contprof_error *error) {
  return contprof_is_text(file)
             ? contprof_text_read(file, profile, error)
             : contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, 0, "other");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  contprof_fuzz(read_text, bytes, size);
  return 0;
}
