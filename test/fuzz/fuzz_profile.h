// What each fuzz target, and the program that replays their corpora, does with one input.
#ifndef TEST_FUZZ_PROFILE_H
#define TEST_FUZZ_PROFILE_H

#include "tools/base/file_view.h"
#include "tools/instr/profile.h"

typedef bool contprof_fuzz_reader(const struct contprof_file_view *file,
                                  struct contprof_profile *profile, struct contprof_error *error);

// Reads the `size` bytes, of which a copy of just that size is made, so that a sanitizer sees a
// byte read past the end. What has been read is merged and written in every form, and
// merged with a copy of which one bit is changed, in contprof merge's way and function by function.
// Ends the process if a reader fails without a message, if what has been written can't be read
// again, or if the two ways differ. Returns whether the bytes are a profile.
bool contprof_fuzz(contprof_fuzz_reader *reader, const uint8_t *bytes, size_t size);

// libFuzzer's entry, one in each target.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
