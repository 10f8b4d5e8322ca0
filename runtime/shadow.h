// Shadow mode: counters are counted where they stand. The link gives them pages of their own
// (shadow.c), and over these the runtime maps the pages of the live file that hold them: an update
// is a plain access to a static counter, and the bias is 0.
//
// This is a part of the runtime that only modules with objects in shadow mode link: contprof_shadow
// is NULL in all others. Objects of other modes in such a module count in place as well, as bias
// and GS base stay 0; only their bitmaps are at a distance, in all modes.
#ifndef CONTPROF_RUNTIME_SHADOW_H
#define CONTPROF_RUNTIME_SHADOW_H

#include "image.h"
#include "live_file.h"

// All functions serve contprof_module, and are called with its lock held or at its start. Those
// that return int give 0 or a negated errno. image->in_place says whether the file's pages are
// there; until settle, and in memory, the module's own are.
struct contprof_shadow {
  // Whether the link has given the counters their pages; if not, *why says so (a string literal).
  bool (*possible)(const char **why);
  // Puts the live file's counters in the place of the static ones, whose counts it takes first.
  int (*settle)(void);
  // Once settled: maps the counters of another live file beside, which can fail; then puts them in
  // place by one system call, or takes them away again.
  int (*make_ready)(const struct contprof_live *next);
  int (*turn)(void);
  void (*abandon)(void);
  // Puts memory of this process, at nothing counted, in place of the file. Does nothing if it is
  // not there.
  int (*leave)(void);
};

// Each file that asks for it defines it, weakly: an undefined symbol would bring shadow.c into
// every link.
#ifdef CONTPROF_SHADOW_PART
extern CONTPROF_HIDDEN const struct contprof_shadow *contprof_shadow;
#else
CONTPROF_WEAK_HIDDEN const struct contprof_shadow *contprof_shadow;
#endif

#endif
