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

// The bytes from one offset to another of files that are alike up to there.
struct pieces {
  struct contprof_raw_suspect *suspects[CONTPROF_RAW_TOGETHER];
  const uint8_t *bytes[CONTPROF_RAW_TOGETHER];
  size_t count;
};

// The file's bytes at `offset`. NULL if there are none.
static const uint8_t *piece_at(struct contprof_file_view *file, uint64_t offset, size_t size,
                               uint8_t *scratch) {
  return contprof_file_is_part(file) ? contprof_file_part(file, offset, size, scratch)
                                     : file->bytes + offset;
}

static struct pieces find_pieces(struct contprof_raw_suspect *suspects, size_t count,
                                 uint64_t offset, size_t size, uint8_t *scratch) {
  struct pieces pieces = {.count = 0};
  for (size_t i = 0; i < count; i++) {
    uint8_t *place = scratch ? scratch + i * CONTPROF_RAW_PIECE : NULL;
    if (!suspects[i].alike)
      continue;
    pieces.suspects[pieces.count] = &suspects[i];
    pieces.bytes[pieces.count] = piece_at(suspects[i].file, offset, size, place);
    suspects[i].alike = pieces.bytes[pieces.count];
    pieces.count += suspects[i].alike;
  }
  return pieces;
}

static size_t next_size(uint64_t left) {
  return left < CONTPROF_RAW_PIECE ? (size_t)left : CONTPROF_RAW_PIECE;
}

// Sets whether the pieces' files are alike there.
typedef void compare_piece(const struct contprof_raw_pattern *like, const uint8_t *ours,
                           const struct pieces *pieces, size_t size);

static void compare_pieces(const struct contprof_raw_pattern *like,
                           struct contprof_raw_suspect *suspects, size_t count, uint8_t *scratch,
                           uint64_t from, uint64_t to, compare_piece *compare) {
  for (; from < to; from += next_size(to - from)) {
    size_t size = next_size(to - from);
    struct pieces pieces = find_pieces(suspects, count, from, size, scratch);
    compare(like, like->bytes + from, &pieces, size);
  }
}

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Whether all files have our bytes there, which are a whole number of lines.
CONTPROF_VECTOR static bool same_lines(const uint8_t *ours, const uint8_t *const *theirs,
                                       size_t files, size_t size) {
  uint64_t different = 0;
  for (size_t i = 0; i < size; i += CONTPROF_LINE)
    for (size_t file = 0; file < files; file++) {
      contprof_sweep_at(theirs[file] + i);
      for (size_t j = i; j < i + CONTPROF_LINE; j += sizeof different)
        different |= word_at(ours + j) ^ word_at(theirs[file] + j);
    }
  return !different;
}

// As it mostly is for all of them, they are compared one by one only if not.
static void compare_bytes(const struct contprof_raw_pattern *like, const uint8_t *ours,
                          const struct pieces *pieces, size_t size) {
  size_t lines = size - size % CONTPROF_LINE;
  bool same = same_lines(ours, pieces->bytes, pieces->count, lines);
  (void)like;
  for (size_t i = 0; i < pieces->count; i++) {
    size_t from = same ? lines : 0;
    pieces->suspects[i]->alike = memcmp(ours + from, pieces->bytes[i] + from, size - from) == 0;
  }
}

// --- data records -------------------------------------------------------------------------------

enum { COLUMNS = 24 }; // words of a whole number of records, whether they have 6 words or 8

// For each word of COLUMNS, all bits in which any file ever differs there; `count` words, a
// multiple.
CONTPROF_VECTOR static void find_differences(const uint8_t *ours, const uint8_t *const *theirs,
                                             size_t files, uint64_t count,
                                             uint64_t differences[COLUMNS]) {
  for (uint64_t i = 0; i < count; i += COLUMNS)
    for (size_t file = 0; file < files; file++) {
      for (unsigned j = 0; j < COLUMNS; j += CONTPROF_LINE / 8)
        contprof_sweep_at(theirs[file] + (i + j) * 8);
      for (unsigned j = 0; j < COLUMNS; j++)
        differences[j] |= word_at(ours + (i + j) * 8) ^ word_at(theirs[file] + (i + j) * 8);
    }
}

// Whether all words of the records but the pointers are the same in all files; *moved, if those are
// not.
static bool same_words(const struct contprof_raw_image *image, const uint8_t *ours,
                       const uint8_t *const *theirs, size_t files, uint64_t size, bool *moved) {
  unsigned record_words = image->record_size / 8;
  uint64_t differences[COLUMNS] = {0}, all = 0, words = size / 8;
  uint64_t whole = COLUMNS % record_words ? 0 : words - words % COLUMNS;
  find_differences(ours, theirs, files, whole, differences);
  for (uint64_t i = whole; i < words; i++)
    for (size_t file = 0; file < files; file++)
      differences[i % record_words] |= word_at(ours + i * 8) ^ word_at(theirs[file] + i * 8);
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
static void compare_records(const struct contprof_raw_pattern *like, const uint8_t *ours,
                            const struct pieces *pieces, size_t size) {
  const struct contprof_raw_image *image = &like->image;
  bool moved, same = same_words(image, ours, pieces->bytes, pieces->count, size, &moved);
  for (size_t i = 0; i < pieces->count; i++) {
    struct contprof_raw_suspect *one = pieces->suspects[i];
    bool has_moved = moved;
    one->alike = (same || same_words(image, ours, &pieces->bytes[i], 1, size, &has_moved)) &&
                 ((!has_moved && one->known && !one->moved) ||
                  same_pointers(image, one, ours, pieces->bytes[i], size));
  }
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
                          struct contprof_raw_suspect *suspects, size_t count, uint8_t *pieces) {
  const struct contprof_raw_places *at = &like->at;
  for (size_t i = 0; i < count; i++) {
    suspects[i].alike = same_places(like, &suspects[i].image);
    suspects[i].known = false;
    suspects[i].moved = 0;
  }
  compare_pieces(like, suspects, count, pieces, at->data, at->data + like->image.data.size,
                 compare_records);
  compare_pieces(like, suspects, count, pieces, at->names, at->names_end, compare_bytes);
  for (size_t i = 0; i < count; i++)
    suspects[i].alike = suspects[i].alike && same_tail(like, &suspects[i]);
}
