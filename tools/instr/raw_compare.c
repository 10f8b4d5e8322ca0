#include "raw_compare.h"
#include "../base/vector_code.h"

#include <string.h>

// Of a record's words, FunctionPointer and the one behind it, Values, are addresses.
size_t contprof_raw_pointers_at(const struct contprof_raw_image *image) {
  return image->version >= 9 ? 32 : 24;
}

struct contprof_raw_places contprof_raw_places_of(const struct contprof_raw_image *image) {
  return (struct contprof_raw_places){.data = image->data.base,
                                      .counters = image->counters.base,
                                      .bitmap = image->bitmap.base,
                                      .names = image->names.base,
                                      .names_end = image->names.base + image->names.size,
                                      .fixed_end =
                                          image->vtable_names.base + image->vtable_names.size};
}

// --- pieces -------------------------------------------------------------------------------------

// The file's bytes at `offset`: those in memory, or read to `piece`. NULL if there are none.
static const uint8_t *piece_at(const struct contprof_file_view *file, uint64_t offset, size_t size,
                               uint8_t *piece) {
  if (!contprof_file_is_part(file))
    return file->bytes + offset;
  return contprof_file_read_part(file, offset, size, piece) ? piece : NULL;
}

static size_t next_size(uint64_t left) {
  return left < CONTPROF_RAW_PIECE ? (size_t)left : CONTPROF_RAW_PIECE;
}

static bool same_bytes(const struct contprof_raw_pattern *like,
                       const struct contprof_file_view *file, uint64_t from, uint64_t to,
                       uint8_t *piece) {
  while (from < to) {
    size_t size = next_size(to - from);
    const uint8_t *theirs = piece_at(file, from, size, piece);
    if (!theirs || memcmp(theirs, like->bytes + from, size) != 0)
      return false;
    from += size;
  }
  return true;
}

// --- data records -------------------------------------------------------------------------------

enum { COLUMNS = 24 }; // words of a whole number of records, whether they have 6 words or 8

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// For each word of COLUMNS, all bits in which the two ever differ there; `count` words, a multiple.
CONTPROF_VECTOR static void find_differences(const uint8_t *ours, const uint8_t *theirs,
                                             uint64_t count, uint64_t differences[COLUMNS]) {
  for (uint64_t i = 0; i < count; i += COLUMNS)
    for (unsigned j = 0; j < COLUMNS; j++)
      differences[j] |= word_at(ours + (i + j) * 8) ^ word_at(theirs + (i + j) * 8);
}

// Records of two files, as they are compared piece by piece.
struct comparison {
  size_t size;     // bytes of a record
  size_t pointers; // where the addresses are in it
  bool known;      // `moved` is
  uint64_t moved;  // distance of their addresses from ours
};

// Whether all words of the records but the pointers are the same; *moved, if those are not.
static bool same_words(const struct comparison *two, const uint8_t *ours, const uint8_t *theirs,
                       uint64_t count, bool *moved) {
  uint64_t differences[COLUMNS] = {0}, all = 0, words = count * (two->size / 8);
  uint64_t whole = COLUMNS % (two->size / 8) ? 0 : words - words % COLUMNS;
  find_differences(ours, theirs, whole, differences);
  for (uint64_t i = whole; i < words; i++)
    differences[i % (two->size / 8)] |= word_at(ours + i * 8) ^ word_at(theirs + i * 8);
  *moved = false;
  for (unsigned j = 0; j < COLUMNS; j++) {
    size_t at = j % (two->size / 8) * 8;
    if (at == two->pointers)
      *moved |= differences[j] != 0;
    else if (at != two->pointers + 8)
      all |= differences[j];
  }
  return !all;
}

// One program may be loaded elsewhere: then all functions' addresses have moved by one distance.
static bool same_pointers(struct comparison *two, const uint8_t *ours, const uint8_t *theirs,
                          uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    uint64_t mine = word_at(ours + i * two->size + two->pointers);
    uint64_t other = word_at(theirs + i * two->size + two->pointers);
    if (mine && !two->known) {
      two->known = true;
      two->moved = other - mine;
    }
    if (!other != !mine || (mine && other - mine != two->moved))
      return false;
  }
  return true;
}

// Pieces in which nothing has moved are looked through for addresses only where others have moved.
static bool same_records(struct comparison *two, const uint8_t *ours, const uint8_t *theirs,
                         uint64_t count) {
  bool moved;
  return same_words(two, ours, theirs, count, &moved) &&
         ((!moved && two->known && !two->moved) || same_pointers(two, ours, theirs, count));
}

static bool same_data(const struct contprof_raw_pattern *like,
                      const struct contprof_file_view *file, uint8_t *piece, uint64_t *moved) {
  struct comparison two = {.size = like->image.record_size,
                           .pointers = contprof_raw_pointers_at(&like->image)};
  uint64_t at = like->at.data, end = at + like->image.data.size;
  while (at < end) {
    size_t size = next_size(end - at);
    const uint8_t *theirs = piece_at(file, at, size, piece);
    if (!theirs || !same_records(&two, like->bytes + at, theirs, size / two.size))
      return false;
    at += size;
  }
  *moved = two.moved;
  return true;
}

// --- all of it ----------------------------------------------------------------------------------

// Vtables have moved along with the functions.
static bool same_vtables(const struct contprof_raw_pattern *like, struct contprof_raw_image *image,
                         uint64_t moved) {
  struct contprof_raw_image ours = like->image;
  for (uint64_t i = 0; i < image->vtable_count; i++) {
    struct contprof_raw_vtable one = contprof_raw_take_vtable(&ours);
    struct contprof_raw_vtable other = contprof_raw_take_vtable(image);
    if (one.name_ref != other.name_ref || one.size != other.size ||
        (one.address ? one.address + moved != other.address : other.address != 0))
      return false;
  }
  return memcmp(image->vtable_names.bytes, ours.vtable_names.bytes, ours.vtable_names.size) == 0;
}

static bool same_places(const struct contprof_raw_pattern *like,
                        const struct contprof_raw_image *image) {
  struct contprof_raw_places at = contprof_raw_places_of(image);
  return image->binary_ids.size == like->image.binary_ids.size &&
         memcmp(image->binary_ids.bytes, like->image.binary_ids.bytes, image->binary_ids.size) ==
             0 &&
         image->data.size == like->image.data.size &&
         image->counters.size == like->image.counters.size &&
         memcmp(&at, &like->at, sizeof at) == 0;
}

// What is more than compared, to its place.
static bool read_to_place(const struct contprof_file_view *file, uint64_t from, uint64_t to) {
  return !contprof_file_is_part(file) ||
         contprof_file_read_part(file, from, to - from, (uint8_t *)file->bytes + from);
}

bool contprof_raw_is_alike(const struct contprof_raw_pattern *like,
                           const struct contprof_file_view *file, struct contprof_raw_image *image,
                           uint8_t *piece, uint64_t *moved) {
  const struct contprof_raw_places *at = &like->at;
  return same_places(like, image) && same_data(like, file, piece, moved) &&
         same_bytes(like, file, at->names, at->names_end, piece) &&
         read_to_place(file, at->names_end, file->size) && same_vtables(like, image, *moved) &&
         read_to_place(file, at->counters, at->names);
}
