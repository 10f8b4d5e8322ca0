#include "raw_sum.h"

#include "add_counts.h"
#include "raw_said.h"
#include "raw_sum_state.h"

#include <string.h>

// Files are walked side by side, a piece of each after the other, so that what they are compared
// with and the sums pass through the caches once for all of them. Their counters are summed apart
// from the share, and added to it when all have been read: so one that can't be read to its end,
// or has a count that is none, leaves nothing behind. Then the others are read again.

struct member {
  struct contprof_raw_part *part;
  struct contprof_raw_said said;
};

struct group {
  const struct contprof_raw_sum *sum;
  struct contprof_raw_share *share;
  struct member members[CONTPROF_RAW_TOGETHER]; // the first `count`, those that may be added
  size_t count;
};

static void make_room(const struct contprof_raw_sum *sum, struct contprof_raw_share *share) {
  if (share->pieces)
    return;
  share->pieces = contprof_arena_zeros(&share->arena, CONTPROF_RAW_TOGETHER, CONTPROF_RAW_PIECE);
  share->together =
      contprof_arena_zeros(&share->arena, contprof_raw_counts_of(sum), sizeof *share->together);
  share->together_bits = contprof_arena_zeros(&share->arena, sum->like.image.bitmap.size, 1);
}

static void leave(struct group *group, size_t index) {
  contprof_raw_said_free(&group->members[index].said);
  group->members[index] = group->members[--group->count];
}

// --- all but counters ---------------------------------------------------------------------------

static void take_members(struct group *group, struct contprof_raw_part *parts, size_t count) {
  struct contprof_raw_suspect suspects[CONTPROF_RAW_TOGETHER];
  for (size_t i = 0; i < count; i++)
    suspects[i] =
        (struct contprof_raw_suspect){.file = parts[i].file, .image = parts[i].head->image};
  contprof_raw_compare(&group->sum->like, suspects, count, group->share->pieces);
  for (size_t i = 0; i < count; i++) {
    struct member *member = &group->members[group->count];
    if (parts[i].head->key != group->sum->key || !suspects[i].alike)
      continue;
    *member = (struct member){.part = &parts[i]};
    group->count++;
    if (!contprof_raw_said_take(&member->said, group->sum, group->share, &parts[i].head->behind,
                                suspects[i].moved))
      leave(group, group->count - 1);
  }
}

// --- counters and bitmaps -----------------------------------------------------------------------

// Takes the members' pieces of a section. Returns the number of one that is no good, or how many
// members there are.
typedef size_t take_pieces(const struct group *group, const uint8_t *const *pieces, uint64_t offset,
                           size_t size);

// Some member has a count that is none. It may have another by now: then it is not known who it
// was, and the last is taken for it, which does that one no harm. The sums can't stay in any case.
static size_t find_incredible(const struct group *group, const uint8_t *const *pieces,
                              size_t count) {
  size_t index = 0;
  while (index + 1 < group->count &&
         !(contprof_bits_of_counts(pieces[index], count) & -CONTPROF_COUNT_CREDIBLE))
    index++;
  return index;
}

// At most CONTPROF_RAW_TOGETHER counts below CONTPROF_COUNT_CREDIBLE make no sum that is cut.
static size_t take_counts(const struct group *group, const uint8_t *const *pieces, uint64_t offset,
                          size_t size) {
  uint64_t *to = group->share->together;
  if (group->sum->like.image.counter_size == 1) {
    contprof_gather_byte_counts(to + offset, pieces, group->count, size);
    return group->count;
  }
  uint64_t bits = contprof_gather_counts(to + offset / 8, pieces, group->count, size / 8);
  return bits & -CONTPROF_COUNT_CREDIBLE ? find_incredible(group, pieces, size / 8) : group->count;
}

static size_t take_bits(const struct group *group, const uint8_t *const *pieces, uint64_t offset,
                        size_t size) {
  uint8_t *to = group->share->together_bits + offset;
  memset(to, 0, size);
  for (size_t i = 0; i < group->count; i++)
    contprof_add_bits(to, pieces[i], size);
  return group->count;
}

// All members' pieces of the section. Returns the number of one that does not have it, or how many
// members there are.
static size_t find_pieces(const struct group *group, uint64_t offset, size_t size,
                          const uint8_t *pieces[CONTPROF_RAW_TOGETHER]) {
  size_t i = 0;
  for (; i < group->count; i++) {
    uint8_t *scratch = group->share->pieces + i * CONTPROF_RAW_PIECE;
    pieces[i] = contprof_file_part(group->members[i].part->file, offset, size, scratch);
    if (!pieces[i])
      break;
  }
  return i;
}

// Returns false, with who it was out of the group, if it was a file's fault.
static bool walk(struct group *group, const struct contprof_cursor *section, take_pieces *take) {
  const uint8_t *pieces[CONTPROF_RAW_TOGETHER];
  for (uint64_t offset = 0, size; offset < section->size; offset += size) {
    size = section->size - offset;
    size = size < CONTPROF_RAW_PIECE ? size : CONTPROF_RAW_PIECE;
    size_t bad = find_pieces(group, section->base + offset, size, pieces);
    if (bad == group->count)
      bad = take(group, pieces, offset, size);
    if (bad == group->count)
      continue;
    leave(group, bad);
    return false;
  }
  return true;
}

// The same for files that have been cut meanwhile.
static bool all_are_whole(struct group *group) {
  for (size_t i = 0; i < group->count; i++)
    if (!contprof_file_is_whole(group->members[i].part->file)) {
      leave(group, i);
      return false;
    }
  return true;
}

static void sum_up(struct group *group) {
  const struct contprof_raw_image *image = &group->sum->like.image;
  while (group->count && (!walk(group, &image->counters, take_counts) ||
                          !walk(group, &image->bitmap, take_bits) || !all_are_whole(group)))
    ;
}

// The first sums are taken as they are, for zeros; then their place is free for the next.
static void add_to_share(const struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                         uint64_t weight) {
  uint64_t *counts = share->counts;
  if (share->empty && weight == 1) {
    share->counts = share->together;
    share->together = counts;
  } else {
    share->cut |= !contprof_add_counts(counts, (const uint8_t *)share->together,
                                       contprof_raw_counts_of(sum), weight);
  }
  contprof_add_bits(share->bits, share->together_bits, sum->like.image.bitmap.size);
  share->empty = false;
}

// --- the sum ------------------------------------------------------------------------------------

void contprof_raw_sum_add_together(struct contprof_raw_sum *sum, struct contprof_raw_share *share,
                                   struct contprof_raw_part *parts, size_t count, uint64_t weight,
                                   struct contprof_profile *into, pthread_mutex_t *lock) {
  struct group group = {.sum = sum, .share = share};
  make_room(sum, share);
  for (size_t i = 0; i < count; i++)
    parts[i].added = false;
  take_members(&group, parts, count);
  sum_up(&group);
  if (!group.count)
    return;
  add_to_share(sum, share, weight);
  for (size_t i = 0; i < group.count; i++) {
    contprof_raw_said_add(&group.members[i].said, sum, weight, into, lock);
    contprof_raw_said_free(&group.members[i].said);
    group.members[i].part->added = true;
  }
}
