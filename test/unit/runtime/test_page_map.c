// Which pages are the process's own copies, on a private mapping of a file.
#include <criterion/criterion.h>

#include <sys/mman.h>
#include <unistd.h>

#include "runtime/page_map.h"

enum { PAGES = 1100 }; // more than are asked about at a time

static size_t page;
static char *base;

static void map_file(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  int fd = memfd_create("pages", 0);
  cr_assert_eq(ftruncate(fd, (off_t)(PAGES * page)), 0);
  base = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  cr_assert_neq(base, MAP_FAILED);
  close(fd);
}

TestSuite(page_map, .init = map_file);

static bool untouched(size_t first, size_t last) {
  return contprof_pages_untouched(base + first * page, base + last * page);
}

Test(page_map, what_nobody_has_touched) {
  cr_assert(untouched(0, PAGES));
}

Test(page_map, what_was_read_is_still_the_file) {
  cr_assert_eq(*(volatile char *)(base + 7 * page), 0);
  cr_assert(untouched(0, PAGES));
}

Test(page_map, one_page_that_was_written) {
  static const size_t places[] = {0, 1, 511, 512, 1023, 1024, PAGES - 1};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    map_file();
    *(volatile char *)(base + places[i] * page) = 1;
    cr_assert_not(untouched(0, PAGES), "page %zu", places[i]);
    cr_assert(untouched(0, places[i]));
    cr_assert(untouched(places[i] + 1, PAGES));
  }
}
