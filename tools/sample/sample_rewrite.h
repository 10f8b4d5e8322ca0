// A sample profile with other names of functions, or without the discriminators of the compiler's
// later passes.
#ifndef CONTPROF_SAMPLE_SAMPLE_REWRITE_H
#define CONTPROF_SAMPLE_SAMPLE_REWRITE_H

#include "../base/new_names.h"
#include "sample_profile.h"

struct contprof_sample_rewrite {
  const struct contprof_renames *renames; // NULL: none; names of which the hash alone is known stay
  uint32_t discriminator_mask;            // bits of discriminators that stay
};

// Fills `into`, which is empty, from `from`. What becomes the same is summed. Returns how many
// functions were left out since one that got the same name has another cfg_hash.
size_t contprof_samples_rewrite(struct contprof_sample_profile *into,
                                const struct contprof_sample_profile *from,
                                const struct contprof_sample_rewrite *how);

#endif
