// The live file: created whole, mapped, locked, and only then given its name, so that whoever finds
// the name finds a valid profile with a living owner.
//
// Rules for a name that is taken: by a living process, `-PID` is inserted before the extension; by
// a dead one, the file is replaced. If the pattern has %p, the file is kept in both cases, and a
// number, from `.2`, is inserted. A forked child, whose parent has the name or had it, replaces no
// file. A file of the same build in a pool (%m) whose owner is dead is adopted and counted on.
#ifndef CONTPROF_RUNTIME_LIVE_FILE_H
#define CONTPROF_RUNTIME_LIVE_FILE_H

#include <sys/types.h>

#include "image.h"
#include "layout.h"
#include "settings.h"

struct contprof_live {
  char *base;                    // the whole image, mapped; NULL if there is none
  uint64_t size;                 // of the mapping, bytes
  struct contprof_layout layout; // where the parts stand, from `base`
  int fd;                        // open and locked; -1 if there is none
  dev_t device;                  // of the live or written file, to know `fd` and the name again
  ino_t inode;
  bool forked;     // the name was given to a parent, whose file stays
  bool written;    // the program has asked for the profile under this name
  bool rotated;    // files that this process has finished stay under their names
  bool adopted;    // the file was there before, with counts of its own
  unsigned images; // in the file, the profile itself counted in; more than 1 with shards
  uint64_t room;   // of the mapping and the address space reserved behind it for shards, bytes
  char path[CONTPROF_PATH_SIZE]; // absolute where the working directory was known
};

// Creates (or adopts) the live file for `pattern`, counters at nothing counted, mapped at `address`
// over whatever is mapped there, or where the system likes if NULL. On success fills *live but for
// `forked`, `written` and `rotated`, which the caller sets before, as well as the least number of
// `images` and, with an address, the `room` there. With `written`, files of dead
// processes, written profiles of this one among them, are kept as if the pattern had %p, and none
// is adopted. 0 or a negated errno; then path holds the name that failed and nothing is left
// behind.
int contprof_live_create(struct contprof_live *live, const struct contprof_image *image,
                         const struct contprof_pattern *pattern, char *address);

// As contprof_live_create, mapped anywhere, under the name of `old`, whose file has none then.
// -ESTALE if that has lost its name already: it may be another's by now.
int contprof_live_create_over(struct contprof_live *live, const struct contprof_image *image,
                              const struct contprof_live *old);

// As contprof_live_create with memory of this process alone instead of a file; `path` is unchanged.
int contprof_live_in_memory(struct contprof_live *live, const struct contprof_image *image,
                            char *address);

// Gives the file a new name by the same rules; 0 or a negated errno, -EXDEV where another file has
// to take its place: on another file system, in a pool, which may have a file to count on in.
int contprof_live_rename(struct contprof_live *live, const struct contprof_pattern *pattern);

// Whether its name still leads to the live file.
bool contprof_live_has_name(const struct contprof_live *live);

// Gives the file its name again, over what has it, if its descriptor is still open.
void contprof_live_name_again(struct contprof_live *live);

// Writes `size` bytes as the file `pattern` names, or as live->path if that is set already, whole
// or not at all. Sets live->path. 0 or a negated errno.
int contprof_live_write_out(struct contprof_live *live, const struct contprof_pattern *pattern,
                            const char *bytes, uint64_t size);

// Maps the live file at a second place, whatever became of its descriptor. NULL with *error set to
// an errno.
char *contprof_live_map_again(const struct contprof_live *live, int *error);

// A descriptor of the live file, whatever became of the first; *opened: it is new, and the caller
// closes it. Or a negated errno.
int contprof_live_descriptor(const struct contprof_live *live, bool *opened);

// False in a child of _Fork or a raw clone, which counts into its parent's file: nobody told it.
bool contprof_live_is_own(const struct contprof_live *live);

// Marks the file as released and gives up its lock and descriptor; the mapping stays.
void contprof_live_release(struct contprof_live *live);

// Closes the descriptor if it still is the live file's.
void contprof_live_close(struct contprof_live *live);

#endif
