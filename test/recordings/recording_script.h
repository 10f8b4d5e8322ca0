// The little language that recordings are described in; write_recording.c says what it has.
#ifndef TEST_RECORDINGS_RECORDING_SCRIPT_H
#define TEST_RECORDINGS_RECORDING_SCRIPT_H

#include <stdbool.h>

// Writes the recording that the script tells to `out`. Returns false, with a message on standard
// error, if it does not understand it.
bool recording_script_run(const char *script, const char *out);

#endif
