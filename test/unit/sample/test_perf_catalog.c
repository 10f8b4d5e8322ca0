// Events by id, names, and build-ids by path.
#include "tools/sample/perf_catalog.h"
#include "tools/sample/perf_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static size_t add(struct contprof_perf_catalog *catalog, uint64_t sample_type, uint32_t sample_id,
                  bool sample_id_all) {
  struct contprof_perf_attr attr = {.sample_type = sample_type,
                                    .sample_id = sample_id,
                                    .flags = (uint64_t)sample_id_all << PERF_ATTR_SAMPLE_ID_ALL};
  return contprof_perf_catalog_add(catalog, &attr);
}

Test(perf_catalog, many_ids) {
  struct contprof_perf_catalog catalog = {0};
  enum { COUNT = 5000 };
  add(&catalog, 1, 8, true);
  add(&catalog, 1, 8, true);
  cr_expect_eq(contprof_perf_catalog_find_id(&catalog, 7), 2, "none is known");
  for (uint64_t id = 0; id < COUNT; id++)
    contprof_perf_catalog_add_id(&catalog, id << 40, id % 2);
  contprof_perf_catalog_add_id(&catalog, 0, 1);
  for (uint64_t id = 1; id < COUNT; id++)
    cr_assert_eq(contprof_perf_catalog_find_id(&catalog, id << 40), id % 2);
  cr_expect_eq(contprof_perf_catalog_find_id(&catalog, 0), 1, "the last word counts");
  cr_expect_eq(contprof_perf_catalog_find_id(&catalog, 1), 2);
  contprof_perf_catalog_free(&catalog);
}

Test(perf_catalog, what_events_have_in_common) {
  struct contprof_perf_catalog catalog = {0};
  add(&catalog, 1, 8, true);
  cr_expect(catalog.same_layout && catalog.id_decides && catalog.by_time);
  add(&catalog, 3, 8, true);
  cr_expect(!catalog.same_layout && catalog.id_decides && catalog.by_time);
  add(&catalog, 3, 16, false);
  cr_expect(!catalog.same_layout && !catalog.id_decides && !catalog.by_time);
  contprof_perf_catalog_free(&catalog);
  add(&catalog, 1, CONTPROF_PERF_NOWHERE, true);
  cr_expect(catalog.same_layout && !catalog.id_decides);
  contprof_perf_catalog_free(&catalog);
}

Test(perf_catalog, names) {
  struct contprof_perf_catalog catalog = {0};
  add(&catalog, 1, 8, true);
  const char *derived = catalog.attrs[0].name;
  cr_expect_str_eq(derived, "cycles:HG");
  contprof_perf_catalog_name(&catalog, 0, "mine\0rest", 9);
  cr_expect_str_eq(catalog.attrs[0].name, "mine");
  contprof_perf_catalog_name(&catalog, 0, "cut short", 3);
  cr_expect_str_eq(catalog.attrs[0].name, "cut");
  contprof_perf_catalog_name(&catalog, 0, "", 1);
  cr_expect_str_eq(catalog.attrs[0].name, "cut", "no name is none");
  cr_expect_str_eq(derived, "cycles:HG", "what was handed out stays");
  contprof_perf_catalog_free(&catalog);
}

// Gives the catalog a record's body: PID, id, its size, path.
static bool tell(struct contprof_perf_catalog *catalog, const char *path, uint8_t size, bool told,
                 size_t bytes) {
  uint8_t body[128] = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  for (size_t i = 0; i < size && i < 20; i++)
    body[4 + i] = (uint8_t)(i + 1);
  body[24] = told ? size : 0;
  memcpy(body + 28, path, strlen(path) + 1);
  struct contprof_cursor cursor = contprof_cursor_over(body, bytes, 0, "file", "data", &error);
  contprof_perf_catalog_build_id(catalog, told ? PERF_MISC_BUILD_ID_SIZE : 0, &cursor);
  return error.code == CONTPROF_OK;
}

