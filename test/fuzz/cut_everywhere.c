// cut_everywhere FILE...: each profile cut to every length, and with each of its first eight-byte
// words (the header's fields, and what follows) set to 0, 1, the largest numbers and near what it
// is: a profile or a message, never a crash, within a bound of memory. Says how many of the changed
// files were profiles all the same.
#include "cut_files.h"
#include "fuzz_profile.h"
#include "tools/instr/profile_load.h"

#include <string.h>

enum { WORDS = 40 }; // of 8 bytes; the longest header has 16

static bool is_good(const uint8_t *bytes, size_t size) {
  return contprof_fuzz(contprof_profile_read, bytes, size);
}

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally);

static const struct contprof_cutter PROFILES = {"profile", is_good, change};

static void change(const struct contprof_file_view *file, uint8_t *copy,
                   struct contprof_cut_tally *tally) {
  for (size_t at = 0; at < WORDS * sizeof(uint64_t) && at + sizeof(uint64_t) <= file->size;
       at += sizeof(uint64_t)) {
    uint64_t old;
    memcpy(&old, file->bytes + at, sizeof old);
    const uint64_t numbers[] = {
        0,          1,          UINT64_MAX, UINT64_MAX - 7,   UINT64_MAX / 2,
        UINT32_MAX, old + 1,    old - 1,    old + 8,          old - 8,
        old << 32,  old * 1024, file->size, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      memcpy(copy + at, &numbers[i], sizeof old);
      contprof_cut_try(&PROFILES, copy, file->size, tally);
    }
    memcpy(copy + at, &old, sizeof old);
  }
}

int main(int argc, char **argv) {
  return contprof_cut_files(&PROFILES, argc, argv);
}
