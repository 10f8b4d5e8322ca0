// cut_everywhere FILE...: each profile cut to every length, and with each of its first eight-byte
// words (the header's fields, and what follows) set to 0, 1, the largest numbers and near what it
// is: a profile or a message, never a crash, within MEMORY. Says how many of the changed files were
// profiles all the same.
#include "fuzz_profile.h"
#include "tools/instr/profile_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WORDS = 40 };               // of 8 bytes; the longest header has 16
#define MEMORY (UINT64_C(1) << 29) // bytes of address space

struct tally {
  unsigned cut, cut_good, changed, changed_good;
};

static void cut(const struct contprof_file_view *file, struct tally *tally) {
  for (uint64_t size = 0; size < file->size; size++) {
    tally->cut++;
    tally->cut_good += contprof_fuzz(contprof_profile_read, file->bytes, size);
  }
}

static void change(const struct contprof_file_view *file, uint8_t *copy, struct tally *tally) {
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
      tally->changed++;
      tally->changed_good += contprof_fuzz(contprof_profile_read, copy, file->size);
    }
    memcpy(copy + at, &old, sizeof old);
  }
}

static bool try_file(const char *path) {
  struct contprof_file_view file;
  struct contprof_error error;
  struct tally tally = {0};
  contprof_error_clear(&error);
  if (!contprof_file_open(path, &file, &error) ||
      !contprof_fuzz(contprof_profile_read, file.bytes, file.size)) {
    printf("%s is no profile to begin with\n", path);
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
