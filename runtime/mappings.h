// What this process has mapped, by /proc/self/maps. That file names devices otherwise than stat(2)
// does on some file systems (btrfs, overlayfs), so a file is told by a mapping of it, made for the
// purpose if need be, and never by what stat says.
#ifndef CONTPROF_RUNTIME_MAPPINGS_H
#define CONTPROF_RUNTIME_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

// The lowest address besides `mapped` at which the file that is mapped there is mapped from its
// start; 0 if nowhere, or /proc does not tell.
uintptr_t contprof_mapped_elsewhere(const void *mapped);

// Whether the file open as `fd` is mapped from its start. True where that can't be found out.
bool contprof_is_mapped(int fd);

#endif
