// Files opened as a whole and in part.
#include "tools/base/file_view.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 300000, LEAST = 200000 };

static char path[] = "/tmp/contprof-test-XXXXXX";
static uint8_t content[SIZE];
static struct contprof_error error;

static void make(void) {
  int fd = mkstemp(path);
  cr_assert(fd >= 0);
  for (int i = 0; i < SIZE; i++)
    content[i] = (uint8_t)(i * 31 + i / 256);
  cr_assert_eq(write(fd, content, SIZE), SIZE);
  close(fd);
  contprof_error_clear(&error);
}

static void drop(void) {
  unlink(path);
}

TestSuite(file_view, .init = make, .fini = drop);

static bool is_whole(const struct contprof_file_view *view) {
  return !contprof_file_is_part(view) && view->size == SIZE &&
         memcmp(view->bytes, content, SIZE) == 0;
}

Test(file_view, small_files_are_read_at_once) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, SIZE + 1, &view, &error));
  cr_expect(is_whole(&view));
  contprof_file_close(&view);
}

Test(file_view, of_large_files_the_beginning_is_there) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert(contprof_file_is_part(&view));
  cr_expect_eq(view.size, SIZE);
  cr_assert(view.held >= 8 && view.held < SIZE);
  cr_expect_eq(memcmp(view.bytes, content, view.held), 0);
  contprof_file_close(&view);
}

Test(file_view, parts_and_the_rest_can_be_read) {
  struct contprof_file_view view = {0};
  uint8_t part[100];
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert(contprof_file_read_part(&view, SIZE - sizeof part, sizeof part, part));
  cr_expect_eq(memcmp(part, content + SIZE - sizeof part, sizeof part), 0);
  cr_expect_not(contprof_file_read_part(&view, SIZE - sizeof part + 1, sizeof part, part));
  cr_assert(contprof_file_read_rest(&view, &error));
  cr_expect(is_whole(&view));
  contprof_file_close(&view);
}

Test(file_view, a_file_that_shrank_is_read_as_it_is) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert_eq(truncate(path, LEAST), 0);
  cr_assert(contprof_file_read_rest(&view, &error));
  cr_expect_eq(view.size, LEAST);
  contprof_file_close(&view);
}

Test(file_view, a_file_that_is_left_is_closed) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  int descriptor = view.descriptor - 1;
  contprof_file_leave(&view);
  cr_expect_eq(fcntl(descriptor, F_GETFD), -1);
  cr_expect(!contprof_file_is_part(&view) && view.size == 0);
  cr_assert(contprof_file_open_next(path, &view, &error));
  cr_expect(is_whole(&view));
  contprof_file_close(&view);
}

Test(file_view, one_view_serves_for_file_after_file) {
  struct contprof_file_view view = {0};
  for (int i = 0; i < 3; i++) {
    cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
    cr_expect(contprof_file_is_part(&view));
    cr_assert(contprof_file_open_next(path, &view, &error));
    cr_expect(is_whole(&view));
  }
  contprof_file_close(&view);
}
