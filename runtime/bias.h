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

// Whether another has set the GS base that this module's counts go by in this thread.
bool contprof_bias_taken(const struct contprof_image *image, const struct contprof_live *live);

// Lets them land in the static counters again. For modules without segment mode.
void contprof_bias_clear(void);

// What the executable-only part of the runtime offers: setting and reading the GS base of this
// thread (threads it creates inherit it). NULL in shared objects and in executables that have no
// segment-mode objects. Defined weakly here and strongly there, not left undefined: gold gives an
// undefined weak symbol in a shared object the address of the module's start, not 0.
extern CONTPROF_HIDDEN bool (*contprof_segment_base_set)(uint64_t base);
extern CONTPROF_HIDDEN uint64_t (*contprof_segment_base_get)(void);

// Gives this thread, the only one of a forked child, the counters of a first thread. NULL where
// threads have none of their own (thread_shards.h), defined as the others.
extern CONTPROF_HIDDEN void (*contprof_threads_forked)(void);

// What the segment base of a thread with the shard `index` has to be (shard_file.h); 0 is image 0.
uint64_t contprof_bias_of_shard(const struct contprof_image *image,
                                const struct contprof_live *live, unsigned index);

#endif
