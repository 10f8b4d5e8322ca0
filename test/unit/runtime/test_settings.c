// Patterns, names, and which name holds.
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "runtime/settings.h"

static struct contprof_pattern pattern;
static char path[CONTPROF_PATH_SIZE];
static const char *module;

static void begin(void) {
  contprof_pattern_begin(&pattern, "/tmp/x");
}

TestSuite(settings, .init = begin);

static int expand(const char *text) {
  const struct contprof_name_values values = {.pid = 4711,
                                              .host = "box",
                                              .signature = 99,
                                              .pool_index = 3,
                                              .program = "kv%p",
                                              .build_id = "00ff",
                                              .module = module};
  int error = contprof_pattern_parse(&pattern, text);
  return error ? error : contprof_pattern_expand(&pattern, &values, path);
}

static void expands_to(const char *text, const char *wanted) {
  cr_assert_eq(expand(text), 0, "%s", text);
  cr_assert_str_eq(path, wanted);
}

Test(settings, each_specifier) {
  expands_to("a-%p.profraw", "a-4711.profraw");
  expands_to("a-%h.profraw", "a-box.profraw");
  expands_to("a-%m.profraw", "a-99_3.profraw");
  expands_to("a-%4m.profraw", "a-99_3.profraw");
  expands_to("%t/a", "/tmp/x//a");
  expands_to("a-%b", "a-00ff");
  expands_to("%ca%c", "a");
  expands_to("100%%", "100%");
  expands_to("%p%p-%h", "47114711-box");
}

Test(settings, what_is_no_specifier_is_dropped_or_kept_but_never_read_past) {
  expands_to("a%", "a");
  expands_to("%q", "");
  expands_to("%12p", "2p");
  expands_to("%", "");
}

Test(settings, the_default_names_the_program_as_it_is) {
  expands_to(contprof_default_pattern, "kv%p-4711.profraw");
  cr_assert(pattern.has_pid && !pattern.has_pool);
}

Test(settings, parse_says_what_the_name_depends_on) {
  cr_assert_eq(contprof_pattern_parse(&pattern, "a%%p%%m"), 0);
  cr_assert(!pattern.has_pid && !pattern.has_pool && !pattern.has_host && !pattern.has_program);
  cr_assert_eq(contprof_pattern_parse(&pattern, "a%h"), 0);
  cr_assert(pattern.has_host && !pattern.has_program);
  cr_assert_eq(contprof_pattern_parse(&pattern, contprof_default_pattern), 0);
  cr_assert(pattern.has_program && !pattern.has_host);
  cr_assert_eq(contprof_pattern_parse(&pattern, "a%p-%4m"), 0);
  cr_assert(pattern.has_pid && pattern.has_pool && pattern.pool_size == 4);
  cr_assert_eq(contprof_pattern_parse(&pattern, "%m"), 0);
  cr_assert(!pattern.has_pid && pattern.pool_size == 1);
}

Test(settings, a_relative_name_is_in_the_directory) {
  strcpy(pattern.directory, "/srv/here");
  expands_to("a/b", "/srv/here/a/b");
  expands_to("/a/b", "/a/b");
  strcpy(pattern.directory, "/");
  expands_to("a", "/a");
}

Test(settings, the_module_stands_before_the_extension) {
  module = "libx.so";
  expands_to("kv-%p.profraw", "kv-4711-libx.so.profraw");
  expands_to("d.1/name", "d.1/name-libx.so");
  expands_to("d/.hidden", "d/.hidden-libx.so");
}

static char *long_text(size_t length) {
  static char text[2 * CONTPROF_PATH_SIZE];
  memset(text, 'a', length);
  text[length] = 0;
  return text;
}

Test(settings, t_without_tmpdir_is_an_error) {
  const struct contprof_name_values values = {.program = "p", .build_id = ""};
  const char *const none[] = {NULL, "", long_text(CONTPROF_PATH_SIZE)};
  for (int i = 0; i < 3; i++) {
    contprof_pattern_begin(&pattern, none[i]);
    cr_assert_eq(contprof_pattern_parse(&pattern, "%t/a"), 0);
    cr_assert_eq(contprof_pattern_expand(&pattern, &values, path), -ENODATA);
  }
}

Test(settings, limits) {
  cr_assert_eq(expand(long_text(CONTPROF_PATH_SIZE - 1)), 0);
  cr_assert_eq(strlen(path), CONTPROF_PATH_SIZE - 1);
  cr_assert_eq(contprof_name_insert(path, "x"), -ENAMETOOLONG);
  cr_assert_eq(expand(long_text(CONTPROF_PATH_SIZE)), -ENAMETOOLONG);
  strcpy(pattern.directory, "/d");
  cr_assert_eq(expand(long_text(CONTPROF_PATH_SIZE - 1)), -ENAMETOOLONG);
}

Test(settings, insertion) {
  strcpy(path, "/a.b/c.d.e");
  cr_assert_eq(contprof_name_insert(path, "-7"), 0);
  cr_assert_str_eq(path, "/a.b/c.d-7.e");
  strcpy(path, "/a.b/c");
  cr_assert_eq(contprof_name_insert(path, ".2"), 0);
  cr_assert_str_eq(path, "/a.b/c.2");
}

Test(settings, decimal) {
  char buffer[24];
  cr_assert_str_eq(contprof_decimal(buffer, "-", 0), "-0");
  cr_assert_str_eq(contprof_decimal(buffer, "", UINT64_MAX), "18446744073709551615");
}

Test(settings, precedence) {
  cr_assert_str_eq(contprof_choose_pattern("e", "c"), "e");
  cr_assert_str_eq(contprof_choose_pattern("", "c"), "c");
  cr_assert_str_eq(contprof_choose_pattern(NULL, "dir/default_%m.profraw"),
                   "dir/default_%m.profraw");
  static const char *const none[] = {NULL, "", "default.profraw", "default_%m.profraw"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    cr_assert_eq(contprof_choose_pattern(NULL, none[i]), contprof_default_pattern);
}

Test(settings, environment) {
  char *block[] = {"LLVM_PROFILE_FILES=no", "X", "LLVM_PROFILE_FILE=a=b", NULL};
  cr_assert_str_eq(contprof_environment(block, "LLVM_PROFILE_FILE"), "a=b");
  cr_assert_null(contprof_environment(block, "X"));
  cr_assert_null(contprof_environment(NULL, "X"));
}