static unsigned size_of(const struct contprof_perf_catalog *catalog, const char *path) {
  struct contprof_perf_mmap map = {.path = path};
  contprof_perf_catalog_complete(catalog, &map);
  for (unsigned i = 0; i < map.build_id_size; i++)
    cr_expect_eq(map.build_id[i], i + 1);
  return map.build_id_size;
}

Test(perf_catalog, build_ids) {
  struct contprof_perf_catalog catalog = {0};
  cr_expect_eq(size_of(&catalog, "/a"), 0);
  cr_expect(tell(&catalog, "/a", 20, true, 64));
  cr_expect(tell(&catalog, "/b", 16, true, 64));
  cr_expect(tell(&catalog, "/c", 16, false, 64));
  cr_expect(tell(&catalog, "/d", 20, false, 64));
  cr_expect_eq(size_of(&catalog, "/a"), 20);
  cr_expect_eq(size_of(&catalog, "/b"), 16);
  cr_expect_eq(size_of(&catalog, "/c"), 16, "zeros fill up an id without a size");
  cr_expect_eq(size_of(&catalog, "/d"), 20);
  cr_expect_eq(size_of(&catalog, "/"), 0);
  contprof_perf_catalog_free(&catalog);
}

Test(perf_catalog, the_kernels) {
  struct contprof_perf_catalog catalog = {0};
  cr_expect(tell(&catalog, "[kernel.kallsyms]", 20, true, 64));
  cr_expect_eq(size_of(&catalog, "[kernel.kallsyms]_text"), 20);
  cr_expect_eq(size_of(&catalog, "[kernel.kallsyms"), 0);
  cr_expect_eq(size_of(&catalog, "[vdso]"), 0);
  contprof_perf_catalog_free(&catalog);
}

static bool is_of_several(const struct contprof_perf_catalog *catalog, const char *path) {
  struct contprof_perf_mmap map = {.path = path};
  contprof_perf_catalog_complete(catalog, &map);
  return map.of_several;
}

Test(perf_catalog, a_path_of_several_files) {
  struct contprof_perf_catalog catalog = {0};
  cr_expect(tell(&catalog, "/a", 20, true, 64));
  cr_expect(tell(&catalog, "/b", 20, true, 64));
  cr_expect(tell(&catalog, "/a", 20, true, 64)); // the same once more
  cr_expect_not(is_of_several(&catalog, "/a"));
  cr_expect(tell(&catalog, "/a", 16, true, 64));
  cr_expect(is_of_several(&catalog, "/a"));
  cr_expect_not(is_of_several(&catalog, "/b"));
  contprof_perf_catalog_free(&catalog);
}

Test(perf_catalog, a_map_keeps_its_own) {
  struct contprof_perf_catalog catalog = {0};
  struct contprof_perf_mmap map = {.path = "/a", .build_id = {9}, .build_id_size = 1};
  cr_expect(tell(&catalog, "/a", 20, true, 64));
  contprof_perf_catalog_complete(&catalog, &map);
  cr_expect_eq(map.build_id_size, 1);
  contprof_perf_catalog_free(&catalog);
}

Test(perf_catalog, many_files_and_bad_ids) {
  struct contprof_perf_catalog catalog = {0};
  char path[32];
  for (int i = 0; i < 1000; i++) {
    snprintf(path, sizeof path, "/lib/%d.so", i);
    cr_assert(tell(&catalog, path, (uint8_t)(1 + i % 20), true, 64));
  }
  for (int i = 0; i < 1000; i++) {
    snprintf(path, sizeof path, "/lib/%d.so", i);
    cr_assert_eq(size_of(&catalog, path), 1 + i % 20);
  }
  cr_expect_not(tell(&catalog, "/x", 21, true, 64));
  cr_expect_not(tell(&catalog, "/x", 20, true, 27));
  cr_expect(tell(&catalog, "", 20, true, 28), "no path, nothing to note");
  contprof_perf_catalog_free(&catalog);
}
