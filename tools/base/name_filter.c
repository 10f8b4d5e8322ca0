#include "name_filter.h"

#include "names.h"

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

bool contprof_name_filter_new(struct contprof_name_filter *filter, const char *keep,
                              const char *drop, struct contprof_error *error) {
  *filter = (struct contprof_name_filter){0};
  filter->has_keep = keep && *keep && compile(&filter->keep, "function", keep, error);
  if (error->code == CONTPROF_OK)
    filter->has_drop = drop && *drop && compile(&filter->drop, "no-function", drop, error);
  if (error->code != CONTPROF_OK) {
    contprof_name_filter_free(filter);
    return false;
  }
  if (filter->has_keep)
    filter->keep_hash = contprof_name_ref(keep, strlen(keep));
  if (filter->has_drop)
    filter->drop_hash = contprof_name_ref(drop, strlen(drop));
  return true;
}

static bool matches(const regex_t *pattern, const char *name) {
  return regexec(pattern, name, 0, NULL, 0) == 0;
}

bool contprof_name_filter_keeps(const struct contprof_name_filter *filter, const char *name) {
  if (filter->has_drop && matches(&filter->drop, name))
    return false;
  return !filter->has_keep || matches(&filter->keep, name);
}

bool contprof_name_filter_keeps_hash(const struct contprof_name_filter *filter, const char *name,
                                     uint64_t hash) {
  if (filter->has_drop && (hash == filter->drop_hash || matches(&filter->drop, name)))
    return false;
  return !filter->has_keep || hash == filter->keep_hash || matches(&filter->keep, name);
}

void contprof_name_filter_free(struct contprof_name_filter *filter) {
  if (filter->has_keep)
    regfree(&filter->keep);
  if (filter->has_drop)
    regfree(&filter->drop);
  *filter = (struct contprof_name_filter){0};
}
