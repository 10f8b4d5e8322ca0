#include "profile_sum.h"
#include "../base/memory.h"

#include "profile_load.h"
#include "raw_sum.h"

#include <stdlib.h>
#include <string.h>

// Only the second file of a build makes a sum, unless it is the first one and more are expected:
// many builds of one file each would only cost memory.
struct contprof_sum_build {
  uint64_t key;                     // contprof_raw_take_head
  uint64_t fingerprint;             // of the last file decoded; 0: none has been
  uint64_t functions;               // of that
  struct contprof_raw_sum *sum;     // NULL: can't be summed fast, or not yet; owned
  struct contprof_raw_share *share; // with `sum`; owned
  unsigned refused;                 // how often no sum could be made
};

enum {
  MOST_REFUSED = 3
}; // the profile may have all functions of a build after another of its files

// --- builds by key ------------------------------------------------------------------------------

static uint32_t *slot_of(struct contprof_profile_sum *sum, uint64_t key) {
  size_t at = (size_t)(key ^ key >> 32);
  for (;; at++) {
    uint32_t *slot = &sum->slots[at & (sum->slot_count - 1)];
    if (!*slot || sum->builds[*slot - 1].key == key)
      return slot;
  }
}

static void grow(struct contprof_profile_sum *sum) {
  sum->build_room = sum->build_room ? sum->build_room * 2 : 16;
  sum->builds = contprof_need_array(sum->builds, sum->build_room, sizeof *sum->builds);
  free(sum->slots);
  sum->slot_count = sum->build_room * 2;
  sum->slots = contprof_need(calloc(sum->slot_count, sizeof *sum->slots));
  for (size_t i = 0; i < sum->build_count; i++)
    *slot_of(sum, sum->builds[i].key) = (uint32_t)i + 1;
}

// To be called with the lock: a new build may move the others.
static struct contprof_sum_build *build_of(struct contprof_profile_sum *sum, uint64_t key) {
  if (sum->build_count == sum->build_room)
    grow(sum);
  uint32_t *slot = slot_of(sum, key);
  if (!*slot) {
    sum->builds[sum->build_count++] = (struct contprof_sum_build){.key = key};
    *slot = (uint32_t)sum->build_count;
  }
  return &sum->builds[*slot - 1];
}

// --- adding -------------------------------------------------------------------------------------

static void describe(const struct contprof_profile *file, struct contprof_sum_report *report) {
  report->functions = file->function_count;
  report->functions_dropped = file->functions_dropped;
  memcpy(report->dropped_names, file->dropped_names, sizeof report->dropped_names);
  report->binary_ids = file->binary_ids;
  report->binary_id_count = file->binary_id_count;
}

static bool add_last(struct contprof_profile_sum *sum, const char *path, uint64_t weight,
                     struct contprof_sum_report *report, struct contprof_error *error) {
  return (weight == 1 && contprof_profile_move(&sum->profile, &sum->last, path)) ||
         contprof_profile_merge(&sum->profile, &sum->last, weight, &report->merge, path, error);
}

// Adds what the file has been decoded to: `decoded`, or, if that is NULL, decodes it.
static bool add_decoded(struct contprof_profile_sum *sum, const struct contprof_file_view *file,
                        struct contprof_profile *decoded, uint64_t weight,
                        struct contprof_sum_report *report, struct contprof_error *error) {
  if (!decoded && !contprof_profile_read(file, &sum->last, error))
    return false;
  if (decoded) {
    sum->last = *decoded;
    *decoded = (struct contprof_profile){0};
  }
  describe(&sum->last, report);
  pthread_mutex_lock(&sum->lock);
  bool ok = add_last(sum, file->path, weight, report, error);
  pthread_mutex_unlock(&sum->lock);
  return ok;
}

// Other threads add values to functions meanwhile, which changes nothing that is read here.
static void make_sum(struct contprof_profile_sum *sum, struct contprof_sum_build *build,
                     const struct contprof_file_view *file) {
  struct contprof_raw_sum *fast = contprof_raw_sum_new(file, &sum->profile);
  build->refused += !fast;
  if (!fast)
    return;
  build->share = contprof_raw_share_new(fast);
  pthread_mutex_lock(&sum->lock);
  build->sum = fast;
  pthread_mutex_unlock(&sum->lock);
}

static void describe_fast(const struct contprof_sum_build *build,
                          struct contprof_sum_report *report) {
  report->functions = build->functions;
  report->binary_ids = contprof_raw_sum_binary_ids(build->sum, &report->binary_id_count);
}

