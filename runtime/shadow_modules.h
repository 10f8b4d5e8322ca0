// The other modules in shadow mode: each has an ELF note that says where its counters are.
#ifndef CONTPROF_RUNTIME_SHADOW_MODULES_H
#define CONTPROF_RUNTIME_SHADOW_MODULES_H

#include <stdbool.h>
#include <stdint.h>

// How far a module is with its window.
enum contprof_shadow_state {
  CONTPROF_SHADOW_NEW = 0,      // it has not started, and there may be nothing
  CONTPROF_SHADOW_PREPARED = 1, // another module has put memory there
  CONTPROF_SHADOW_STARTED = 2,  // it has a window
  CONTPROF_SHADOW_WITHOUT = 3,  // it has started without, and must not run with the constant
};

// What a note holds after its name: distances in bytes, each from its own place.
struct contprof_shadow_note {
  int64_t counters;     // to the first byte of the counters
  int64_t counters_end; // to one past the last
  int64_t version;      // to the raw version with its variant bits, 64 bits
  int64_t state;        // to an enum contprof_shadow_state, 32 bits
};
#define CONTPROF_SHADOW_NOTE_NAME "contprof"
#define CONTPROF_SHADOW_NOTE_TYPE 1

// Sees that all modules that are loaded, but the one whose counters are at `own`, can take the
// constant. False if one can't.
bool contprof_shadow_prepare_others(const char *own);

#endif
