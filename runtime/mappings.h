// What this process has mapped, by /proc/self/maps. That file names devices otherwise than stat(2)
// does on some file systems (btrfs, overlayfs), so a file is told by a mapping of it, made for the
// purpose if need be, and never by what stat says.
#ifndef CONTPROF_RUNTIME_MAPPINGS_H
#define CONTPROF_RUNTIME_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

struct contprof_mapping {
  uint64_t start;  // address
  uint64_t end;    // one past the last
  uint64_t offset; // in the file
  uint64_t major;  // device
  uint64_t minor;
  uint64_t inode;
  const char *path; // "" if there is none, or one too long to be kept; for the callback alone
};

// Finds the mapping with the lowest address that `wanted`, called with `argument`, takes; it is in
// *found then, if that is not NULL. False if there is none, or /proc does not tell.
bool contprof_find_mapping(bool (*wanted)(const struct contprof_mapping *, const void *),
                           const void *argument, struct contprof_mapping *found);

// The lowest address besides `mapped` at which the file that is mapped there is mapped from its
// start; 0 if nowhere, or /proc does not tell.
uintptr_t contprof_mapped_elsewhere(const void *mapped);

// Whether the file open as `fd` is mapped from its start. True where that can't be found out.
bool contprof_is_mapped(int fd);

#endif
