// Who counts into a live file. A living owner holds a lock on the file. Where locks don't work
// (some network file systems), or the program has lost it, the owner record tells: it names the
// process.
#ifndef CONTPROF_RUNTIME_OWNER_H
#define CONTPROF_RUNTIME_OWNER_H

#include <stdbool.h>

#include "abi.h"

// Finds out who this process is. Called before a file is looked for or made, so that a forked child
// is itself.
void contprof_owner_look(void);

// This process, counting, as the last look found it. What /proc does not tell is 0.
const struct contprof_owner *contprof_owner_self(void);

// Where the record stands in a raw profile of any version that contprof has written, by the first
// four words of its header: its offset, or 0 if this is no such profile or its sizes are absurd.
uint64_t contprof_owner_offset(const uint64_t head[4]);

// Reads the record of the file; `likely` is where to look first. False where there is none, or none
// that a runtime has written: then *owner is undefined.
bool contprof_owner_read(int fd, uint64_t likely, struct contprof_owner *owner);

// Whether the record's process still lives and is the one that wrote it. For this very process
// (after an exec, or of another module) the record alone does not tell: see mappings.h.
bool contprof_owner_lives(const struct contprof_owner *owner);

// Whether the record names this very process.
bool contprof_owner_is_self(const struct contprof_owner *owner);

// How many threads this process has; 0 if unknown.
uint64_t contprof_thread_count(void);

#endif
