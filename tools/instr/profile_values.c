// The values that a profile's value sites have seen.
#include "profile.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const void *left_entry, const void *right_entry) {
  const struct contprof_value *left = left_entry, *right = right_entry;
  return left->value < right->value ? -1 : left->value > right->value;
}

// Returns false if the sum was cut.
static bool add_saturating(uint64_t *count, uint64_t more) {
  if (!__builtin_add_overflow(*count, more, count))
    return true;
  *count = UINT64_MAX;
  return false;
}

// Sums neighbours of equal value and leaves out those never seen. Returns how many remain.
static uint32_t condense(struct contprof_value *values, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!values[i].count)
      continue;
    if (kept && values[kept - 1].value == values[i].value)
      add_saturating(&values[kept - 1].count, values[i].count);
    else
      values[kept++] = values[i];
  }
  return kept;
}

// Gives the site room for `room` values in all. At least doubling bounds what outgrown arrays leave
// behind in the arena.
static void reserve(struct contprof_profile *profile, struct contprof_value_site *site,
                    uint32_t room) {
  if (room <= site->room)
    return;
  if (room < site->room * 2)
    room = site->room * 2;
  struct contprof_value *values = contprof_arena_zeros(&profile->arena, room, sizeof *values);
  if (site->count)
    memcpy(values, site->values, site->count * sizeof *values);
  site->values = values;
  site->room = room;
}

void contprof_profile_set_site(struct contprof_profile *profile, struct contprof_value_site *site,
                               const struct contprof_value *values, uint32_t count) {
  *site = (struct contprof_value_site){0};
  if (!count)
    return;
  reserve(profile, site, count);
  memcpy(site->values, values, count * sizeof *values);
  qsort(site->values, count, sizeof *values, compare_values);
  site->count = condense(site->values, count);
}

// How many values of `from` the site lacks; both are sorted.
static uint32_t count_new(const struct contprof_value_site *site,
                          const struct contprof_value_site *from) {
  uint32_t found = 0, at = 0;
  for (uint32_t i = 0; i < from->count; i++) {
    while (at < site->count && site->values[at].value < from->values[i].value)
      at++;
    if (at < site->count && site->values[at].value == from->values[i].value)
      found++;
  }
  return from->count - found;
}

// From the ends backwards, into the room at the site's end, so that nothing is overwritten before
// it has been moved.
bool contprof_profile_unite_site(struct contprof_profile *profile, struct contprof_value_site *site,
                                 const struct contprof_value_site *from, uint64_t weight) {
  uint32_t total = site->count + count_new(site, from);
  reserve(profile, site, total);
  struct contprof_value *to = site->values + total, *mine = site->values + site->count;
  bool fits = true;
  for (uint32_t left = from->count; left; left--) {
    struct contprof_value more = from->values[left - 1];
    if (__builtin_mul_overflow(more.count, weight, &more.count)) {
      more.count = UINT64_MAX;
      fits = false;
    }
    while (mine > site->values && mine[-1].value > more.value)
      *--to = *--mine;
    if (mine > site->values && mine[-1].value == more.value)
      fits &= add_saturating(&more.count, (--mine)->count);
    *--to = more;
  }
  site->count = total;
  return fits;
}
