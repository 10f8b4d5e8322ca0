#include "cut_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMORY (UINT64_C(1) << 29) // bytes of address space

void contprof_cut_try(const struct contprof_cutter *cutter, const uint8_t *bytes, size_t size,
                      struct contprof_cut_tally *tally) {
  tally->changed++;
  tally->changed_good += cutter->is_good(bytes, size);
}

static void cut(const struct contprof_cutter *cutter, const struct contprof_file_view *file,
                struct contprof_cut_tally *tally) {
  for (uint64_t size = 0; size < file->size; size++) {
    uint8_t *exact = malloc(size ? size : 1); // for a sanitizer to see its end
    memcpy(exact, file->bytes, size);
    tally->cut++;
    tally->cut_good += cutter->is_good(exact, size);
    free(exact);
  }
}

static bool try_file(const struct contprof_cutter *cutter, const char *path) {
  struct contprof_file_view file;
  struct contprof_error error;
  struct contprof_cut_tally tally = {0};
  contprof_error_clear(&error);
  if (!contprof_file_open(path, &file, &error) || !cutter->is_good(file.bytes, file.size)) {
    printf("%s is no %s to begin with\n", path, cutter->what);
    return false;
  }
  uint8_t *copy = malloc(file.size);
  memcpy(copy, file.bytes, file.size);
  cut(cutter, &file, &tally);
  cutter->change(&file, copy, &tally);
  printf("%s: cut %u, good %u; changed %u, good %u\n", path, tally.cut, tally.cut_good,
         tally.changed, tally.changed_good);
  free(copy);
  contprof_file_close(&file);
  return true;
}

// The address sanitizer needs address space without bounds.
static bool bound_memory(void) {
#ifdef __SANITIZE_ADDRESS__
  return true;
#else
  const struct rlimit limit = {MEMORY, MEMORY};
  return setrlimit(RLIMIT_AS, &limit) == 0;
#endif
}

int contprof_cut_files(const struct contprof_cutter *cutter, int argc, char **argv) {
  bool ok = argc > 1 && bound_memory();
  for (int i = 1; ok && i < argc; i++)
    ok = try_file(cutter, argv[i]);
  return !ok;
}
