// libFuzzer target: the reader of sample profiles as text.
#include "fuzz_profile.h"
#include "fuzz_sample.h"
#include "tools/sample/sample_text.h"

// Nothing can be said of functions inlined in a context-sensitive profile: their names get brackets
// when they are written, there as in LLVM.
static bool is_text(const uint8_t *bytes, size_t size) {
  struct contprof_sample_profile profile = {0};
  struct contprof_error error;
  bool odd = false;
  contprof_error_clear(&error);
  if (!contprof_is_sample_text(bytes, size) ||
      !contprof_sample_text_read(bytes, size, "input", &profile, &error)) {
    contprof_sample_profile_free(&profile);
    return contprof_is_sample_text(bytes, size);
  }
  for (size_t i = 0; profile.context_sensitive && i < profile.function_count; i++)
    odd |= profile.functions[i]->callsite_count > 0;
  contprof_sample_profile_free(&profile);
  return !odd;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const struct contprof_sample_write_options text = {.format = CONTPROF_SAMPLE_TEXT};
  contprof_fuzz_sample(bytes, size, is_text, &text);
  return 0;
}
