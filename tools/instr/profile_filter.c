#include "profile_filter.h"

#include <string.h>

static bool is_kept(const struct contprof_function *function, void *filter) {
  return contprof_name_filter_keeps(filter, function->name);
}

// Functions of one name follow each other, as the profile is sorted.
static size_t count_names(const struct contprof_profile *profile) {
  size_t names = 0;
  for (size_t i = 0; i < profile->function_count; i++)
    names += !i || strcmp(profile->functions[i]->name, profile->functions[i - 1]->name) != 0;
  return names;
}

void contprof_profile_filter(struct contprof_profile *profile,
                             const struct contprof_name_filter *filter, size_t *names,
                             size_t *dropped) {
  *names = count_names(profile);
  contprof_profile_keep(profile, is_kept, (void *)filter);
  *dropped = *names - count_names(profile);
}
