// The one module this runtime copy serves, and the lock that calls of its functions from several
// threads take. Counting never takes it.
#ifndef CONTPROF_RUNTIME_MODULE_H
#define CONTPROF_RUNTIME_MODULE_H

#include "image.h"
#include "live_file.h"
#include "settings.h"

enum contprof_state {
  CONTPROF_IDLE = 0,  // not started, or nothing to profile
  CONTPROF_LIVE = 1,  // counting into the live file
  CONTPROF_MEMORY = 2 // counting in memory; the profile is written at exit
};

// Names come last, so that a start touches few pages.
struct contprof_module {
  enum contprof_state state;
  bool biased;   // the bias leads into live.base
  bool statics;  // while live: some updates reach the static counters still
  int failure;   // why it counts in memory, an errno; 0 if for another reason
  bool pristine; // at the start the static counters were as in the program's file, not looked at
  bool quiet;    // the name is a device such as /dev/null: nothing is written, nothing said
  bool
      dumped; // the program says that it has the profile: none is written from memory until a reset
  struct contprof_image image;
  struct contprof_live live;              // the live file; while in memory, its copy there
  struct contprof_pattern pattern;        // of the live file's name
  char start_pattern[CONTPROF_PATH_SIZE]; // of the name at program start, once there was another
};

extern CONTPROF_HIDDEN struct contprof_module contprof_module;

// Taken around everything that changes contprof_module after start. Spins, with yields. The thread
// that has the lock gets no signals.
void contprof_lock(void);
void contprof_unlock(void);
// In a forked child, where the holder does not exist.
void contprof_lock_after_fork(void);

// What a name of this module is filled with under `pattern`; `pool_index` as in
// contprof_name_values.
struct contprof_name_values contprof_module_name_values(const struct contprof_pattern *pattern,
                                                        unsigned pool_index);

// A relative name is in the directory where the program first had one: mostly, where it started.
void contprof_module_know_directory(void);

// To be called before the pattern changes: keeps the one of program start.
void contprof_module_keep_start(void);

// Whether some updates of a live module reach the static counters.
bool contprof_counts_beside(void);

// Moves what the static counters hold into the live image, each count exactly once.
void contprof_take_static_counts(void);

// The same at the start, when there are hardly any. With a file that is there already, which makes
// a short start, large counters are not looked at if they are as in the program's file; true if so.
bool contprof_take_early_counts(void);

// Writes the profile of a module that counts in memory to its file. 0 or a negated errno.
int contprof_write_from_memory(void);

#endif
