// An output file that appears whole or not at all: written without a name, or, where the file
// system has no such files, beside its place under a temporary one, and given its place at the end.
// An existing file is replaced atomically or not touched. Of a process that is killed meanwhile
// nothing is left, but, without nameless files, the temporary one.
#ifndef CONTPROF_BASE_OUTPUT_FILE_H
#define CONTPROF_BASE_OUTPUT_FILE_H

#include "byte_writer.h"
#include "error.h"
#include "handoff.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

// Writes `size` bytes as the file `path`. "-" is standard output, and a name of one of this
// process's descriptors (/dev/stdout, /dev/fd/3) is that descriptor; a device or pipe that exists
// at `path` (/dev/null, a FIFO) is written to directly, since it can't be replaced. Symbolic links
// are followed, also to a file that is not there yet. A new file gets mode 0666 less the umask; a
// replaced one keeps its mode.
bool contprof_output_write(const char *path, const void *bytes, size_t size,
                           struct contprof_error *error);

// Whether an output could be written now: to know before hours of work, not after. `place` is where
// it would go: the file's own name where `path` is a link, or the name of this process's
// descriptor.
bool contprof_output_check(const char *path, char place[PATH_MAX], struct contprof_error *error);

// What contprof_output_write does, for an output that is large: its bytes go to the disk as they
// are made. All private.
struct contprof_output {
  struct contprof_byte_outlet outlet; // first
  const char *path;
  struct contprof_error *error;
  char place[PATH_MAX], temporary[PATH_MAX + 16];
  mode_t mode;
  bool threaded;
  size_t size; // that has been appended
  int fd;
  bool begun, failed;
  struct contprof_error failure;    // if it has failed; both are the writing thread's until the end
  struct contprof_handoff *writing; // NULL before the first piece
};

// Returns the outlet for the byte writer that the output is made with, or NULL where it can't be
// written bit by bit, and the writer is to keep all. If `threaded`, another thread writes what has
// been handed on. `path` and `error` must outlive the output. contprof_output_end is to be called
// in any case.
struct contprof_byte_outlet *contprof_output_begin(struct contprof_output *output, const char *path,
                                                   bool threaded, struct contprof_error *error);

// Writes the rest, what the writer has, or, if not `ok`, drops all. Returns whether the output is
// written; if not, and it was `ok`, the error is set.
bool contprof_output_end(struct contprof_output *output, const struct contprof_byte_writer *rest,
                         bool ok);

#endif
