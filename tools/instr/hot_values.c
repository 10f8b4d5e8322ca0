#include "hot_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
  const struct contprof_value *a = left, *b = right;
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

struct contprof_value *contprof_hot_values(const struct contprof_value_site *site) {
  if (!site->count)
    return NULL;
  struct contprof_value *values = malloc(site->count * sizeof *values);
  if (!values) {
    fputs("contprof: out of memory\n", stderr);
    abort();
  }
  memcpy(values, site->values, site->count * sizeof *values);
  qsort(values, site->count, sizeof *values, compare);
  return values;
}
