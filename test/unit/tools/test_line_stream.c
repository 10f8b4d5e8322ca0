// Lines of any size and end come out of a file, whatever blocks it is read in.
#include "tools/base/line_stream.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/contprof-test-XXXXXX";
static FILE *file;
static struct contprof_line_stream stream;
static struct contprof_error error;

static void enter(void) {
  file = fdopen(mkstemp(path), "w");
  cr_assert_not_null(file);
  contprof_error_clear(&error);
}

static void leave(void) {
  contprof_line_stream_close(&stream);
  remove(path);
}

static void begin(void) {
  cr_assert_eq(fclose(file), 0);
  cr_assert(contprof_line_stream_open(path, &stream, &error));
}

static void expect(const char *line) {
  uint64_t before = stream.number;
  cr_assert(contprof_line_stream_next(&stream), "no %s", line);
  cr_expect_eq(stream.length, strlen(line));
  cr_expect_eq(memcmp(stream.line, line, stream.length), 0);
  cr_expect_eq(stream.number, before + 1);
}

static void expect_end(void) {
  cr_expect_not(contprof_line_stream_next(&stream));
  cr_expect_not(contprof_line_stream_next(&stream));
}

TestSuite(line_stream, .init = enter, .fini = leave);

Test(line_stream, an_empty_file_has_no_line) {
  begin();
  expect_end();
  cr_expect_eq(error.code, CONTPROF_OK);
}

Test(line_stream, both_ends_and_none) {
  fputs("one\r\n\n\r\ntwo\rmore\nthree", file);
  begin();
  expect("one");
  expect("");
  expect("");
  expect("two\rmore");
  expect("three");
  expect_end();
  cr_expect_eq(error.code, CONTPROF_OK);
}

static void fill(char *line, size_t length) {
  memset(line, 'a' + (int)(length % 26), length);
  line[length] = 0;
}

// Lines of every length around the sizes that are read at once, and longer ones.
Test(line_stream, lines_across_blocks) {
  static const size_t sizes[] = {1, 131071, 131072, 131073, 262143, 262144, 262145, 3000000, 5};
  char *line = malloc(3000001);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fill(line, sizes[i]);
    fprintf(file, "%s\n", line);
  }
  for (size_t length = 0; length < 2000; length++) {
    fill(line, length);
    fprintf(file, "%s\n", line);
  }
  begin();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fill(line, sizes[i]);
    expect(line);
  }
  for (size_t length = 0; length < 2000; length++) {
    fill(line, length);
    expect(line);
  }
  expect_end();
  free(line);
}

Test(line_stream, a_line_without_end_is_an_error) {
  static char block[1 << 16];
  memset(block, 'x', sizeof block);
  fputs("good\n", file);
  for (size_t size = 0; size <= CONTPROF_LINE_MAX; size += sizeof block)
    fwrite(block, sizeof block, 1, file);
  begin();
  expect("good");
  expect_end();
  cr_expect_eq(error.code, CONTPROF_UNSUPPORTED);
  cr_expect_not_null(strstr(error.message, "line 2 "), "%s", error.message);
}

Test(line_stream, what_can_not_be_read_is_an_error) {
  fclose(file);
  cr_expect_not(contprof_line_stream_open("/nonexistent/text", &stream, &error));
  cr_expect_eq(error.code, CONTPROF_NOT_FOUND);
  contprof_line_stream_close(&stream);
  contprof_error_clear(&error);
  cr_expect(contprof_line_stream_open("/", &stream, &error));
  expect_end();
  cr_expect_eq(error.code, CONTPROF_IO);
}
