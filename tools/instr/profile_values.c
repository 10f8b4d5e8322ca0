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

// Sums neighbours of equal value. Returns how many remain.
static uint32_t condense(struct contprof_value *values, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (kept && values[kept - 1].value == values[i].value)
      add_saturating(&values[kept - 1].count, values[i].count);
    else
      values[kept++] = values[i];
  }
  return kept;
}

// Sites are short, so that a look at each pair is cheap; long ones are rare. Those without a name
// are different functions.
static bool has_equal_values(const struct contprof_value *values, uint32_t count) {
  if (count > CONTPROF_SITE_VALUES)
    return true;
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (values[i].value && values[i].value == values[j].value)
        return true;
  return false;
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

// Moves those without a name to the front, in their order. Returns how many there are.
static uint32_t gather_nameless(struct contprof_value *values, uint32_t count) {
  uint32_t nameless = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct contprof_value value = values[i];
    if (value.value)
      continue;
    memmove(&values[nameless + 1], &values[nameless], (i - nameless) * sizeof *values);
    values[nameless++] = value;
  }
  return nameless;
}

static void sort_site(struct contprof_value_site *site) {
  if (!site->sorted && site->count) {
    uint32_t nameless = gather_nameless(site->values, site->count);
    qsort(site->values + nameless, site->count - nameless, sizeof *site->values, compare_values);
  }
  site->sorted = true;
}

void contprof_profile_set_site(struct contprof_profile *profile, struct contprof_value_site *site,
                               const struct contprof_value *values, uint32_t count) {
  *site = (struct contprof_value_site){0};
  if (!count)
    return;
  reserve(profile, site, count);
  memcpy(site->values, values, count * sizeof *values);
  site->count = count;
  if (has_equal_values(values, count)) {
    sort_site(site);
    site->count = condense(site->values, count);
  }
}

// Each count times `weight`. Returns false if one was cut.
static bool scale(struct contprof_value *values, uint32_t count, uint64_t weight) {
  bool fits = true;
  for (uint32_t i = 0; i < count; i++)
    if (__builtin_mul_overflow(values[i].count, weight, &values[i].count)) {
      values[i].count = UINT64_MAX;
      fits = false;
    }
  return fits;
}

bool contprof_profile_copy_site(struct contprof_profile *profile, struct contprof_value_site *site,
                                const struct contprof_value_site *from, uint64_t weight) {
  *site = (struct contprof_value_site){.sorted = from->sorted};
  reserve(profile, site, from->count);
  if (from->count)
    memcpy(site->values, from->values, from->count * sizeof *from->values);
  site->count = from->count;
  return scale(site->values, site->count, weight);
}

// How many values at the start of a sorted site have no name.
static uint32_t count_nameless(const struct contprof_value_site *site) {
  uint32_t count = 0;
  while (count < site->count && !site->values[count].value)
    count++;
  return count;
}

// How many values of `from`, from the one numbered `first` on, the site lacks; both are sorted.
static uint32_t count_new(const struct contprof_value_site *site,
                          const struct contprof_value_site *from, uint32_t first) {
  uint32_t found = 0, at = 0;
  for (uint32_t i = first; i < from->count; i++) {
    while (at < site->count && site->values[at].value < from->values[i].value)
      at++;
    if (at < site->count && site->values[at].value == from->values[i].value)
      found++;
  }
  return from->count - first - found;
}

// Nobody knows which of those without a name are the same: the first are taken for it, and the
// second, as llvm-profdata does. `mine` of them are at the site's start, and room for the others.
static bool unite_nameless(struct contprof_value_site *site, uint32_t mine,
                           const struct contprof_value_site *from, uint32_t theirs) {
  bool fits = true;
  for (uint32_t i = 0; i < theirs; i++)
    if (i < mine)
      fits &= add_saturating(&site->values[i].count, from->values[i].count);
    else
      site->values[i] = from->values[i];
  return fits;
}

// From the ends backwards, into the room at the site's end, so that nothing is overwritten before
// it has been moved. Both are sorted.
static bool unite(struct contprof_profile *profile, struct contprof_value_site *site,
                  const struct contprof_value_site *from) {
  uint32_t nameless = count_nameless(site), theirs = count_nameless(from);
  uint32_t total = site->count + count_new(site, from, theirs);
  total += theirs > nameless ? theirs - nameless : 0;
  reserve(profile, site, total);
  struct contprof_value *to = site->values + total, *mine = site->values + site->count;
  bool fits = true;
  for (uint32_t left = from->count; left > theirs; left--) {
    struct contprof_value more = from->values[left - 1];
    while (mine > site->values && mine[-1].value > more.value)
      *--to = *--mine;
    if (mine > site->values && mine[-1].value == more.value)
      fits &= add_saturating(&more.count, (--mine)->count);
    *--to = more;
  }
  while (mine > site->values + nameless)
    *--to = *--mine;
  site->count = total;
  return unite_nameless(site, nameless, from, theirs) && fits;
}

bool contprof_profile_unite_site(struct contprof_profile *profile, struct contprof_value_site *site,
                                 const struct contprof_value_site *from, uint64_t weight) {
  sort_site(site);
  if (!from->count)
    return true;
  if (from->sorted && weight == 1)
    return unite(profile, site, from);
  struct contprof_profile scratch = {0};
  struct contprof_value_site copy;
  bool fits = contprof_profile_copy_site(&scratch, &copy, from, weight);
  sort_site(&copy);
  fits &= unite(profile, site, &copy);
  contprof_profile_free(&scratch);
  return fits;
}
