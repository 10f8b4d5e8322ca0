#include "raw_said.h"

#include "raw_sum_state.h"
#include "raw_values.h"

#include <string.h>

struct contprof_raw_said_site {
  struct contprof_value_site *to; // of the profile that is summed into
  struct contprof_value_site from;
};

void contprof_raw_said_shape(const struct contprof_raw_sum *sum, struct contprof_raw_share *share) {
  share->said = contprof_arena_zeros(&share->arena, sum->with_sites_count, sizeof *share->said);
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    const struct contprof_function *like = sum->records[sum->with_sites[i]].function;
    if (!like)
      continue;
    memcpy(share->said[i].site_count, like->site_count, sizeof like->site_count);
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      share->said[i].sites[kind] =
          contprof_arena_zeros(&share->arena, like->site_count[kind], sizeof **like->sites);
  }
}

// A file need not have a kind that says nothing.
static void forget_sites(struct contprof_function *said) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < said->site_count[kind]; i++)
      said->sites[kind][i].count = 0;
}

// Into share->said.
static bool take_values(struct contprof_raw_said *said, const struct contprof_raw_sum *sum,
                        struct contprof_raw_share *share, struct contprof_cursor *file,
                        uint64_t moved) {
  struct contprof_raw_targets targets = {&sum->functions, &sum->vtables, moved};
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    forget_sites(&share->said[i]);
    if (!sum->records[sum->with_sites[i]].function || // the record's own shape is not at hand
        !contprof_raw_take_values(file, &sum->like.image, &targets, &said->scratch,
                                  &share->said[i]))
      return false;
  }
  return true;
}

// Zero bytes may follow an image.
static bool nothing_follows(const struct contprof_cursor *file) {
  for (uint64_t i = file->offset; i < file->size; i++)
    if (file->bytes[i])
      return false;
  return true;
}

static size_t note_site(struct contprof_raw_said_site *list, struct contprof_value_site *to,
                        const struct contprof_value_site *from) {
  if (list && from->count)
    *list = (struct contprof_raw_said_site){to, *from};
  return from->count != 0;
}

// Notes those that have values in the list, if there is one; returns how many they are.
static size_t note_sites(const struct contprof_raw_sum *sum, const struct contprof_raw_share *share,
                         struct contprof_raw_said_site *list) {
  size_t count = 0;
  for (uint64_t i = 0; i < sum->with_sites_count; i++) {
    struct contprof_function *from = &share->said[i];
    struct contprof_function *to = sum->records[sum->with_sites[i]].function;
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      for (uint32_t j = 0; j < from->site_count[kind]; j++)
        count += note_site(list ? list + count : NULL, &to->sites[kind][j], &from->sites[kind][j]);
  }
  return count;
}

bool contprof_raw_said_take(struct contprof_raw_said *said, const struct contprof_raw_sum *sum,
                            struct contprof_raw_share *share, const struct contprof_cursor *behind,
                            uint64_t moved) {
  struct contprof_cursor file = *behind;
  if (!take_values(said, sum, share, &file, moved) || !nothing_follows(&file))
    return false;
  size_t count = note_sites(sum, share, NULL);
  if (count)
    said->sites = contprof_arena_zeros(&said->scratch.arena, count, sizeof *said->sites);
  said->count = count ? note_sites(sum, share, said->sites) : 0;
  return true;
}

void contprof_raw_said_add(const struct contprof_raw_said *said, struct contprof_raw_sum *sum,
                           uint64_t weight, struct contprof_profile *into, pthread_mutex_t *lock) {
  if (!said->count)
    return;
  pthread_mutex_lock(lock);
  for (size_t i = 0; i < said->count; i++)
    sum->cut |= !contprof_profile_unite_site(into, said->sites[i].to, &said->sites[i].from, weight);
  pthread_mutex_unlock(lock);
}

void contprof_raw_said_free(struct contprof_raw_said *said) {
  contprof_profile_free(&said->scratch);
  *said = (struct contprof_raw_said){0};
}
