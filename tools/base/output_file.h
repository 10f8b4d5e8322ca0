// An output file that appears whole or not at all: written beside its place under a temporary name
// and renamed over it. An existing file is replaced atomically or not touched.
#ifndef CONTPROF_BASE_OUTPUT_FILE_H
#define CONTPROF_BASE_OUTPUT_FILE_H

#include "error.h"

#include <stddef.h>

// Writes `size` bytes as the file `path`. "-" is standard output, and a name of one of this
// process's descriptors (/dev/stdout, /dev/fd/3) is that descriptor; a device or pipe that exists
// at `path`
// (/dev/null, a FIFO) is written to directly, since it can't be replaced. Symbolic links are
// followed, also to a file that is not there yet. A new file gets mode 0666 less the umask; a
// replaced one keeps its mode.
bool contprof_output_write(const char *path, const void *bytes, size_t size,
                           struct contprof_error *error);

#endif
