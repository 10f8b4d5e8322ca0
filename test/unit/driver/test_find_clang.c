// Which clang is found in a made-up PATH, and what its path and words say of its version.
#include "tools/driver/find_clang.h"
#include "tools/driver/word_list.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct contprof_arena arena;
static struct contprof_error error;
static struct contprof_clang clang;
static char directory[] = "/tmp/contprof-find-XXXXXX";

static const char *const programs[] = {"a/contprof-clang", "b/clang",       "b/clang++",
                                       "b/clang-19",       "b/clang++-19",  "b/wrapper",
                                       "b/clang-14",       "b/clang-format"};

static void make(const char *path, mode_t mode) {
  int fd = open(path, O_CREAT | O_WRONLY, mode);
  cr_assert(fd >= 0 && close(fd) == 0);
}

static void set_up(void) {
  contprof_error_clear(&error);
  cr_assert(mkdtemp(directory) && chdir(directory) == 0);
  cr_assert(mkdir("a", 0777) == 0 && mkdir("b", 0777) == 0);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    make(programs[i], 0777);
  make("a/clang-19", 0666); // not a program
  cr_assert(symlink("contprof-clang", "a/clang") == 0);
  cr_assert(symlink("contprof-clang", "a/clang++") == 0);
}

static void tear_down(void) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    unlink(programs[i]);
  unlink("a/clang");
  unlink("a/clang++");
  unlink("a/clang-19");
  cr_assert(rmdir("a") == 0 && rmdir("b") == 0 && chdir("/") == 0 && rmdir(directory) == 0);
  contprof_arena_free(&arena);
}

TestSuite(find_clang, .init = set_up, .fini = tear_down);

static bool find(const char *wanted, const char *path, bool cxx) {
  const struct contprof_clang_search search = {
      .wanted = wanted, .path = path, .self = "a/contprof-clang", .cxx = cxx};
  return contprof_find_clang(&search, &arena, &clang, &error);
}

static void expect_found(const char *wanted, bool cxx, const char *found, const char *mode) {
  cr_assert(find(wanted, "a:b", cxx), "%s", error.message);
  cr_expect_str_eq(clang.path, found);
  cr_expect_str_eq(clang.driver_mode ? clang.driver_mode : "", mode);
}

Test(find_clang, on_the_path_but_never_itself) {
  expect_found(NULL, false, "b/clang", "");
  expect_found(NULL, true, "b/clang++", "");
  expect_found("", false, "b/clang", "");
}

Test(find_clang, by_name_and_by_path) {
  expect_found("clang-19", false, "b/clang-19", "");
  expect_found("./b/clang-14", false, "./b/clang-14", "");
  expect_found("wrapper", false, "b/wrapper", "");
}

Test(find_clang, the_other_language_beside_it) {
  expect_found("clang-19", true, "b/clang++-19", "");
  expect_found("clang++-19", true, "b/clang++-19", "");
  expect_found("b/clang++-19", false, "b/clang-19", "");
  expect_found("clang-14", true, "b/clang-14", "--driver-mode=g++");
  expect_found("wrapper", true, "b/wrapper", "--driver-mode=g++");
  expect_found("clang-format", true, "b/clang-format", "--driver-mode=g++");
}

Test(find_clang, nothing_found) {
  cr_assert_not(find(NULL, "a", false));
  cr_expect_eq(error.code, CONTPROF_NOT_FOUND);
  cr_expect_str_eq(error.message, "no clang on PATH; set CONTPROF_CLANG to the clang to use");
}

Test(find_clang, wanted_but_not_there) {
  cr_assert_not(find("clang-99", "a:b", false));
  cr_expect_str_eq(error.message, "CONTPROF_CLANG is 'clang-99': no such compiler");
}

Test(find_clang, wanted_is_this_program) {
  cr_assert_not(find("a/clang", "a:b", false));
  cr_expect_str_eq(error.message, "CONTPROF_CLANG is 'a/clang': that is contprof-clang itself");
}

Test(find_clang, an_empty_directory_is_the_working_one) {
  cr_assert(chdir("b") == 0);
  cr_assert(find(NULL, "", false));
  cr_expect_str_eq(clang.path, "./clang");
  cr_assert(chdir("..") == 0);
}

Test(find_clang, version_in_path) {
  static const struct {
    const char *path;
    unsigned version;
  } cases[] = {
      {"/usr/lib/llvm-19/bin/clang", 19},
      {"/usr/lib/llvm-14/bin/clang++", 14},
      {"/opt/llvm-16.0.6/bin/clang", 16},
      {"/usr/bin/clang-16", 16},
      {"/usr/bin/clang++-16", 16},
      {"clang-19", 19},
      {"/usr/lib/llvm-14/bin/clang-15", 15},
      {"/usr/bin/clang", 0},
      {"/opt/llvm-new/bin/clang", 0},
      {"/opt/llvm-19", 0},
      {"/usr/bin/x86_64-linux-gnu-clang-14", 14},
      {"/usr/bin/clang-format-14", 0},
      {"/llvm-14/llvm-19/clang", 19},
      {"/usr/bin/ccache", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(contprof_clang_version_in_path(cases[i].path), cases[i].version, "%s",
                 cases[i].path);
}

Test(find_clang, version_in_text) {
  cr_expect_eq(contprof_clang_version_in_text("Debian clang version 14.0.6\nTarget: x"), 14u);
  cr_expect_eq(contprof_clang_version_in_text("clang version 19.1.7 (https://x)"), 19u);
  cr_expect_eq(contprof_clang_version_in_text("gcc (Debian 12.2.0) 12.2.0"), 0u);
  cr_expect_eq(contprof_clang_version_in_text("clang version trunk"), 0u);
  cr_expect_eq(contprof_clang_version_in_text(""), 0u);
}

static void write_script(const char *text) {
  int fd = open("b/wrapper", O_WRONLY | O_TRUNC);
  cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

Test(find_clang, asks_a_clang_whose_path_tells_nothing) {
  unsigned major = 0;
  write_script("#!/bin/sh\n[ \"$*\" = --version ] && echo 'Some clang version 16.0.6 (x)'\n");
  cr_assert(contprof_clang_version("b/wrapper", &arena, &major, &error), "%s", error.message);
  cr_expect_eq(major, 16u);
}

Test(find_clang, no_clang_at_all) {
  unsigned major = 0;
  write_script("#!/bin/sh\necho gcc 12\n");
  cr_assert_not(contprof_clang_version("b/wrapper", &arena, &major, &error));
  cr_expect_str_eq(error.message, "'b/wrapper --version' names no clang version");
}
