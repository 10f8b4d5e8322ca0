// Many files summed by several threads, against the same files added one after another.
#include "raw_bytes.h"
#include "tools/instr/sum_ahead.h"
#include "tools/instr/text_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILES = 200, MISSING = 70, CUT = 71, OTHER_BUILD = 120 }; // of them, what is bad or other

static char directory[] = "/tmp/contprof-test-XXXXXX";
static char paths[FILES][64];
static struct contprof_sum_input inputs[FILES];
static struct contprof_error error;

static void write_file(int number) {
  struct raw_bytes raw = {
      .version = 10, .pointer_size = 8, .no_values = number == OTHER_BUILD}; // main conflicts
  raw_put_image(&raw);
  FILE *file = fopen(paths[number], "wb");
  size_t size = number == CUT ? raw.size / 2 : raw.size;
  cr_assert(file && fwrite(raw.bytes, 1, size, file) == size && fclose(file) == 0);
}

static void make(void) {
  cr_assert_not_null(mkdtemp(directory));
  for (int i = 0; i < FILES; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%d.profraw", directory, i);
    inputs[i] = (struct contprof_sum_input){.path = paths[i], .weight = (uint64_t)i % 3 + 1};
    if (i != MISSING)
      write_file(i);
  }
}

static void drop(void) {
  for (int i = 0; i < FILES; i++)
    remove(paths[i]);
  rmdir(directory);
}

TestSuite(sum_ahead, .init = make, .fini = drop);

static bool add_alone(struct contprof_profile_sum *sum, int number,
                      struct contprof_sum_report *report) {
  static struct contprof_file_view file;
  contprof_error_clear(&error);
  bool ok = contprof_file_open(paths[number], &file, &error) &&
            contprof_profile_sum_add(sum, &file, inputs[number].weight, report, &error);
  contprof_file_close(&file);
  return ok;
}

static void finish(struct contprof_profile_sum *sum, struct contprof_byte_writer *text) {
  struct contprof_merge_report report = {0};
  contprof_profile_sum_finish(sum, &report);
  contprof_profile_sort(&sum->profile);
  cr_assert(contprof_text_write(&sum->profile, text, &error));
  contprof_profile_sum_free(sum);
}

// Each result comes in the inputs' order, with what one thread would say of the file.
static void check_with(unsigned threads) {
  struct contprof_profile_sum one = {0}, all = {0};
  struct contprof_byte_writer wanted = {0}, got = {0};
  struct contprof_sum_ahead *ahead = contprof_sum_ahead_start(&all, inputs, FILES, threads);
  cr_assert_not_null(ahead);
  for (int i = 0; i < FILES; i++) {
    struct contprof_sum_report report = {0}, alone = {0};
    struct contprof_error said;
    contprof_error_clear(&said);
    bool ok = contprof_sum_ahead_next(ahead, &report, &said);
    cr_assert_eq(ok, i != MISSING && i != CUT, "file %d", i);
    cr_assert_eq(add_alone(&one, i, &alone), ok, "file %d", i);
    cr_assert_eq(report.functions, alone.functions);
    cr_assert_eq(report.merge.functions_dropped, i == OTHER_BUILD);
    cr_assert_eq(alone.merge.functions_dropped, i == OTHER_BUILD);
    cr_assert_eq(said.code, error.code);
    cr_assert_eq(said.offset, error.offset);
  }
  contprof_sum_ahead_end(ahead);
  finish(&one, &wanted);
  finish(&all, &got);
  cr_assert(wanted.size == got.size && memcmp(wanted.bytes, got.bytes, got.size) == 0,
            "%u threads: %.*s", threads, (int)got.size, got.bytes);
  contprof_byte_writer_free(&wanted);
  contprof_byte_writer_free(&got);
}

Test(sum_ahead, does_what_one_after_another_does) {
  for (unsigned threads = 1; threads <= 8; threads *= 2)
    check_with(threads);
}

// So large that they are read piece by piece, several side by side: zero bytes may follow.
Test(sum_ahead, does_the_same_with_large_files) {
  for (int i = 0; i < FILES; i++)
    cr_assert(i == MISSING || truncate(paths[i], 1100000) == 0);
  check_with(1);
  check_with(3);
}

Test(sum_ahead, takes_no_input_at_all) {
  struct contprof_profile_sum sum = {0};
  struct contprof_sum_ahead *ahead = contprof_sum_ahead_start(&sum, inputs, 0, 4);
  cr_assert_not_null(ahead);
  contprof_sum_ahead_end(ahead);
  cr_assert_eq(sum.profile.function_count, 0);
  contprof_profile_sum_free(&sum);
}
