// A bounded reader over text, line by line, with one sticky error as cursor.h has: every text
// format goes through it. Blank lines and lines that begin with '#' are passed over, as LLVM's
// line_iterator does (llvm/lib/Support/LineIterator.cpp); a line ends with "\n" or "\r\n", the last
// one may end with the file. Offsets are bytes, lines are numbered from 1.
#ifndef CONTPROF_BASE_LINE_READER_H
#define CONTPROF_BASE_LINE_READER_H

#include "error.h"

#include <stddef.h>

struct contprof_line_reader {
  const char *line;             // the current one, without its end; NULL behind the last
  size_t length;                // bytes of `line`
  uint64_t number;              // of `line`
  const char *text;             // all of it; not owned, must outlive the reader
  uint64_t size;                // bytes of `text`
  uint64_t next;                // offset of what follows the current line
  const char *file;             // for messages; not owned
  struct contprof_error *error; // sticky; not owned
};

// A reader at the first line of `size` bytes at `text`.
struct contprof_line_reader contprof_lines_over(const void *text, uint64_t size, const char *file,
                                                struct contprof_error *error);

// True while there is a line and nothing has failed.
static inline bool contprof_has_line(const struct contprof_line_reader *reader) {
  return reader->line && reader->error->code == CONTPROF_OK;
}

// Goes to the next line that is neither blank nor a comment.
void contprof_next_line(struct contprof_line_reader *reader);

// Fails at the current line: with CONTPROF_CORRUPT, or CONTPROF_TRUNCATED behind the last one,
// where `expected` is what should have come ("the function's hash"). Returns false.
bool contprof_line_is_not(struct contprof_line_reader *reader, const char *expected);

// The number that is the whole of the current line, in base 10, or as its prefix says (0x, 0b, 0o,
// 0) for base 0, as StringRef::getAsInteger reads it; goes to the next line. Fails, and returns 0,
// if the line is something else or the number is above `most`.
uint64_t contprof_take_number(struct contprof_line_reader *reader, unsigned base, uint64_t most,
                              const char *expected);

// `count` such numbers in base 10 from as many lines, to `into`. Returns how many there were before
// the first line that is something else, which is the current one then and no error yet.
uint64_t contprof_take_numbers(struct contprof_line_reader *reader, uint64_t *into, uint64_t count);

// The number that is the whole of `length` bytes of text. Returns false if they are something else
// or the number does not fit 64 bits.
bool contprof_parse_number(const char *text, size_t length, unsigned base, uint64_t *number);

#endif
