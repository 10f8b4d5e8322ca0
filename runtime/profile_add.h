// Changing counts that instrumented code may be adding to at the same moment: adding one image's
// counts to another's, and setting counts back.
//
// Instrumented code adds with one plain instruction, which is not atomic towards other processors:
// having loaded a count, it may store its sum over what another has written meanwhile. So what is
// done here to a counter is an atomic operation, and looked at again a moment later: a sum over it
// leaves a count that is off by just what was written, which is then done once more.
#ifndef CONTPROF_RUNTIME_PROFILE_ADD_H
#define CONTPROF_RUNTIME_PROFILE_ADD_H

#include "image.h"

// Adds counters, bitmaps and values of the image at `from` to the one at `to`, both laid out so.
// What the image at `seen` has counted is in `to` already; NULL: nothing is.
void contprof_profile_add(const struct contprof_image *image, const struct contprof_layout *layout,
                          char *to, const char *from, const char *seen);

// The same for the counters and bitmaps alone, each given by its first byte.
void contprof_counts_add(const struct contprof_image *image, char *to_counters,
                         const char *from_counters, char *to_bitmap, const char *from_bitmap);

// The same for the counters of a shard (shard_file.h), which has no more to say.
void contprof_counters_add(const struct contprof_image *image, char *to, const char *from);

// The same where nobody counts at `to`.
void contprof_counters_add_to_copy(const struct contprof_image *image, char *to, char *from);

// Sets the counters of a shard to nothing counted.
void contprof_counters_reset(const struct contprof_image *image, char *counters);

// Moves `size` bytes of counters: adds them to those at `to` and takes them off those at `from`.
void contprof_counters_move(char *from, char *to, uint64_t size);

// Sets counters, bitmaps and values in memory laid out by `layout` to nothing counted.
void contprof_profile_reset(const struct contprof_image *image,
                            const struct contprof_layout *layout, char *memory);

// After the mapping at `now` has taken the place of the one at `before`, at `since` (nanoseconds)
// or later: takes out counts that an update of several instructions has carried over from there. A
// count is taken for one when it is more than could have been counted since.
void contprof_counts_drop_carried(const struct contprof_image *image,
                                  const struct contprof_layout *layout, char *now,
                                  const char *before, uint64_t since);

// Copies the image at `live` to `copy`, as it is at one moment if that can be had: reads again what
// changed while it was read, a few times. Counts in the static counters are added.
void contprof_profile_copy(const struct contprof_image *image, const struct contprof_layout *layout,
                           char *copy, const char *live);

#endif