struct contprof_raw_sum *contprof_profile_sum_find(struct contprof_profile_sum *sum, uint64_t key,
                                                   size_t *index,
                                                   struct contprof_sum_report *report) {
  struct contprof_raw_sum *found = NULL;
  pthread_mutex_lock(&sum->lock);
  uint32_t slot = sum->slot_count ? *slot_of(sum, key) : 0;
  if (slot && sum->builds[slot - 1].sum) {
    *index = slot - 1;
    found = sum->builds[*index].sum;
    describe_fast(&sum->builds[*index], report);
  }
  pthread_mutex_unlock(&sum->lock);
  return found;
}

bool contprof_profile_sum_add_alike(struct contprof_profile_sum *sum,
                                    const struct contprof_file_view *file,
                                    const struct contprof_raw_head *head, uint64_t weight,
                                    struct contprof_sum_report *report) {
  size_t index;
  *report = (struct contprof_sum_report){0};
  struct contprof_raw_sum *fast = contprof_profile_sum_find(sum, head->key, &index, report);
  return fast && contprof_raw_sum_add(fast, sum->builds[index].share, file, head, weight,
                                      &sum->profile, &sum->lock);
}

// What is known of a file's build before the file is added.
struct file_build {
  struct contprof_raw_head head;    // if there is a build
  struct contprof_sum_build *build; // NULL: the file can't be summed fast
  uint64_t fingerprint;             // of the file, if a next one may have it, too; else 0
  bool at_once;                     // this file makes the build's sum, once it has been decoded
};

static void look_at_build(struct contprof_profile_sum *sum, const struct contprof_file_view *file,
                          struct file_build *of) {
  if (!contprof_raw_take_head(file, &of->head))
    return;
  pthread_mutex_lock(&sum->lock);
  of->build = build_of(sum, of->head.key);
  pthread_mutex_unlock(&sum->lock);
  if (of->build->sum || of->build->refused >= MOST_REFUSED)
    return;
  of->at_once = sum->expects_more && of->build == sum->builds && !of->build->refused;
  if (of->at_once)
    return;
  of->fingerprint = contprof_raw_fingerprint(&of->head);
  if (of->fingerprint == of->build->fingerprint)
    make_sum(sum, of->build, file);
}

static void note_decoded(struct contprof_profile_sum *sum, const struct contprof_file_view *file,
                         const struct file_build *of, uint64_t functions) {
  struct contprof_sum_build *build = of->build;
  if (!build || build->sum)
    return;
  build->fingerprint = of->fingerprint;
  build->functions = functions;
  if (of->at_once)
    make_sum(sum, build, file);
}

bool contprof_profile_sum_add_read(struct contprof_profile_sum *sum,
                                   const struct contprof_file_view *file,
                                   struct contprof_profile *decoded, uint64_t weight,
                                   struct contprof_sum_report *report,
                                   struct contprof_error *error) {
  struct file_build of = {.build = NULL};
  *report = (struct contprof_sum_report){0};
  contprof_profile_free(&sum->last);
  look_at_build(sum, file, &of);
  if (of.build && of.build->sum &&
      contprof_raw_sum_add(of.build->sum, of.build->share, file, &of.head, weight, &sum->profile,
                           &sum->lock)) {
    describe_fast(of.build, report);
    return true;
  }
  if (!add_decoded(sum, file, decoded, weight, report, error))
    return false;
  note_decoded(sum, file, &of, report->functions);
  return true;
}

bool contprof_profile_sum_add(struct contprof_profile_sum *sum,
                              const struct contprof_file_view *file, uint64_t weight,
                              struct contprof_sum_report *report, struct contprof_error *error) {
  return contprof_profile_sum_add_read(sum, file, NULL, weight, report, error);
}

void contprof_profile_sum_unite(struct contprof_profile_sum *sum, size_t index,
                                struct contprof_raw_share *share) {
  contprof_raw_share_unite(sum->builds[index].sum, sum->builds[index].share, share);
}

void contprof_profile_sum_finish(struct contprof_profile_sum *sum,
                                 struct contprof_merge_report *report) {
  contprof_profile_free(&sum->last);
  for (size_t i = 0; i < sum->build_count; i++)
    if (sum->builds[i].sum)
      contprof_raw_sum_flush(sum->builds[i].sum, sum->builds[i].share, report);
}

void contprof_profile_sum_free(struct contprof_profile_sum *sum) {
  for (size_t i = 0; i < sum->build_count; i++) {
    contprof_raw_share_free(sum->builds[i].share);
    contprof_raw_sum_free(sum->builds[i].sum);
  }
  free(sum->builds);
  free(sum->slots);
  contprof_profile_free(&sum->last);
  contprof_profile_free(&sum->profile);
  *sum = (struct contprof_profile_sum){0};
}
