#include "line_stream.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A block fits a core's second-level cache with room for what is made of it.
enum { BLOCK = 1 << 18 };

bool contprof_line_stream_open(const char *path, struct contprof_line_stream *stream,
                               struct contprof_error *error) {
  bool is_input = strcmp(path, "-") == 0;
  *stream = (struct contprof_line_stream){.path = path,
                                          .error = error,
                                          .fd = is_input ? STDIN_FILENO
                                                         : open(path, O_RDONLY | O_CLOEXEC)};
  return stream->fd >= 0 || contprof_fail_errno(error, errno, path, "can't open");
}

void contprof_line_stream_close(struct contprof_line_stream *stream) {
  if (stream->fd > STDIN_FILENO)
    close(stream->fd);
  free(stream->bytes);
  *stream = (struct contprof_line_stream){.fd = -1};
}

// Makes room behind what there is: moves the part of a line that has been read to the front, and
// takes more memory once that line alone fills it. One byte stays for the end of the last line.
static bool make_room(struct contprof_line_stream *stream) {
  size_t left = stream->end - stream->next;
  if (stream->next) {
    memmove(stream->bytes, stream->bytes + stream->next, left);
    stream->next = 0;
    stream->end = left;
  }
  if (left > CONTPROF_LINE_MAX)
    return contprof_fail(stream->error, CONTPROF_UNSUPPORTED, stream->path, NULL,
                         CONTPROF_NO_OFFSET, "line %" PRIu64 " has more than %d bytes",
                         stream->number + 1, CONTPROF_LINE_MAX);
  if (left + BLOCK / 2 < stream->room)
    return true;
  stream->room = stream->room ? stream->room * 2 : BLOCK;
  stream->bytes = contprof_need_array(stream->bytes, stream->room, 1);
  return true;
}

static bool read_more(struct contprof_line_stream *stream) {
  if (!make_room(stream))
    return false;
  for (;;) {
    ssize_t got = read(stream->fd, stream->bytes + stream->end, stream->room - 1 - stream->end);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return contprof_fail_errno(stream->error, errno, stream->path, "can't read");
    stream->end += (size_t)got;
    stream->at_end = got == 0;
    return true;
  }
}

static bool take_line(struct contprof_line_stream *stream, size_t length, size_t next) {
  stream->line = stream->bytes + stream->next;
  stream->length = length;
  stream->next = next;
  stream->number++;
  if (length && stream->line[length - 1] == '\r')
    stream->length--;
  return true;
}

bool contprof_line_stream_next(struct contprof_line_stream *stream) {
  size_t searched = 0; // bytes of the line known to hold no end
  while (stream->error->code == CONTPROF_OK) {
    size_t from = stream->next + searched;
    const char *end =
        from < stream->end ? memchr(stream->bytes + from, '\n', stream->end - from) : NULL;
    if (end) {
      size_t at = (size_t)(end - stream->bytes);
      return take_line(stream, at - stream->next, at + 1);
    }
    searched = stream->end - stream->next;
    if (stream->at_end) {
      if (!searched)
        return false;
      stream->bytes[stream->end] = '\n';
      return take_line(stream, searched, stream->end);
    }
    if (!read_more(stream))
      return false;
  }
  return false;
}
