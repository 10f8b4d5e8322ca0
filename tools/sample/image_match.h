// Which wanted binary a recorded map is of, and where in it. By build-id first, then by path, then
// by base name. Pure: knows no process.
#ifndef CONTPROF_SAMPLE_IMAGE_MATCH_H
#define CONTPROF_SAMPLE_IMAGE_MATCH_H

#include "map_tree.h"

// The wanted binaries. Made by contprof_images_open.
struct contprof_images {
  const struct contprof_image *images; // count of them; not owned
  size_t count;
  char **real_paths; // of each, with links followed; NULL where there is no such file; owned
};

struct contprof_images contprof_images_open(const struct contprof_image *images, size_t count);
void contprof_images_close(struct contprof_images *images);

// What a map is of.
struct contprof_match {
  enum contprof_where
      where;    // HERE: of a wanted binary; OTHER; MISMATCH: of its name, but not of it
  size_t image; // HERE, MISMATCH: its index
  enum contprof_mismatch why; // MISMATCH
  bool proven;                // HERE: by the build-id
  bool kernel;                // of the kernel's own text
};

struct contprof_match contprof_image_match(const struct contprof_images *images,
                                           const struct contprof_perf_mmap *map);

// The same for a map of the kernel, whose image is one that is linked to kernel addresses.
struct contprof_match contprof_kernel_match(const struct contprof_images *images,
                                            const struct contprof_perf_mmap *map);

// The part of a map of `match`'s image (HERE) that begins at address `from` of the map and stands
// in one of its segments. The map's end is at most 2^64-1. A map may begin in the middle of a
// segment, or before it, since offsets in files are rounded down to pages of the recording machine;
// and on a page that segments share, it holds the bytes of several. If the map is of no part of the
// file that the segments hold, or if it stands elsewhere than the binary can, MISMATCH.
struct contprof_map_range contprof_image_part(const struct contprof_image *image,
                                              const struct contprof_match *match,
                                              const struct contprof_perf_mmap *map, uint64_t from);

// True for addresses of the kernel, on x86-64 and AArch64.
static inline bool contprof_is_kernel_address(uint64_t address) {
  return address >> 63;
}

#endif
