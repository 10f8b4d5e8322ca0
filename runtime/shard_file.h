// The live file of a program whose threads have counters of their own (-fprofile-update=sharded):
// image 0, as every live file has it, and behind it a shard for each thread, from 1. A shard is a
// whole raw profile with nothing in its value data. Image 0 has the values, the bitmaps, what the
// runtime itself adds, and what code in pointer mode counts, atomically; no thread adds to it in
// another way.
//
// The shards are mapped behind image 0, at the distance that they have in the file, in address
// space that is reserved for them from the first mapping on. The caller holds the module's lock, or
// there is one thread.
#ifndef CONTPROF_RUNTIME_SHARD_FILE_H
#define CONTPROF_RUNTIME_SHARD_FILE_H

#include "live_file.h"

// Images that a program has at most; so many threads may live at once, less one.
#define CONTPROF_MOST_IMAGES 4096

// Whether the part of the runtime that gives threads their shards is in the link. False, weakly, in
// shard_file.c; not const, so that its value is not taken for known.
extern CONTPROF_HIDDEN bool contprof_sharded;

// Images of a new file: 1, or 2 with shards.
unsigned contprof_least_images(void);

// Computes the place of shards in live->layout's file. To be called when that has been computed.
void contprof_shards_plan(const struct contprof_live *live, const struct contprof_image *image);

// Bytes of a file with so many images.
uint64_t contprof_whole_size(const struct contprof_live *live, unsigned images);

// Bytes of address space for all images that there may be.
uint64_t contprof_shards_room(const struct contprof_live *live);

// Where the counters of shard `index` are; 0 means image 0's.
char *contprof_shard_counters(const struct contprof_live *live, const char *base, unsigned index);

// Writes live->images - 1 shards, nothing counted, behind image 0 of the mapping, where zeros are.
void contprof_shards_write(const struct contprof_live *live);

// How many images the file at `base`, of `size` bytes, has; 0 if they are not this module's. Brings
// to its end what a process was killed at that added one.
unsigned contprof_shards_look(const struct contprof_live *live, char *base, uint64_t size);

// Adds a shard to the live file; the file is a valid profile at each moment. 0 or a negated errno.
int contprof_shards_grow(struct contprof_live *live);

// Adds up what the shards of the live image at `base` have counted.
void contprof_shards_add_to_copy(const struct contprof_live *live,
                                 const struct contprof_image *image, const char *base, char *copy);

// Adds the same to image 0 of another live image.
void contprof_shards_carry(const struct contprof_live *live, const struct contprof_image *image,
                           const char *from, char *to);

// Sets the shards back to nothing counted.
void contprof_shards_reset(const struct contprof_live *live, const struct contprof_image *image);

// In a forked child whose own file is smaller than its parent's was, `size` bytes: nothing of that
// stays mapped.
void contprof_shards_forget(const struct contprof_live *live, uint64_t size);

#endif
