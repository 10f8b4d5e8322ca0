#include "function_filter.h"

#include <string.h>

static bool compile(regex_t *pattern, const char *option, const char *text,
                    struct contprof_error *error) {
  char why[128];
  int code = regcomp(pattern, text, REG_EXTENDED | REG_NOSUB);
  if (!code)
    return true;
  regerror(code, pattern, why, sizeof why);
  return contprof_fail(error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET, "--%s=%s: %s", option,
                       text, why);
}

bool contprof_function_filter_new(struct contprof_function_filter *filter, const char *keep,
                                  const char *drop, struct contprof_error *error) {
  *filter = (struct contprof_function_filter){0};
  filter->has_keep = keep && *keep && compile(&filter->keep, "function", keep, error);
  if (error->code == CONTPROF_OK)
    filter->has_drop = drop && *drop && compile(&filter->drop, "no-function", drop, error);
  if (error->code != CONTPROF_OK)
    contprof_function_filter_free(filter);
  return error->code == CONTPROF_OK;
}

static bool is_kept(const struct contprof_function *function, void *context) {
  const struct contprof_function_filter *filter = context;
  if (filter->has_drop && regexec(&filter->drop, function->name, 0, NULL, 0) == 0)
    return false;
  return !filter->has_keep || regexec(&filter->keep, function->name, 0, NULL, 0) == 0;
}

// Functions of one name follow each other, as the profile is sorted.
static size_t count_names(const struct contprof_profile *profile) {
  size_t names = 0;
  for (size_t i = 0; i < profile->function_count; i++)
    names += !i || strcmp(profile->functions[i]->name, profile->functions[i - 1]->name) != 0;
  return names;
}

void contprof_function_filter_apply(const struct contprof_function_filter *filter,
                                    struct contprof_profile *profile, size_t *names,
                                    size_t *dropped) {
  *names = count_names(profile);
  contprof_profile_keep(profile, is_kept, (void *)filter);
  *dropped = *names - count_names(profile);
}

void contprof_function_filter_free(struct contprof_function_filter *filter) {
  if (filter->has_keep)
    regfree(&filter->keep);
  if (filter->has_drop)
    regfree(&filter->drop);
  *filter = (struct contprof_function_filter){0};
}
