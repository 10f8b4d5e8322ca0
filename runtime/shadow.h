// Shadow mode: segment mode's code in every module of a process. The GS base is one constant, so
// each counter is reached at its static address less 16 TiB, and each module maps the counters of
// its live file there, at its own *window*. No two windows meet, as no two modules' counters do.
//
// The counters' own pages are the file's, too (*in place*): the link gives counters in shadow mode
// pages to themselves. So a thread whose GS base is 0, because it began before the first module in
// shadow mode was loaded, counts into the same bytes.
//
// The rule that keeps the program alive: before a thread gets the constant, every module in shadow
// mode that is loaded has memory at its window, its start-up may have come or not.
//
// This is a part of the runtime that only modules with objects in shadow mode link: contprof_shadow
// is NULL in all others.
#ifndef CONTPROF_RUNTIME_SHADOW_H
#define CONTPROF_RUNTIME_SHADOW_H

#include "image.h"
#include "live_file.h"

// All functions serve contprof_module. Those that return int give 0 or a negated errno.
struct contprof_shadow {
  // Whether the module can count into a live file; if not, *why says why not (a string literal).
  // Says itself why the GS base can't be used, where the counters' own pages do instead.
  bool (*possible)(const char **why);
  // Lets updates through the GS base land in the live image, and gives the module's bias.
  bool (*publish)(const struct contprof_live *live, intptr_t *bias);
  // Lets all others land there: puts the image's counters in the place of the static ones, whose
  // counts it takes. To be called while live or in memory, once there is an image.
  void (*settle)(void);
  // Lets updates land in the module's image in memory.
  void (*stay_in_memory)(void);
  // Makes ready for another image in the place of the present one, which can fail; then turns to
  // it, or does not.
  int (*make_ready)(const struct contprof_live *next);
  int (*turn)(void);
  void (*abandon)(void);
  // The module goes; what still runs counts into memory of its own.
  void (*leave)(void);
};

// Each file that asks for it defines it, weakly: an undefined symbol would bring shadow.c into
// every link.
#ifdef CONTPROF_SHADOW_PART
extern CONTPROF_HIDDEN const struct contprof_shadow *contprof_shadow;
#else
CONTPROF_WEAK_HIDDEN const struct contprof_shadow *contprof_shadow;
#endif

#endif
