#include "ref_index.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_refs(const void *left, const void *right) {
  uint64_t a = (*(const struct contprof_function *const *)left)->name_ref;
  uint64_t b = (*(const struct contprof_function *const *)right)->name_ref;
  return (a > b) - (a < b);
}

struct contprof_ref_index contprof_ref_index_of(const struct contprof_profile *profile) {
  struct contprof_ref_index index = {.count = profile->function_count};
  if (!index.count)
    return index;
  index.functions = contprof_need_array(NULL, index.count, sizeof *index.functions);
  memcpy(index.functions, profile->functions, index.count * sizeof *index.functions);
  qsort(index.functions, index.count, sizeof *index.functions, compare_refs);
  return index;
}

const struct contprof_function *contprof_ref_index_find(const struct contprof_ref_index *index,
                                                        uint64_t ref) {
  struct contprof_function key = {.name_ref = ref};
  const struct contprof_function *wanted = &key, **found = NULL;
  if (index->count)
    found =
        bsearch(&wanted, index->functions, index->count, sizeof *index->functions, compare_refs);
  return found ? *found : NULL;
}

void contprof_ref_index_free(struct contprof_ref_index *index) {
  free(index->functions);
  *index = (struct contprof_ref_index){0};
}
