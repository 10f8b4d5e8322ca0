// cut_recordings FILE...: each perf.data cut to every length, and with each of its 16-, 32- and
// 64-bit words, at every second byte, set to 0, 1, the largest numbers and near what it is: events
// and a message, never a crash, within MEMORY. Says how many of the changed files were good all the
// same.
#include "fuzz_recording.h"
#include "tools/base/file_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY (UINT64_C(1) << 29) // bytes of address space

struct tally {
  unsigned cut, cut_good, changed, changed_good;
};

static void cut(const struct contprof_file_view *file, struct tally *tally) {
  for (uint64_t size = 0; size < file->size; size++) {
    tally->cut++;
    tally->cut_good += contprof_fuzz_recording(file->bytes, size);
  }
}

static void change_word(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                        size_t width, struct tally *tally) {
  uint64_t old = 0;
  memcpy(&old, file->bytes + at, width);
  const uint64_t numbers[] = {0,         1,       UINT64_MAX, UINT64_MAX - 7, UINT64_MAX >> 1,
                              old + 8,   old - 8, old * 1024, file->size,     UINT64_C(1) << 63,
                              UINT32_MAX};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    memcpy(copy + at, &numbers[i], width);
    tally->changed++;
    tally->changed_good += contprof_fuzz_recording(copy, file->size);
  }
  memcpy(copy + at, file->bytes + at, width);
}

static void change(const struct contprof_file_view *file, uint8_t *copy, struct tally *tally) {
  for (size_t at = 0; at < file->size; at += 2)
    for (size_t width = 2; width <= 8; width *= 2)
      if (at % width == 0 && width <= file->size - at)
        change_word(file, copy, at, width, tally);
}

static bool try_file(const char *path) {
  struct contprof_file_view file;
  struct contprof_error error;
  struct tally tally = {0};
  contprof_error_clear(&error);
  if (!contprof_file_open(path, &file, &error) || !contprof_fuzz_recording(file.bytes, file.size)) {
    printf("%s is no recording to begin with\n", path);
    return false;
  }
  uint8_t *copy = malloc(file.size);
  memcpy(copy, file.bytes, file.size);
  cut(&file, &tally);
  change(&file, copy, &tally);
  printf("%s: cut %u, good %u; changed %u, good %u\n", path, tally.cut, tally.cut_good,
         tally.changed, tally.changed_good);
  free(copy);
  contprof_file_close(&file);
  return true;
}

int main(int argc, char **argv) {
  const struct rlimit limit = {MEMORY, MEMORY};
  bool ok = argc > 1 && setrlimit(RLIMIT_AS, &limit) == 0;
  for (int i = 1; ok && i < argc; i++)
    ok = try_file(argv[i]);
  return !ok;
}
