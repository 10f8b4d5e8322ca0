// The address spaces of recorded processes, as functions of time. Fed with every event in order, it
// answers where an address of a process stands at that moment: in which of the wanted binaries, and
// at which of the ELF file's own addresses. MMAP adds (a later map replaces what it overlaps), FORK
// copies the parent's, EXEC clears, EXIT ends, a FORK onto a live PID is reuse. Not thread-safe.
#ifndef CONTPROF_SAMPLE_ADDRESS_SPACE_H
#define CONTPROF_SAMPLE_ADDRESS_SPACE_H

#include "perf_event.h"

// An ELF segment (PT_LOAD) of a wanted binary.
struct contprof_segment {
  uint64_t address;     // of its first byte in the ELF file's own addresses
  uint64_t file_offset; // of that byte
  uint64_t file_size;   // bytes
  bool executable;
};

// What recorded maps are matched against: by build-id first, then by path, then by base name.
struct contprof_image {
  const char *path; // as the user gave it; not owned
  uint8_t build_id[64];
  size_t build_id_size;                    // 0 if it has none
  const struct contprof_segment *segments; // not owned
  size_t segment_count;
  bool position_independent; // ET_DYN: may stand anywhere
};

enum contprof_where {
  CONTPROF_WHERE_HERE,     // in a wanted binary
  CONTPROF_WHERE_OTHER,    // in a file that is not wanted, or in memory without a file
  CONTPROF_WHERE_UNMAPPED, // nothing is known to be there
  CONTPROF_WHERE_MISMATCH, // in a file of a wanted name that is not it: another build-id, a name
                           // that several images have, or a part of it that the ELF file maps not
                           // so
  CONTPROF_WHERE_KERNEL,
  CONTPROF_WHERE_AMBIGUOUS, // no PID is told; of one live process the address is HERE, of another
                            // it is not, or elsewhere in it
  CONTPROF_WHERES,
};

// Why a map with an image's name is not of it.
enum contprof_mismatch {
  CONTPROF_MISMATCH_NONE,
  CONTPROF_MISMATCH_BUILD_ID, // both have build-ids, and they differ
  CONTPROF_MISMATCH_NAME,     // others have that name as well, or that path when it was recorded,
                              // and no build-id decides
  CONTPROF_MISMATCH_SEGMENTS, // the ELF file has no segment that would be mapped so
};

struct contprof_place {
  enum contprof_where where;
  size_t image;     // HERE: its index; OTHER: that of the file, see contprof_spaces_note_files
  uint64_t address; // HERE: in the ELF file's own addresses
};

struct contprof_spaces;
struct contprof_seen_files;

// `images` (count of them) are not owned and must outlive the result. Free with
// contprof_spaces_free.
struct contprof_spaces *contprof_spaces_new(const struct contprof_image *images, size_t count);
void contprof_spaces_free(struct contprof_spaces *spaces);

// From now on puts the files that are none of the images into `seen` (seen_files.h), which is not
// owned, and tells the index there of places in them (0 without).
void contprof_spaces_note_files(struct contprof_spaces *spaces, struct contprof_seen_files *seen);

// Takes note of an event; of samples, lost records and names, nothing.
void contprof_spaces_event(struct contprof_spaces *spaces, const struct contprof_perf_event *event);

// Where `address` of process `pid` (or CONTPROF_NO_PID) stands now. An input without any map, as
// some texts are, is resolved at the images' own addresses; contprof_spaces_assumed tells.
struct contprof_place contprof_spaces_resolve(struct contprof_spaces *spaces, int32_t pid,
                                              uint64_t address);

// Where byte `offset` of the file at `path` stands, whatever process has it: HERE, OTHER, or
// MISMATCH, which it is as well if no segment of the image has that byte.
struct contprof_place contprof_spaces_in_file(struct contprof_spaces *spaces, const char *path,
                                              uint64_t offset);

// True if an address was taken as an image's own since no map has been seen.
bool contprof_spaces_assumed(const struct contprof_spaces *spaces, size_t image);

// The first map with an image's name that is not of it, for a message: why, and its path and
// build-id (size 0: it has none), which live as long as `spaces`. NONE, and no map, if there was
// none.
enum contprof_mismatch contprof_spaces_mismatch(const struct contprof_spaces *spaces, size_t image,
                                                const struct contprof_perf_mmap **map);

#endif
