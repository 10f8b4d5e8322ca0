#include "hot_values.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// Merges two sorted runs; of two equally hot values, the left run's comes first.
static void merge_runs(const struct contprof_value *left, size_t left_count,
                       const struct contprof_value *right, size_t right_count,
                       struct contprof_value *to) {
  while (left_count && right_count) {
    bool take_left = left->count >= right->count;
    *to++ = take_left ? *left++ : *right++;
    left_count -= take_left;
    right_count -= !take_left;
  }
  memcpy(to, left, left_count * sizeof *to);
  memcpy(to + left_count, right, right_count * sizeof *to);
}

// A stable sort: qsort promises none.
static void sort(struct contprof_value *values, struct contprof_value *scratch, size_t count) {
  if (count < 2)
    return;
  size_t half = count / 2;
  sort(values, scratch, half);
  sort(values + half, scratch, count - half);
  merge_runs(values, half, values + half, count - half, scratch);
  memcpy(values, scratch, count * sizeof *values);
}

// With as much room again behind them.
static struct contprof_value *copy(const struct contprof_value_site *site) {
  struct contprof_value *values =
      contprof_need_array(NULL, 2 * (size_t)site->count, sizeof *values);
  memcpy(values, site->values, site->count * sizeof *values);
  return values;
}

struct contprof_value *contprof_hot_values(const struct contprof_value_site *site) {
  if (!site->count)
    return NULL;
  struct contprof_value *values = copy(site);
  sort(values, values + site->count, site->count);
  return values;
}

struct contprof_value *contprof_values_as_read(const struct contprof_value_site *site) {
  if (!site->count || site->sorted)
    return contprof_hot_values(site);
  return copy(site);
}
