// Where instrumented code learns that the live file is mapped: the bias variables that pointer mode
// loads, and the GS segment base that segment mode's one instruction adds.
#ifndef CONTPROF_RUNTIME_BIAS_H
#define CONTPROF_RUNTIME_BIAS_H

#include "image.h"
#include "live_file.h"

// Whether this module can be given a bias; if not, *why says why not (a string literal).
bool contprof_bias_possible(const char **why);

// Lets every counter update from now on land in the live image; false if the segment base refused.
bool contprof_bias_publish(const struct contprof_image *image, const struct contprof_live *live);

// Lets them land in the static counters again. For modules without segment mode.
void contprof_bias_clear(void);

// What the executable-only part of the runtime offers; absent (NULL) elsewhere and in executables
// that have no segment-mode objects. The GS base of this thread; threads it creates inherit theirs.
extern bool contprof_segment_base_set(uint64_t base) CONTPROF_WEAK_HIDDEN;
extern uint64_t contprof_segment_base_get(void) CONTPROF_WEAK_HIDDEN;

#endif
