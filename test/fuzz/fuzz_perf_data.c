// libFuzzer target: the reader of perf.data.
#include "fuzz_profile.h"
#include "fuzz_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  contprof_fuzz_recording(bytes, size);
  return 0;
}
