// Text of any size, line by line, in bounded memory: for inputs that need not fit it, as
// line_reader.h is for those that do. A line ends with "\n" or "\r\n", the last one may end with
// the file. Lines are numbered from 1. Not thread-safe.
#ifndef CONTPROF_BASE_LINE_STREAM_H
#define CONTPROF_BASE_LINE_STREAM_H

#include "error.h"

#include <stddef.h>

enum { CONTPROF_LINE_MAX = 1 << 24 }; // bytes of one line

struct contprof_line_stream {
  const char *line; // the current one, without its end; valid until the next
  size_t length;    // bytes of `line`; the byte behind them may be read, and is no digit
  uint64_t number;  // of `line`
  const char *path; // for messages; not owned
  struct contprof_error *error; // sticky; not owned
  int fd;                       // private
  char *bytes;                  // private: what has been read and not yet passed; owned
  size_t room;                  // private: allocated bytes
  size_t next;                  // private: where the next line begins in `bytes`
  size_t end;                   // private: where what has been read ends
  bool at_end;                  // private: there is no more to read
};

// Opens `path` ("-" is standard input), which must outlive the stream, as `error` must. Returns
// false with `error` set if that fails; the stream can be closed all the same.
bool contprof_line_stream_open(const char *path, struct contprof_line_stream *stream,
                               struct contprof_error *error);

// Goes to the next line. Returns false behind the last one, and with `error` set if reading fails
// or a line has more than CONTPROF_LINE_MAX bytes.
bool contprof_line_stream_next(struct contprof_line_stream *stream);

void contprof_line_stream_close(struct contprof_line_stream *stream);

#endif
