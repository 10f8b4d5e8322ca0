// Where a live file, or the memory that stands for one, is mapped.
#ifndef CONTPROF_RUNTIME_LIVE_MAPPING_H
#define CONTPROF_RUNTIME_LIVE_MAPPING_H

#include "image.h"
#include "live_file.h"

// Maps live->size bytes of the file `fd`, or of memory where that is -1: over what is mapped at
// `address`, or where that is NULL above the module if that can be had; in a sharded program with
// room behind it, and live->room set. NULL on failure, with *error an errno; then nothing is
// mapped, and what was at `address` is as it was. Under the module's lock.
char *contprof_live_map(struct contprof_live *live, const struct contprof_image *image, int fd,
                        char *address, int *error);

#endif
