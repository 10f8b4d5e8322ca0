// cut_samples FILE...: each sample profile cut to every length, and with each of its bytes changed,
// a long number put in its place, and the eight bytes from there set to extremes: a profile or a
// message with file and reason, never a crash, within MEMORY. Says how many of the changed files
// were profiles all the same.
#include "tools/base/file_view.h"
#include "tools/sample/sample_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY (UINT64_C(1) << 29) // bytes of address space

enum { LONG_NUMBER = 10 }; // bytes of the longest ULEB128 number

struct tally {
  unsigned cut, cut_good, changed, changed_good;
};

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

static void cut(const struct contprof_file_view *file, struct tally *tally) {
  for (uint64_t size = 0; size < file->size; size++) {
    uint8_t *exact = malloc(size ? size : 1); // for a sanitizer to see its end
    memcpy(exact, file->bytes, size);
    tally->cut++;
    tally->cut_good += is_read(exact, size);
    free(exact);
  }
}

static void try(struct tally *tally, const uint8_t *bytes, size_t size) {
  tally->changed++;
  tally->changed_good += is_read(bytes, size);
}

static void change_byte(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                        struct tally *tally) {
  const uint8_t old = copy[at],
                numbers[] = {0, 1, 0x7f, 0x80, 0xff, ' ', '\n', ':', '9', (uint8_t)(old + 1)};
  for (size_t i = 0; i < sizeof numbers; i++) {
    copy[at] = numbers[i];
    try(tally, copy, file->size);
  }
  copy[at] = old;
}

// Numbers of all lengths and of more than 64 bits, in place of the byte and in place of what
// follows.
static void put_number(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                       struct tally *tally) {
  uint8_t *longer = malloc(file->size + LONG_NUMBER);
  memcpy(longer, file->bytes, at);
  for (size_t length = 2; length <= LONG_NUMBER; length += 2) {
    memset(longer + at, 0xff, length - 1);
    longer[at + length - 1] = 1;
    memcpy(longer + at + length, file->bytes + at + 1, file->size - at - 1);
    try(tally, longer, file->size + length - 1);
  }
  free(longer);
  const uint64_t numbers[] = {UINT64_MAX, UINT64_MAX / 2, UINT32_MAX, UINT64_C(1) << 63,
                              file->size};
  for (size_t i = 0; at + 8 <= file->size && i < sizeof numbers / sizeof *numbers; i++) {
    memcpy(copy + at, &numbers[i], 8);
    try(tally, copy, file->size);
  }
  memcpy(copy + at, file->bytes + at, file->size - at < 8 ? file->size - at : 8);
}

static bool try_file(const char *path) {
  struct contprof_file_view file;
  struct contprof_error error;
  struct tally tally = {0};
  contprof_error_clear(&error);
  if (!contprof_file_open(path, &file, &error) || !is_read(file.bytes, file.size)) {
    printf("%s is no sample profile to begin with\n", path);
    return false;
  }
  uint8_t *copy = malloc(file.size);
  memcpy(copy, file.bytes, file.size);
  cut(&file, &tally);
  for (size_t at = 0; at < file.size; at++) {
    change_byte(&file, copy, at, &tally);
    put_number(&file, copy, at, &tally);
  }
  printf("%s: cut %u, good %u; changed %u, good %u\n", path, tally.cut, tally.cut_good,
         tally.changed, tally.changed_good);
  free(copy);
  contprof_file_close(&file);
  return true;
}

// The sanitizers need address space without bounds.
static void bound_memory(void) {
#ifndef __SANITIZE_ADDRESS__
  const struct rlimit bound = {MEMORY, MEMORY};
  setrlimit(RLIMIT_AS, &bound);
#endif
}

int main(int argc, char **argv) {
  bool ok = argc > 1;
  bound_memory();
  for (int i = 1; i < argc; i++)
    ok &= try_file(argv[i]);
  return !ok;
}
