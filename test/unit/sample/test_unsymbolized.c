// The unsymbolised profile's text: what is written is read back, and what is no such text is said.
#include "tools/sample/sample_counts.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/contprof-test-XXXXXX";
static struct contprof_sample_counts counts;
static struct contprof_error error;

static void enter(void) {
  int file = mkstemp(path);
  cr_assert_geq(file, 0);
  close(file);
  contprof_error_clear(&error);
}

static void leave(void) {
  remove(path);
  contprof_sample_counts_free(&counts);
}

static bool read_text(const char *text, size_t size, uint64_t base) {
  FILE *file = fopen(path, "w");
  cr_assert_eq(fwrite(text, 1, size, file), size);
  cr_assert_eq(fclose(file), 0);
  return contprof_unsymbolized_read(path, base, &counts, &error);
}

static void expect_read(const char *text, uint64_t base) {
  cr_assert(read_text(text, strlen(text), base), "%s", error.message);
}

static void expect_written(uint64_t base, const char *text) {
  char *written;
  size_t size;
  FILE *file = open_memstream(&written, &size);
  contprof_unsymbolized_write(&counts, base, file);
  fclose(file);
  cr_expect_str_eq(written, text);
  free(written);
}

// The very text that llvm-profgen-19 --skip-symbolization has for an external source.
static const char sample[] = "2\n650-66d:3\n650-675:1\n2\nffffffffffc00001->875:17\n66d->686:3\n";

TestSuite(unsymbolized, .init = enter, .fini = leave);

Test(unsymbolized, text_comes_back_the_same) {
  expect_read(sample, 0x400000);
  cr_expect_eq(counts.ranges.count, 2);
  expect_written(0x400000, sample);
}

Test(unsymbolized, addresses_count_from_the_base) {
  expect_read(sample, 0x400000);
  expect_written(0, "2\n400650-40066d:3\n400650-400675:1\n2\n1->400875:17\n40066d->400686:3\n");
  struct contprof_pair_count *branches = contprof_pairs_sorted(&counts.branches);
  cr_expect_eq(branches[0].from, CONTPROF_EXTERNAL);
  free(branches);
}

Test(unsymbolized, several_texts_and_blanks_add_up) {
  expect_read("1\n 10-20:5\n0\n  1\r\n10-20:2\n1\n\n10->20:1\n", 0);
  expect_written(0, "1\n10-20:7\n1\n10->20:1\n");
}

Test(unsymbolized, a_context_is_refused) {
  const char *text = "[main]\n  1\n  810-82f:15\n  0\n";
  cr_expect_not(read_text(text, strlen(text), 0));
  cr_expect_eq(error.code, CONTPROF_UNSUPPORTED);
}

Test(unsymbolized, other_text_is_an_error_with_its_line) {
  static const char *const texts[] = {"",
                                      "hello\n",
                                      "-1\n",
                                      "1\n10-20\n0\n",
                                      "1\n10-20:\n0\n",
                                      "1\n10-:1\n0\n",
                                      "1\n-10:1\n0\n",
                                      "1\n10->20:1\n0\n",
                                      "1\n10-20:1\n1\n10-20:1\n",
                                      "1\n10-20:18446744073709551616\n0\n",
                                      "1\n10000000000000000-20:1\n0\n",
                                      "18446744073709551615\n10-20:1\n0\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    contprof_error_clear(&error);
    cr_expect_not(read_text(texts[i], strlen(texts[i]), 0), "text %zu", i);
    cr_expect(strstr(error.message, "line ") || strstr(error.message, "the text ends"), "%s",
              error.message);
  }
}

// Cut anywhere it is either an error or, cut within the last number, a shorter number.
Test(unsymbolized, a_cut_text_is_no_text) {
  for (size_t size = 0; size < sizeof sample - 3; size++) {
    contprof_error_clear(&error);
    cr_expect_not(read_text(sample, size, 0), "cut at %zu", size);
    cr_expect_neq(error.message[0], 0);
  }
}
