// Who counts into a live file. A living owner holds a lock on the file; since a program may close
// every descriptor, and the lock with it, the owner record names the process too.
#ifndef CONTPROF_RUNTIME_OWNER_H
#define CONTPROF_RUNTIME_OWNER_H

#include <stdbool.h>

#include "abi.h"

struct stat;

// Finds out who this process is. Called before a file is looked for or made, so that a forked child
// is itself.
void contprof_owner_look(void);

// This process, counting, as the last look found it. What /proc does not tell is 0.
const struct contprof_owner *contprof_owner_self(void);

// Whether the record's process still lives and is the one that wrote it. For this very process
// (after an exec, or of another module) the record alone does not tell: see contprof_mapped_at.
bool contprof_owner_lives(const struct contprof_owner *owner);

// Whether the record names this very process.
bool contprof_owner_is_self(const struct contprof_owner *owner);

// The lowest address at which this process has the file mapped from its start; 0 if nowhere.
uintptr_t contprof_mapped_at(const struct stat *file);

// Whether this process has a file of this inode number mapped from its start, on whatever device:
// some file systems (btrfs, overlayfs) show another device there than stat(2) does.
bool contprof_maybe_mapped(const struct stat *file);

// How many threads this process has; 0 if unknown.
uint64_t contprof_thread_count(void);

#endif
