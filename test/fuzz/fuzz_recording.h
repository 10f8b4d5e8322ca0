// What the fuzz target of perf.data, and the program that cuts recordings, do with one input.
#ifndef TEST_FUZZ_RECORDING_H
#define TEST_FUZZ_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Gives the bytes to the reader as a file, and looks at all that each event points at. Ends the
// process if the reader fails without a message that has an offset, or hands out what no event may
// be. Returns whether the bytes are a recording.
bool contprof_fuzz_recording(const uint8_t *bytes, size_t size);

#endif
