#include "fuzz_profile.h"

#include "tools/instr/indexed_reader.h"
#include "tools/instr/indexed_writer.h"
#include "tools/instr/profile_load.h"
#include "tools/instr/profile_sum.h"
#include "tools/instr/text_reader.h"
#include "tools/instr/text_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const struct contprof_error *error) {
  char text[sizeof *error + 64];
  fprintf(stderr, "%s: %s\n", what, contprof_error_text(error, text, sizeof text));
  abort();
}

static void expect_message(const struct contprof_error *error) {
  if (error->code == CONTPROF_OK || !error->message[0])
    die("failed without a message", error);
}

static void read_again(contprof_fuzz_reader *reader, const struct contprof_byte_writer *out) {
  struct contprof_file_view file = {.path = "written", .bytes = out->bytes, .size = out->size};
  struct contprof_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!reader(&file, &profile, &error))
    die("what was written can't be read", &error);
  contprof_profile_free(&profile);
}

// Names with what is a line's end, a comment or a number in text are not for that form.
static bool fits_text(const struct contprof_profile *profile) {
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    for (size_t j = 0; j < function->name_length; j++)
      if (function->name[j] <= ' ')
        return false;
    if (!function->name_length || strspn(function->name, "#:$0123456789") > 0)
      return false;
  }
  return !profile->vtables.count && !profile->trace_count;
}

static void write_all(const struct contprof_profile *profile) {
  struct contprof_byte_writer out = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!contprof_indexed_write(profile, contprof_indexed_version_for(profile), false, &out, &error))
    expect_message(&error);
  else
    read_again(contprof_indexed_read, &out);
  contprof_byte_writer_free(&out);
  contprof_error_clear(&error);
  if (!contprof_text_write(profile, &out, &error))
    expect_message(&error);
  else if (fits_text(profile) && profile->function_count)
    read_again(contprof_text_read, &out);
  contprof_byte_writer_free(&out);
}

// Three times, so that the fast way is taken where there is one.
static void merge(const struct contprof_file_view *file) {
  struct contprof_profile_sum sum = {0};
  struct contprof_sum_report report;
  struct contprof_merge_report cut = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  for (uint64_t weight = 1; weight <= 3; weight++)
    if (!contprof_profile_sum_add(&sum, file, weight, &report, &error))
      die("read once, but not merged", &error);
  contprof_profile_sum_finish(&sum, &cut);
  contprof_profile_sort(&sum.profile);
  write_all(&sum.profile);
  contprof_profile_sum_free(&sum);
}

// Adds the file as contprof merge would without its fast way. Returns false if it is bad.
static bool add_plainly(struct contprof_profile *sum, const struct contprof_file_view *file,
                        uint64_t weight) {
  struct contprof_merge_report report = {0};
  struct contprof_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_profile_read(file, &profile, &error) &&
            contprof_profile_merge(sum, &profile, weight, &report, file->path, &error);
  contprof_profile_free(&profile);
  return ok;
}

static void expect_same(struct contprof_profile *fast, struct contprof_profile *plain) {
  struct contprof_byte_writer left = {0}, right = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_profile_sort(fast);
  contprof_profile_sort(plain);
  bool ok = contprof_indexed_write(fast, contprof_indexed_version_for(fast), true, &left, &error);
  if (ok != contprof_indexed_write(plain, contprof_indexed_version_for(plain), false, &right,
                                   &error) ||
      left.size != right.size || (ok && memcmp(left.bytes, right.bytes, left.size) != 0))
    die("another sum than of one function after the other", &error);
  contprof_byte_writer_free(&left);
  contprof_byte_writer_free(&right);
}

// `file` and then `other`, which is almost like it: the fast way may take it only if it comes to
// the same.
static void merge_both(const struct contprof_file_view *file,
                       const struct contprof_file_view *other) {
  struct contprof_profile_sum fast = {0};
  struct contprof_profile plain = {0};
  struct contprof_sum_report report;
  struct contprof_merge_report cut = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  for (uint64_t weight = 1; weight <= 3; weight++) {
    contprof_profile_sum_add(&fast, file, weight, &report, &error);
    add_plainly(&plain, file, weight);
  }
  bool ok = contprof_profile_sum_add(&fast, other, 5, &report, &error);
  if (ok != add_plainly(&plain, other, 5))
    die("judged otherwise by the fast way", &error);
  contprof_profile_sum_finish(&fast, &cut);
  expect_same(&fast.profile, &plain);
  contprof_profile_sum_free(&fast);
  contprof_profile_free(&plain);
}

// With one bit changed, somewhere that follows from the bytes.
static void merge_with_changed(const struct contprof_file_view *file) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
  uint8_t *bytes = malloc(file->size);
  struct contprof_file_view changed = {.path = "changed", .bytes = bytes, .size = file->size};
  for (size_t i = 0; i < file->size; i++)
    hash = (hash ^ file->bytes[i]) * UINT64_C(0x100000001b3);
  memcpy(bytes, file->bytes, file->size);
  bytes[(hash >> 8) % file->size] ^= (uint8_t)(1 << hash % 8);
  merge_both(file, &changed);
  free(bytes);
}

bool contprof_fuzz(contprof_fuzz_reader *reader, const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  struct contprof_file_view file = {.path = "input", .bytes = copy, .size = size};
  struct contprof_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  if (size)
    memcpy(copy, bytes, size);
  bool ok = reader(&file, &profile, &error);
  if (ok && size) { // text without a byte is a profile to its reader, and no file to merge
    merge(&file);
    merge_with_changed(&file);
  } else if (!ok)
    expect_message(&error);
  contprof_profile_free(&profile);
  free(copy);
  return ok;
}
