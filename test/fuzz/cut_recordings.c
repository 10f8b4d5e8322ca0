// cut_recordings FILE...: each perf.data cut to every length, and with each of its 16-, 32- and
// 64-bit words, at every second byte, set to 0, 1, the largest numbers and near what it is: events
// and a message, never a crash, within a bound of memory. Says how many of the changed files were
// good all the same.
#include "cut_files.h"
#include "fuzz_recording.h"

#include <string.h>

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally);

static const struct contprof_cutter RECORDINGS = {"recording", contprof_fuzz_recording, change};

static void change_word(const struct contprof_file_view *file, uint8_t *copy, size_t at,
                        size_t width, struct contprof_cut_tally *tally) {
  uint64_t old = 0;
  memcpy(&old, file->bytes + at, width);
  const uint64_t numbers[] = {0,         1,       UINT64_MAX, UINT64_MAX - 7, UINT64_MAX >> 1,
                              old + 8,   old - 8, old * 1024, file->size,     UINT64_C(1) << 63,
                              UINT32_MAX};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    memcpy(copy + at, &numbers[i], width);
    contprof_cut_try(&RECORDINGS, copy, file->size, tally);
  }
  memcpy(copy + at, file->bytes + at, width);
}

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally) {
  for (size_t at = 0; at < file->size; at += 2)
    for (size_t width = 2; width <= 8; width *= 2)
      if (at % width == 0 && width <= file->size - at)
        change_word(file, copy, at, width, tally);
}

int main(int argc, char **argv) {
  return contprof_cut_files(&RECORDINGS, argc, argv);
}
