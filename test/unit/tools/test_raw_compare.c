// Files of one build, compared whole in memory and piece by piece from the disk, against what is
// known to differ.
#include "raw_bytes.h"
#include "tools/instr/raw_compare.h"
#include "tools/instr/raw_sum.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOVED = 0x30000 }; // how far the second file's program was loaded from the first's

static struct raw_bytes first, second;
static uint8_t pieces[4 * CONTPROF_RAW_PIECE];
static char path[] = "/tmp/contprof-test-XXXXXX";

static size_t function_pointer(unsigned index) {
  return 128 + 16 + index * raw_record_size(&first) + 32;
}

static void add_to(struct raw_bytes *raw, size_t at, uint64_t number) {
  uint64_t word;
  memcpy(&word, raw->bytes + at, sizeof word);
  word += number;
  memcpy(raw->bytes + at, &word, sizeof word);
}

static size_t vtable_address(void) {
  uint64_t address = RAW_VTABLE_ADDRESS;
  uint8_t *found = memmem(first.bytes, first.size, &address, sizeof address);
  return (size_t)(found - first.bytes);
}

static void make(void) {
  first = (struct raw_bytes){.version = 10, .pointer_size = 8};
  raw_put_image(&first);
  second = first;
  add_to(&second, function_pointer(0), MOVED);
  add_to(&second, function_pointer(1), MOVED);
  add_to(&second, vtable_address(), MOVED);
  close(mkstemp(path));
}

static void drop(void) {
  unlink(path);
}

TestSuite(raw_compare, .init = make, .fini = drop);

// A vtable less, whose bytes are the names': all sections stay where they are but these two.
static void move_end_of_vtables(struct contprof_raw_image *image) {
  image->vtable_count--;
  image->vtables.size -= image->vtable_size;
  image->vtable_names.base -= image->vtable_size;
  image->vtable_names.size += image->vtable_size;
}

static bool is_alike_in(struct contprof_file_view *file, uint64_t *moved) {
  struct contprof_raw_head head, like_head;
  struct contprof_file_view like_file = {.path = "like", .bytes = first.bytes, .size = first.size};
  cr_assert(contprof_raw_take_head(&like_file, &like_head));
  struct contprof_raw_pattern like = {.bytes = first.bytes,
                                      .image = like_head.image,
                                      .at = contprof_raw_places_of(&like_head.image)};
  *moved = 0;
  if (!contprof_raw_take_head(file, &head))
    return false;
  // Beside itself and two that are other builds', which changes nothing.
  struct contprof_raw_suspect suspects[4] = {{.file = &like_file, .image = like_head.image},
                                             {.file = file, .image = head.image},
                                             {.file = file, .image = head.image},
                                             {.file = file, .image = head.image}};
  suspects[2].image.names.size++;
  move_end_of_vtables(&suspects[3].image);
  contprof_raw_compare(&like, suspects, 4, contprof_file_is_part(file) ? pieces : NULL);
  cr_assert(suspects[0].alike && !suspects[0].moved);
  cr_assert_not(suspects[2].alike);
  cr_assert_not(suspects[3].alike);
  *moved = suspects[1].alike ? suspects[1].moved : 0;
  return suspects[1].alike;
}

// The same answer for the file as a whole and in pieces.
static bool is_alike(const struct raw_bytes *raw, uint64_t *moved) {
  uint64_t moved_in_part;
  struct contprof_error error;
  struct contprof_file_view whole = {.path = path, .bytes = raw->bytes, .size = raw->size};
  struct contprof_file_view part = {0};
  FILE *file = fopen(path, "wb");
  static const uint8_t zeros[70000]; // may follow, so many that the file is opened in part
  cr_assert(file && fwrite(raw->bytes, 1, raw->size, file) == raw->size &&
            fwrite(zeros, 1, sizeof zeros, file) == sizeof zeros && fclose(file) == 0);
  contprof_error_clear(&error);
  cr_assert(contprof_file_open_part(path, 1, &part, &error));
  cr_assert(contprof_file_is_part(&part));
  bool alike = is_alike_in(&whole, moved);
  cr_assert_eq(is_alike_in(&part, &moved_in_part), alike);
  cr_assert_eq(moved_in_part, *moved);
  contprof_file_close(&part);
  return alike;
}

Test(raw_compare, says_how_far_the_program_has_moved) {
  uint64_t moved;
  cr_assert(is_alike(&first, &moved));
  cr_assert_eq(moved, 0);
  cr_assert(is_alike(&second, &moved));
  cr_assert_eq(moved, MOVED);
}

Test(raw_compare, wants_all_addresses_moved_by_one_distance) {
  uint64_t moved;
  const size_t places[] = {function_pointer(0), function_pointer(1), vtable_address()};
  for (int i = 0; i < 3; i++) {
    struct raw_bytes other = second;
    add_to(&other, places[i], 16);
    cr_assert_not(is_alike(&other, &moved), "address %d", i);
  }
}

// Counters, bitmaps and padding may differ; records, names and vtables may not.
Test(raw_compare, looks_at_all_but_counts) {
  struct contprof_raw_head head;
  struct contprof_file_view file = {.path = "t", .bytes = first.bytes, .size = first.size};
  cr_assert(contprof_raw_take_head(&file, &head));
  struct contprof_raw_places at = contprof_raw_places_of(&head.image);
  for (size_t i = at.data; i < at.fixed_end; i++) {
    uint64_t moved;
    struct raw_bytes other = second;
    size_t in_record = (i - at.data) % raw_record_size(&first);
    bool in_data = i < at.data + head.image.data.size;
    if (in_data && in_record >= 32 && in_record < 48) // the addresses, of which above
      continue;
    bool fixed = in_data || (i >= at.names && i < at.names_end);
    other.bytes[i] ^= 0x20;
    if (fixed || i < at.names)
      cr_assert_eq(is_alike(&other, &moved), !fixed, "byte %zu", i);
  }
}
