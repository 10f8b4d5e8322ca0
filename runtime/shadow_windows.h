// The places where a module in shadow mode counts besides its image: the window, 16 TiB below the
// static counters, and the static counters' own pages. Each shows the counters of the image (a live
// file, or shared memory), by a mapping of its own.
#ifndef CONTPROF_RUNTIME_SHADOW_WINDOWS_H
#define CONTPROF_RUNTIME_SHADOW_WINDOWS_H

#include "image.h"
#include "live_file.h"

// The GS base of shadow mode; also the distance from a counter to its window.
#define CONTPROF_SHADOW_BIAS (-(INT64_C(1) << 44))

// Whether the counters have their pages to themselves.
bool contprof_window_in_place_possible(const struct contprof_image *image);

// Whether counters at this address can have a window at all.
bool contprof_window_is_canonical(uintptr_t counters);

// Puts memory at the module's window, if nothing but contprof's leftovers is there. `prepared`:
// another module has.
bool contprof_window_reserve(bool prepared);
bool contprof_window_is_reserved(void);

// Puts memory at the window of another module: counters from `start` to `end`, 0xff each if
// `bytes`. False if something is there already that is not contprof's.
bool contprof_window_prepare(char *start, char *end, bool bytes);

// As in shadow.h; the module's window and, if image->in_place, the static counters.
int contprof_windows_make_ready(const struct contprof_live *next);
int contprof_windows_turn(void);
void contprof_windows_abandon(void);

// Takes the static counters' counts, and puts the image's counters in their place; -EINVAL where
// they have no pages to themselves.
int contprof_window_settle(void);

// Takes windows away that the module has left, beside other threads, at other addresses.
void contprof_windows_drop_left(void);

// Puts empty memory in all places.
void contprof_windows_leave(void);

#endif
