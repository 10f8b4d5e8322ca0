// Mappings of files that may be cut while they are looked at. The kernel answers a look behind a
// file's end with SIGBUS, which would end the process; here zeros take the place of what is
// missing, and the mapping is marked. Each mapping is one thread's.
#ifndef CONTPROF_BASE_TORN_MAPPING_H
#define CONTPROF_BASE_TORN_MAPPING_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A zeroed struct is no mapping.
struct contprof_torn_mapping {
  const uint8_t *bytes; // NULL: none
  size_t size;
  volatile sig_atomic_t torn;         // some bytes were missing when they were looked at
  struct contprof_torn_mapping *next; // private: of the thread's mappings
};

// Maps `size` bytes of the file at `offset`, a multiple of the page size, to be read, with pages
// that are in memory already at hand. The mapping, which must be none, is not to be moved until
// contprof_torn_mapping_end, which the same thread has to call. Returns false if it can't be
// mapped.
bool contprof_torn_mapping_begin(struct contprof_torn_mapping *mapping, int fd, off_t offset,
                                 size_t size);

// Unmaps, leaving `torn` as it is. What is none stays so.
void contprof_torn_mapping_end(struct contprof_torn_mapping *mapping);

#endif
