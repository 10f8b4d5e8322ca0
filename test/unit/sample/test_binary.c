// A binary is read, and what is damaged is refused or read in part, but never the end of the
// process. The answers themselves are compared with LLVM's in test/e2e/458 and 459. FIXTURES are
// builds of inlining_fixture.c, divided by colons; that of SPLIT_FIXTURE has its debug
// information in a package beside it.
#include "tools/base/file_view.h"
#include "tools/base/memory.h"
#include "tools/base/mt19937.h"
#include "tools/sample/binary.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CUTS = 150, DAMAGES = 1200 };

static struct contprof_binary *open_with(const char *path, const char *package,
                                         struct contprof_error *error) {
  struct contprof_binary_options options = {.path = path, .dwp = package};
  contprof_error_clear(error);
  return contprof_binary_open(&options, error);
}

static struct contprof_binary *open_path(const char *path, struct contprof_error *error) {
  return open_with(path, NULL, error);
}

// Asks about every address of every function; at most so many, for a damaged range may be of any
// size.
static size_t look_everywhere(struct contprof_binary *binary) {
  const struct contprof_function_range **ranges;
  size_t count = contprof_binary_ranges(binary, &ranges);
  size_t frames = 0, left = 20000;
  for (size_t i = 0; i < count; i++)
    for (uint64_t at = ranges[i]->start; at < ranges[i]->end && left > 0; at++, left--) {
      const struct contprof_location *location = contprof_binary_locate(binary, at);
      cr_assert(location->start <= at && at < location->end);
      for (size_t j = 0; j < location->frame_count; j++)
        frames += strlen(location->frames[j].name) > 0;
      contprof_instruction_at(binary, at);
      contprof_crosses_barrier(binary, at, at + 8);
    }
  contprof_instruction_next(binary, 0);
  return frames;
}

// A file of these bytes, without a name; `path` is another for it.
static int file_of(const uint8_t *bytes, size_t size, char path[64]) {
  int descriptor = memfd_create("binary", 0);
  cr_assert(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
  snprintf(path, 64, "/proc/self/fd/%d", descriptor);
  return descriptor;
}

// Opens these bytes as a binary, or as the package of the binary `packed`, and asks about all of it
// if that is possible.
static void try_bytes(const uint8_t *bytes, size_t size, const char *packed) {
  char path[64];
  int descriptor = file_of(bytes, size, path);
  struct contprof_error error;
  struct contprof_binary *binary =
      packed ? open_with(packed, path, &error) : open_path(path, &error);
  cr_assert_eq(binary == NULL, error.code != CONTPROF_OK);
  if (binary)
    look_everywhere(binary);
  contprof_binary_close(binary);
  close(descriptor);
}

// Calls the test with each program, and with the file that has its debug information.
static void each_fixture(void (*test)(const char *path, const char *debug)) {
  char paths[] = FIXTURES;
  for (char *rest = paths, *path; (path = strsep(&rest, ":"));)
    test(path, path);
  test(SPLIT_FIXTURE, SPLIT_FIXTURE ".dwp");
}

static const struct contprof_binary_function *function(struct contprof_binary *binary,
                                                       const char *name) {
  const struct contprof_binary_function **functions;
  size_t count = contprof_binary_functions(binary, &functions);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(functions[i]->name, name))
      return functions[i];
  return NULL;
}

static void finds_inlined(const char *path, const char *debug) {
  struct contprof_error error;
  struct contprof_binary *binary = open_with(path, debug == path ? NULL : debug, &error);
  cr_assert_not_null(binary, "%s: %s", path, error.message);
  cr_assert_eq(contprof_binary_missing_dwo(binary), 0);
  const struct contprof_binary_function *outer = function(binary, "outer");
  cr_assert(outer && outer->range_count > 0 && outer->ranges[0]->is_entry);
  uint64_t start = outer->ranges[0]->start, end = outer->ranges[0]->end;
  cr_assert_eq(contprof_binary_range_at(binary, start), outer->ranges[0]);
  cr_assert_eq(contprof_binary_range_starting(binary, start), outer->ranges[0]);
  cr_assert_null(contprof_binary_range_starting(binary, start + 1));
  bool has_three = false;
  for (uint64_t at = start; at < end; at = contprof_binary_locate(binary, at)->end) {
    const struct contprof_location *location = contprof_binary_locate(binary, at);
    has_three |= location->frame_count == 3 && !strcmp(location->frames[0].name, "outer") &&
                 !strcmp(location->frames[1].name, "sum_of_squares") &&
                 !strcmp(location->frames[2].name, "square") &&
                 location->frames[2].line_offset == 1;
  }
  cr_assert(has_three, "%s: square is not in sum_of_squares in outer", path);
  contprof_binary_close(binary);
}

Test(binary, finds_functions_and_what_is_inlined) {
  each_fixture(finds_inlined);
}

static void is_cut(const char *path, const char *debug) {
  struct contprof_file_view view = {0};
  struct contprof_error error;
  contprof_error_clear(&error);
  cr_assert(contprof_file_open(debug, &view, &error));
  for (uint64_t i = 0; i < CUTS; i++)
    try_bytes(view.bytes, view.size * i / CUTS, debug == path ? NULL : path);
  contprof_file_close(&view);
}

Test(binary, survives_being_cut_anywhere) {
  each_fixture(is_cut);
}

// Where damage is likely to be noticed: anything but the code of the C library's start.
static void is_damaged(const char *path, const char *debug) {
  static const uint8_t VALUES[] = {0, 0xff, 0x80, 0x7f, 1};
  struct contprof_file_view view = {0};
  struct contprof_error error;
  struct contprof_mt19937 random = {0};
  contprof_error_clear(&error);
  cr_assert(contprof_file_open(debug, &view, &error));
  uint8_t *copy = contprof_need(malloc(view.size));
  for (int i = 0; i < DAMAGES; i++) {
    memcpy(copy, view.bytes, view.size);
    uint32_t at = contprof_mt19937_below(&random, (uint32_t)view.size);
    uint32_t length = contprof_mt19937_below(&random, 8) + 1;
    for (uint32_t j = at; j < at + length && j < view.size; j++)
      copy[j] = VALUES[contprof_mt19937_below(&random, sizeof VALUES)];
    try_bytes(copy, view.size, debug == path ? NULL : path);
  }
  free(copy);
  contprof_file_close(&view);
}

Test(binary, survives_damage_anywhere) {
  each_fixture(is_damaged);
}

Test(binary, refuses_what_is_no_binary) {
  struct contprof_error error;
  cr_assert_null(open_path("/nonexistent/binary", &error));
  cr_assert_eq(error.code, CONTPROF_NOT_FOUND);
  cr_assert_null(open_path("/", &error));
  cr_assert_eq(error.code, CONTPROF_UNSUPPORTED);
  char path[64];
  int descriptor = file_of((const uint8_t *)"text, not code\n", 15, path);
  cr_assert_null(open_path(path, &error));
  cr_assert_eq(error.code, CONTPROF_UNSUPPORTED);
  close(descriptor);
}
