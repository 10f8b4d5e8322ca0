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

// What is to be the same in all of the file's bytes from one offset to another.
typedef bool same_piece(const struct contprof_raw_pattern *like,
                        struct contprof_raw_suspect *suspect, const uint8_t *ours,
                        const uint8_t *theirs, size_t size);

static void compare_pieces(const struct contprof_raw_pattern *like,
                           struct contprof_raw_suspect *suspects, size_t count, uint8_t *piece,
                           uint64_t from, uint64_t to, same_piece *is_same) {
  for (; from < to; from += next_size(to - from)) {
    size_t size = next_size(to - from);
    for (size_t i = 0; i < count; i++) {
      struct contprof_raw_suspect *one = &suspects[i];
      const uint8_t *theirs = one->alike ? piece_at(one->file, from, size, piece) : NULL;
      one->alike = theirs && is_same(like, one, like->bytes + from, theirs, size);
    }
  }
}

static bool same_bytes(const struct contprof_raw_pattern *like,
                       struct contprof_raw_suspect *suspect, const uint8_t *ours,
                       const uint8_t *theirs, size_t size) {
  (void)like;
  (void)suspect;
  return memcmp(ours, theirs, size) == 0;
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

// Whether all words of the records but the pointers are the same; *moved, if those are not.
static bool same_words(const struct contprof_raw_image *image, const uint8_t *ours,
                       const uint8_t *theirs, uint64_t size, bool *moved) {
  unsigned record_words = image->record_size / 8;
  uint64_t differences[COLUMNS] = {0}, all = 0, words = size / 8;
  uint64_t whole = COLUMNS % record_words ? 0 : words - words % COLUMNS;
  find_differences(ours, theirs, whole, differences);
  for (uint64_t i = whole; i < words; i++)
    differences[i % record_words] |= word_at(ours + i * 8) ^ word_at(theirs + i * 8);
  *moved = false;
  for (unsigned j = 0; j < COLUMNS; j++) {
    size_t at = j % record_words * 8, pointers = contprof_raw_pointers_at(image);
    if (at == pointers)
      *moved |= differences[j] != 0;
    else if (at != pointers + 8)
      all |= differences[j];
  }
  return !all;
}

// One program may be loaded elsewhere: then all functions' addresses have moved by one distance.
static bool same_pointers(const struct contprof_raw_image *image,
                          struct contprof_raw_suspect *suspect, const uint8_t *ours,
                          const uint8_t *theirs, uint64_t size) {
  for (uint64_t at = contprof_raw_pointers_at(image); at < size; at += image->record_size) {
    uint64_t mine = word_at(ours + at), other = word_at(theirs + at);
    if (mine && !suspect->known) {
      suspect->known = true;
      suspect->moved = other - mine;
    }
    if (!other != !mine || (mine && other - mine != suspect->moved))
      return false;
  }
  return true;
}

// Pieces in which nothing has moved are looked through for addresses only where others have moved.
static bool same_records(const struct contprof_raw_pattern *like,
                         struct contprof_raw_suspect *suspect, const uint8_t *ours,
                         const uint8_t *theirs, size_t size) {
  bool moved;
  return same_words(&like->image, ours, theirs, size, &moved) &&
         ((!moved && suspect->known && !suspect->moved) ||
          same_pointers(&like->image, suspect, ours, theirs, size));
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
         image->vtables.size == like->image.vtables.size &&
         memcmp(&at, &like->at, sizeof at) == 0;
}

// What is more than compared, to its place.
static bool read_to_place(const struct contprof_file_view *file, uint64_t from, uint64_t to) {
  return !contprof_file_is_part(file) ||
         contprof_file_read_part(file, from, to - from, (uint8_t *)file->bytes + from);
}

static bool same_tail(const struct contprof_raw_pattern *like,
                      struct contprof_raw_suspect *suspect) {
  return read_to_place(suspect->file, like->at.names_end, suspect->file->size) &&
         same_vtables(like, &suspect->image, suspect->moved);
}

void contprof_raw_compare(const struct contprof_raw_pattern *like,
                          struct contprof_raw_suspect *suspects, size_t count, uint8_t *piece) {
  const struct contprof_raw_places *at = &like->at;
  for (size_t i = 0; i < count; i++) {
    suspects[i].alike = same_places(like, &suspects[i].image);
    suspects[i].known = false;
    suspects[i].moved = 0;
  }
  compare_pieces(like, suspects, count, piece, at->data, at->data + like->image.data.size,
                 same_records);
  compare_pieces(like, suspects, count, piece, at->names, at->names_end, same_bytes);
  for (size_t i = 0; i < count; i++)
    suspects[i].alike = suspects[i].alike && same_tail(like, &suspects[i]);
}
