// Giving a new file its name by the rules of live_file.h, against any number of other processes
// doing the same.
#ifndef CONTPROF_RUNTIME_FILE_NAME_H
#define CONTPROF_RUNTIME_FILE_NAME_H

#include "live_file.h"

// A file that has no name yet, or a temporary one. There is one at a time.
struct contprof_new_file {
  int fd;          // open for reading and writing
  char *temporary; // its name for now, "" if it has none; contprof_temporary_size() bytes, or a
                   // name that it is to change
  bool hurried;    // what it replaces need not outlast a power cut before it is on the disk
};

// Who has a name.
enum contprof_holder {
  CONTPROF_HOLDER_NONE,   // nobody: the file is gone
  CONTPROF_HOLDER_LIVING, // a living process counts into it
  CONTPROF_HOLDER_DEAD,   // nobody any more; `fd` is open and locked
  CONTPROF_HOLDER_SELF,   // this process counted into it until it unloaded the module; as DEAD
};

// Finds out who has `path`. For DEAD and SELF, *fd is the file, locked: the caller closes it.
// A negated errno where the name can't be used at all (a directory, a link, no permission).
int contprof_examine(const char *path, int *fd);

// Makes the directories above `path`, as `mkdir -p` does. 0 or a negated errno.
int contprof_make_directories(const char *path);

// Bytes that a temporary name beside `path` takes at most. Little more than its directories, so
// that it may be on the stack of a child that a signal's handler has forked.
size_t contprof_temporary_size(const char *path);

// Makes the directories above `path`, and an empty file in the last one, without a name if the file
// system can. `temporary` is room for a name, which stays as long as the file is used here. 0 or a
// negated errno.
int contprof_new_file(struct contprof_new_file *file, const char *path, char *temporary);

// Names the file `path`; -EEXIST if that is taken. 0 or a negated errno.
int contprof_put_name(struct contprof_new_file *file, const char *path);

// What becomes of a name that is taken. A living process keeps its file always, also when it has
// unloaded the module.
enum contprof_taken {
  CONTPROF_REPLACE_DEAD, // beside a living process's: `-PID` is inserted; a dead one's is replaced
  CONTPROF_KEEP_DEAD,    // `-PID` in either case
  CONTPROF_BY_NUMBER,    // in either case `.2`, `.3`...: the name is this process's already
};

// The name that is tried when `variant` names before it are taken: for 0 the name itself. `path`
// has room for CONTPROF_PATH_SIZE. 0 or a negated errno.
int contprof_name_variant(const char *name, enum contprof_taken taken, unsigned variant,
                          char *path);

// Names the file `path`, or what that becomes by the rules; `path` has room for CONTPROF_PATH_SIZE
// and holds the result. 0 or a negated errno.
int contprof_settle_name(struct contprof_new_file *file, char *path, enum contprof_taken taken);

// Names the file `path`, in one step, replacing what is there. 0 or a negated errno.
int contprof_replace_name(struct contprof_new_file *file, const char *path);

// Takes the temporary name away and closes the descriptor.
void contprof_new_file_abandon(struct contprof_new_file *file);

#endif
