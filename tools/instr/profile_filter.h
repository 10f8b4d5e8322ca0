// Leaving functions out of a profile by their names.
#ifndef CONTPROF_INSTR_PROFILE_FILTER_H
#define CONTPROF_INSTR_PROFILE_FILTER_H

#include "../base/name_filter.h"
#include "profile.h"

// Leaves out the functions that the filter does not keep; `profile` is sorted. *names: how many
// names it had; *dropped: how many are gone.
void contprof_profile_filter(struct contprof_profile *profile,
                             const struct contprof_name_filter *filter, size_t *names,
                             size_t *dropped);

#endif
