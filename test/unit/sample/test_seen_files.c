// Files by path and build-id, each once, and their samples.
#include "tools/sample/seen_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static struct contprof_perf_mmap map_of(const char *path, uint8_t id) {
  return (struct contprof_perf_mmap){.path = path, .build_id = {id}, .build_id_size = id ? 1 : 0};
}

Test(seen_files, a_file_is_its_path_and_its_build_id) {
  struct contprof_seen_files seen = {0};
  char path[] = "/lib/a";
  struct contprof_perf_mmap a = map_of(path, 1), other = map_of("/lib/a", 2);
  struct contprof_perf_mmap untold = map_of("/lib/a", 0);
  uint32_t first = contprof_seen_files_add(&seen, &a);
  cr_expect_neq(first, 0);
  cr_expect_neq(contprof_seen_files_add(&seen, &other), first);
  cr_expect_neq(contprof_seen_files_add(&seen, &untold), first);
  cr_expect_eq(contprof_seen_files_add(&seen, &a), first);
  path[5] = 'b'; // the path was copied
  cr_expect_str_eq(seen.files[first].path, "/lib/a");
  contprof_seen_files_free(&seen);
}

Test(seen_files, many_keep_their_places) {
  enum { MANY = 5000 };
  struct contprof_seen_files seen = {0};
  char path[32];
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < MANY; i++) {
      snprintf(path, sizeof path, "/tmp/%u", i);
      struct contprof_perf_mmap map = map_of(path, 0);
      cr_assert_eq(contprof_seen_files_add(&seen, &map), i + 1);
    }
  cr_expect_str_eq(seen.files[1234 + 1].path, "/tmp/1234");
  contprof_seen_files_free(&seen);
}

Test(seen_files, those_with_samples_come_in_their_order) {
  struct contprof_seen_files seen = {0};
  const struct contprof_seen_file **sorted;
  struct contprof_perf_mmap b = map_of("/b", 0), a = map_of("/a", 0), c = map_of("/c", 0);
  struct contprof_perf_mmap none = map_of("/none", 0);
  contprof_seen_files_count(&seen, 77, 1); // no such file
  contprof_seen_files_count(&seen, contprof_seen_files_add(&seen, &b), 5);
  contprof_seen_files_count(&seen, contprof_seen_files_add(&seen, &a), 5);
  contprof_seen_files_add(&seen, &none);
  contprof_seen_files_count(&seen, contprof_seen_files_add(&seen, &c), 9);
  cr_assert_eq(contprof_seen_files_sorted(&seen, &sorted), 4);
  cr_expect_str_eq(sorted[0]->path, "/c");
  cr_expect_str_eq(sorted[1]->path, "/a");
  cr_expect_str_eq(sorted[2]->path, "/b");
  cr_expect_str_eq(sorted[3]->path, "");
  free(sorted);
  contprof_seen_files_restart(&seen);
  cr_expect_eq(contprof_seen_files_sorted(&seen, &sorted), 0);
  free(sorted);
  contprof_seen_files_free(&seen);
}
