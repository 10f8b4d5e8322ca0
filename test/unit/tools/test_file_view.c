// Files opened as a whole and in part.
#include "tools/base/file_view.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

// Parts forwards, backwards, and larger than what is mapped at once.
Test(file_view, parts_can_be_looked_at) {
  struct contprof_file_view view = {0};
  static uint8_t scratch[SIZE];
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  for (int i = 0; i < 2000; i++) {
    uint64_t offset = (uint64_t)(i % 2 ? i * 131 : SIZE - i * 131) % SIZE;
    uint64_t size = (uint64_t)i * 97 % (SIZE - offset);
    const uint8_t *part = contprof_file_part(&view, offset, size, scratch);
    cr_assert(part && part != scratch && memcmp(part, content + offset, size) == 0);
  }
  cr_expect(contprof_file_is_whole(&view));
  cr_expect_null(contprof_file_part(&view, SIZE - 10, 11, scratch));
  cr_expect_null(contprof_file_part(&view, UINT64_MAX, 11, scratch));
  contprof_file_close(&view);
}

Test(file_view, parts_that_cannot_be_mapped_are_read) {
  struct contprof_file_view view = {0};
  struct rlimit none = {4096, 4096};
  static uint8_t scratch[SIZE];
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
  const uint8_t *part = contprof_file_part(&view, 12345, SIZE - 12345, scratch);
  cr_assert(part == scratch && memcmp(part, content + 12345, SIZE - 12345) == 0);
  cr_assert(contprof_file_is_whole(&view));
  contprof_file_close(&view);
}

// Behind the page that the file ends in, and within it.
Test(file_view, parts_that_are_cut_off_are_zeros) {
  enum { LEFT = LEAST + 1000 };
  struct contprof_file_view view = {0};
  static uint8_t scratch[SIZE], zeros[SIZE];
  for (int i = 0; i < 2; i++) {
    cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
    const uint8_t *part = contprof_file_part(&view, 0, SIZE, scratch);
    cr_assert_eq(truncate(path, LEFT), 0);
    cr_expect_eq(memcmp(part, content, LEFT), 0);
    cr_expect_eq(memcmp(part + LEFT, zeros, i ? SIZE - LEFT : 1000), 0);
    cr_expect_not(contprof_file_is_whole(&view));
    cr_assert(i == 0 || !contprof_file_part(&view, 0, 1, scratch));
    contprof_file_leave(&view);
    cr_assert_eq(truncate(path, SIZE), 0);
    memset(content + LEFT, 0, SIZE - LEFT);
  }
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_expect(contprof_file_part(&view, 0, SIZE, scratch) && contprof_file_is_whole(&view));
  contprof_file_close(&view);
}

// What ends a program otherwise does so still.
Test(file_view, other_faults_are_as_they_were, .signal = SIGBUS) {
  struct contprof_file_view view = {0};
  static uint8_t scratch[SIZE];
  int fd = open(path, O_RDWR);
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert_not_null(contprof_file_part(&view, 0, SIZE, scratch));
  volatile uint8_t *other = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
  cr_assert(other != MAP_FAILED && truncate(path, 0) == 0);
  cr_assert_eq(other[0], 0, "no fault");
}

// With a mapping, which the signal has nothing to do with.
Test(file_view, a_signal_that_is_sent_ends_the_program, .signal = SIGBUS) {
  struct contprof_file_view view = {0};
  static uint8_t scratch[SIZE];
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert_not_null(contprof_file_part(&view, 0, SIZE, scratch));
  kill(getpid(), SIGBUS);
}

Test(file_view, a_file_that_shrank_is_read_as_it_is) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert_eq(truncate(path, LEAST), 0);
  cr_assert(contprof_file_read_rest(&view, &error));
  cr_expect_eq(view.size, LEAST);
  contprof_file_close(&view);
}

static bool cut_what_is_read(const struct contprof_file_view *beginning) {
  (void)beginning;
  return truncate(path, 1000) == 0;
}

// Behind what has been read: what is there by then may be zeros that were read while it was cut.
Test(file_view, what_is_cut_while_it_is_read_is_no_part) {
  struct contprof_file_view view = {.is_wanted = cut_what_is_read};
  cr_assert(contprof_file_open_part(path, SIZE + 1, &view, &error));
  cr_expect_eq(view.size, 1000);
  contprof_file_close(&view);
}

Test(file_view, what_is_cut_before_the_rest_is_read_is_no_part) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_part(path, LEAST, &view, &error));
  cr_assert(view.held > 1000 && truncate(path, 1000) == 0);
  cr_assert(contprof_file_read_rest(&view, &error));
  cr_expect(view.size == 1000 && view.held == 1000);
  contprof_file_close(&view);
}

Test(file_view, files_without_a_size_have_what_can_be_read) {
  struct contprof_file_view view = {0};
  cr_assert(contprof_file_open_next("/proc/self/status", &view, &error));
  cr_expect_gt(view.size, 0);
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
