// cut_samples FILE...: each sample profile cut to every length, and with each of its bytes changed,
// a long number put in its place, and the eight bytes from there set to extremes: a profile or a
// message with file and reason, never a crash, within a bound of memory. Says how many of the
// changed files were profiles all the same.
#include "cut_files.h"
#include "tools/sample/sample_format.h"

#include <stdlib.h>
#include <string.h>

enum { LONG_NUMBER = 10 }; // bytes of the longest ULEB128 number

static bool is_read(const uint8_t *bytes, size_t size) {
  struct contprof_sample_profile profile = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_read_bytes(bytes, size, "input", &profile, &error);
  if (!ok && (!error.message[0] || strcmp(error.file, "input") != 0))
    abort();
  contprof_sample_profile_free(&profile);
  return ok;
}

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally);

static const struct contprof_cutter SAMPLES = {"sample profile", is_read, change};

static void change_byte(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                        struct contprof_cut_tally *tally) {
  const uint8_t old = copy[at],
                numbers[] = {0, 1, 0x7f, 0x80, 0xff, ' ', '\n', ':', '9', (uint8_t)(old + 1)};
  for (size_t i = 0; i < sizeof numbers; i++) {
    copy[at] = numbers[i];
    contprof_cut_try(&SAMPLES, copy, file->size, tally);
  }
  copy[at] = old;
}

// Numbers of all lengths and of more than 64 bits, in place of the byte and in place of what
// follows.
static void put_number(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                       struct contprof_cut_tally *tally) {
  uint8_t *longer = malloc(file->size + LONG_NUMBER);
  memcpy(longer, file->bytes, at);
  for (size_t length = 2; length <= LONG_NUMBER; length += 2) {
    memset(longer + at, 0xff, length - 1);
    longer[at + length - 1] = 1;
    memcpy(longer + at + length, file->bytes + at + 1, file->size - at - 1);
    contprof_cut_try(&SAMPLES, longer, file->size + length - 1, tally);
  }
  free(longer);
  const uint64_t numbers[] = {UINT64_MAX, UINT64_MAX / 2, UINT32_MAX, UINT64_C(1) << 63,
                              file->size};
  for (size_t i = 0; at + 8 <= file->size && i < sizeof numbers / sizeof *numbers; i++) {
    memcpy(copy + at, &numbers[i], 8);
    contprof_cut_try(&SAMPLES, copy, file->size, tally);
  }
  memcpy(copy + at, file->bytes + at, file->size - at < 8 ? file->size - at : 8);
}

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally) {
  for (size_t at = 0; at < file->size; at++) {
    change_byte(file, copy, at, tally);
    put_number(file, copy, at, tally);
  }
}

int main(int argc, char **argv) {
  return contprof_cut_files(&SAMPLES, argc, argv);
}
