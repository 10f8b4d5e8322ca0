// The one error type of the tools: a stable code and a message that says where.
//
// A function that can fail takes a `struct contprof_error *` as its last parameter, returns false
// (or NULL) and fills the error exactly once; the first error wins, so callers may chain calls and
// look at the end. "Not there" (CONTPROF_NOT_FOUND) differs from "there, but wrong"
// (CONTPROF_CORRUPT). Errors own no memory. Not thread-safe: one error object per thread.
#ifndef CONTPROF_BASE_ERROR_H
#define CONTPROF_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

// Stable: scripts and tests may rely on the numbers; new codes go at the end.
enum contprof_code {
  CONTPROF_OK = 0,
  CONTPROF_NOT_FOUND = 1,   // the thing asked for does not exist
  CONTPROF_IO = 2,          // the system refused: open, read, write, rename
  CONTPROF_TRUNCATED = 3,   // the data ends before what its header promises
  CONTPROF_CORRUPT = 4,     // the data contradicts itself or its format
  CONTPROF_UNSUPPORTED = 5, // a format or version this build does not know
  CONTPROF_MISMATCH = 6,    // two good inputs that do not belong together
  CONTPROF_NO_MEMORY = 7,
  CONTPROF_USAGE = 8, // the command line is wrong
};

// No offset applies to this error.
#define CONTPROF_NO_OFFSET UINT64_MAX

struct contprof_error {
  enum contprof_code code;
  uint64_t offset;     // byte offset in `file`, or CONTPROF_NO_OFFSET
  const char *section; // static string ("header", "data", "names"...), or NULL
  char file[512];      // path as the user named it (its tail if longer); "" if none
  char message[512];   // one sentence, no trailing full stop, no newline
};

// Makes *error "no error". Call before first use.
void contprof_error_clear(struct contprof_error *error);

// Sets the error unless one is set already. `file` and `section` may be NULL. `section` must be a
// string literal. Returns false always, so that callers can write `return contprof_fail(...)`.
bool contprof_fail(struct contprof_error *error, enum contprof_code code, const char *file,
                   const char *section, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

// As contprof_fail with CONTPROF_IO (CONTPROF_NOT_FOUND for ENOENT), the message followed by
// ": " and the text of `saved_errno`.
bool contprof_fail_errno(struct contprof_error *error, int saved_errno, const char *file,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

// Writes "FILE: SECTION at offset N: MESSAGE" (the parts that apply) into `buffer`, always
// terminated. Returns `buffer`.
const char *contprof_error_text(const struct contprof_error *error, char *buffer, uint64_t size);

#endif
