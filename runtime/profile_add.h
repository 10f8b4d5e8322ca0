// Adding one image's counts to another's, and judging whether a raw profile is this build's.
#ifndef CONTPROF_RUNTIME_PROFILE_ADD_H
#define CONTPROF_RUNTIME_PROFILE_ADD_H

#include "image.h"

// Adds counters, bitmaps and values of the image at `from` to the one at `to`, both laid out so.
void contprof_profile_add(const struct contprof_image *image, const struct contprof_layout *layout,
                          char *to, const char *from);

// The same for the counters and bitmaps alone, each given by its first byte.
void contprof_counts_add(const struct contprof_image *image, char *to_counters,
                         const char *from_counters, char *to_bitmap, const char *from_bitmap);

#endif
