// Writes a raw profile from front to back, into an open file or into memory.
#ifndef CONTPROF_RUNTIME_IMAGE_WRITE_H
#define CONTPROF_RUNTIME_IMAGE_WRITE_H

#include "image.h"
#include "platform.h"

#define CONTPROF_WRITER_BUFFER 65536
#define CONTPROF_WRITER_PIECES 8

// Appends bytes, with as few system calls as it can. Errors stick.
struct contprof_writer {
  int fd;           // file to write, or -1 for memory
  char *memory;     // where to write if fd is -1; holds zeros before
  bool compare;     // do not write to the memory: see whether it has the bytes
  bool differs;     // it has others
  uint64_t offset;  // in the file or memory, of the first byte that is not there yet
  uint64_t pending; // bytes gathered for the file
  uint64_t used;    // of these, copied into the buffer that writers share
  int count;        // of the pieces
  int error;        // 0, or the first negated errno
  struct contprof_piece pieces[CONTPROF_WRITER_PIECES]; // what is gathered, in order
};

// Copies the bytes.
void contprof_writer_put(struct contprof_writer *writer, const void *bytes, uint64_t size);
// Refers to the bytes, which stay until the writer is flushed.
void contprof_writer_refer(struct contprof_writer *writer, const void *bytes, uint64_t size);
// Skips bytes that are zeros already.
void contprof_writer_skip(struct contprof_writer *writer, uint64_t size);
void contprof_writer_flush(struct contprof_writer *writer);

// Writes the whole profile, nothing counted, to `fd`, or to `memory` if fd is -1: layout->total
// bytes that read as zeros before. 0 or a negated errno.
int contprof_image_write(const struct contprof_image *image, const struct contprof_layout *layout,
                         const struct contprof_owner *owner, int fd, char *memory);

// How much of a file is compared.
enum contprof_parts {
  CONTPROF_HEAD,             // header and binary ids
  CONTPROF_HEAD_AND_RECORDS, // and data records
  CONTPROF_ALL_PARTS,        // and names, and what is fixed of its value data
};

// Whether `file`, layout->total bytes, has this module's parts.
bool contprof_image_matches(const struct contprof_image *image,
                            const struct contprof_layout *layout, char *file,
                            enum contprof_parts parts);

// Sets counters and bitmaps in memory laid out by `layout` to nothing counted.
void contprof_image_zero(const struct contprof_image *image, const struct contprof_layout *layout,
                         char *memory);

#endif
