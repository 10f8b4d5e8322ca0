#include "tools/contprof/inputs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/contprof-test-XXXXXX";
static struct contprof_error error;
static struct contprof_inputs list;

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

static void enter(void) {
  contprof_error_clear(&error);
  cr_assert_not_null(mkdtemp(directory));
  cr_assert_eq(chdir(directory), 0);
  mkdir("d", 0777);
  mkdir("d/sub", 0777);
  mkdir("d/dir.profraw", 0777);
  put("d/b.profraw", "");
  put("d/a.profdata", "");
  put("d/notes.txt", "");
  put("d/profraw", "");
  put("d/sub/c.profraw", "");
  put("d/dir.profraw/d.profraw", "");
  cr_assert_eq(symlink("..", "d/sub/loop"), 0);
  cr_assert_eq(symlink("../b.profraw", "d/sub/link.profraw"), 0);
  cr_assert_eq(symlink("nowhere", "d/sub/dangling.profraw"), 0);
}

static void leave(void) {
  static const char *const entries[] = {"d/sub/dangling.profraw",
                                        "d/sub/link.profraw",
                                        "d/sub/loop",
                                        "d/dir.profraw/d.profraw",
                                        "d/sub/c.profraw",
                                        "d/profraw",
                                        "d/notes.txt",
                                        "d/a.profdata",
                                        "d/b.profraw",
                                        "d/dir.profraw",
                                        "d/sub",
                                        "d",
                                        "list"};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    remove(entries[i]);
  cr_assert_eq(rmdir(directory), 0);
  contprof_inputs_free(&list);
}

TestSuite(inputs, .init = enter, .fini = leave);

static void check(size_t index, const char *path, uint64_t weight) {
  cr_assert_lt(index, list.count);
  cr_assert_str_eq(list.inputs[index].path, path);
  cr_assert_eq(list.inputs[index].weight, weight);
}

Test(inputs, takes_the_profiles_of_a_directory_in_order) {
  contprof_inputs_add(&list, "d", 3);
  check(0, "d/a.profdata", 3);
  check(1, "d/b.profraw", 3);
  check(2, "d/dir.profraw/d.profraw", 3);
  check(3, "d/sub/c.profraw", 3);
  check(4, "d/sub/link.profraw", 3);
  cr_assert_eq(list.count, 5);
}

Test(inputs, takes_files_as_they_are_named) {
  contprof_inputs_add(&list, "d/notes.txt", 1);
  contprof_inputs_add(&list, "-", 1);
  contprof_inputs_add(&list, "not/there", 1); // found out when it is read
  check(0, "d/notes.txt", 1);
  check(1, "-", 1);
  cr_assert_eq(list.count, 3);
}

Test(inputs, takes_weights) {
  cr_assert(contprof_inputs_add_weighted(&list, "5,a,b.profraw", &error));
  cr_assert(contprof_inputs_add_weighted(&list, "18446744073709551615,x", &error));
  check(0, "a,b.profraw", 5);
  check(1, "x", UINT64_MAX);
}

Test(inputs, refuses_weights_that_are_none) {
  static const char *const wrong[] = {
      "", "x", "0,x", "-1,x", "5", "5,", "5 ,x", "18446744073709551616,x", ",x", "1.5,x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    contprof_error_clear(&error);
    cr_assert_not(contprof_inputs_add_weighted(&list, wrong[i], &error), "%s", wrong[i]);
    cr_assert_eq(error.code, CONTPROF_USAGE);
  }
  cr_assert_eq(list.count, 0);
}

Test(inputs, reads_lists) {
  put("list", "# a comment\n\n  d/b.profraw \r\n7,x.profraw\n2,d/sub\nlast");
  cr_assert(contprof_inputs_add_listed(&list, "list", &error), "%s", error.message);
  check(0, "d/b.profraw", 1);
  check(1, "x.profraw", 7);
  check(2, "d/sub/c.profraw", 2);
  check(3, "d/sub/link.profraw", 2);
  check(4, "last", 1);
  cr_assert_eq(list.count, 5);
}

Test(inputs, fails_on_a_list_that_is_missing_or_wrong) {
  cr_assert_not(contprof_inputs_add_listed(&list, "list", &error));
  cr_assert_eq(error.code, CONTPROF_NOT_FOUND);
  put("list", "good\nx,y\n");
  contprof_error_clear(&error);
  cr_assert_not(contprof_inputs_add_listed(&list, "list", &error));
  cr_assert_eq(error.code, CONTPROF_USAGE);
}
