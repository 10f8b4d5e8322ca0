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
  if (share->piece)
    return;
  share->piece = contprof_arena_zeros(&share->arena, CONTPROF_RAW_PIECE, 1);
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
  contprof_raw_compare(&group->sum->like, suspects, count, group->share->piece);
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

// Adds the piece that has been read of a section, or, of the first file, puts it there. Returns
// false if it is no good.
typedef bool take_piece(const struct group *group, uint64_t offset, size_t size, bool first);

// At most CONTPROF_RAW_TOGETHER counts below CONTPROF_COUNT_CREDIBLE make no sum that is cut.
static bool take_counts(const struct group *group, uint64_t offset, size_t size, bool first) {
  uint64_t *to = group->share->together;
  const uint8_t *piece = group->share->piece;
  if (group->sum->like.image.counter_size == 1) {
    contprof_gather_byte_counts(to + offset, piece, size, first);
    return true;
  }
  uint64_t bits = contprof_gather_counts(to + offset / 8, piece, size / 8, first);
  return !(bits & -CONTPROF_COUNT_CREDIBLE);
}

static bool take_bits(const struct group *group, uint64_t offset, size_t size, bool first) {
  uint8_t *to = group->share->together_bits + offset;
  if (first)
    memset(to, 0, size);
  contprof_add_bits(to, group->share->piece, size);
  return true;
}

// Returns false, with who it was out of the group, if a file's piece can't be read or is no good.
static bool walk(struct group *group, const struct contprof_cursor *section, take_piece *take) {
  for (uint64_t offset = 0, size; offset < section->size; offset += size) {
    size =
        section->size - offset < CONTPROF_RAW_PIECE ? section->size - offset : CONTPROF_RAW_PIECE;
    for (size_t i = 0; i < group->count; i++)
      if (!contprof_file_read_part(group->members[i].part->file, section->base + offset, size,
                                   group->share->piece) ||
          !take(group, offset, size, i == 0)) {
        leave(group, i);
        return false;
      }
  }
  return true;
}

static void sum_up(struct group *group) {
  const struct contprof_raw_image *image = &group->sum->like.image;
  while (group->count &&
         (!walk(group, &image->counters, take_counts) || !walk(group, &image->bitmap, take_bits)))
    ;
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
  share->cut |= !contprof_add_counts(share->counts, (const uint8_t *)share->together,
                                     contprof_raw_counts_of(sum), weight);
  contprof_add_bits(share->bits, share->together_bits, sum->like.image.bitmap.size);
  share->empty = false;
  for (size_t i = 0; i < group.count; i++) {
    contprof_raw_said_add(&group.members[i].said, sum, weight, into, lock);
    contprof_raw_said_free(&group.members[i].said);
    group.members[i].part->added = true;
  }
}
