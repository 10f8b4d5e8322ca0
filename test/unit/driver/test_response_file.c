// Splitting against the rules of clang's GNU tokenizer, and files within files.
#include "tools/driver/response_file.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct contprof_arena arena;
static char directory[] = "/tmp/contprof-response-XXXXXX";

static void set_up(void) {
  cr_assert(mkdtemp(directory) && chdir(directory) == 0);
}

static void tear_down(void) {
  static const char *const files[] = {"a.rsp", "b.rsp", "self.rsp"};
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    unlink(files[i]);
  cr_assert(chdir("/") == 0 && rmdir(directory) == 0);
  contprof_arena_free(&arena);
}

TestSuite(response_file, .init = set_up, .fini = tear_down);

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

// The words as one string: each in brackets.
static const char *shown(const struct contprof_word_list *list) {
  const char *text = "";
  for (size_t i = 0; i < list->count; i++)
    text = contprof_word_format(&arena, "%s[%s]", text, list->words[i]);
  return text;
}

static void expect_split(const char *text, const char *words) {
  struct contprof_word_list list = {.arena = &arena};
  contprof_response_split(text, strlen(text), &list);
  cr_expect_str_eq(shown(&list), words);
}

static void expect_expanded(const char *const *from, const char *words) {
  struct contprof_word_list list = {.arena = &arena};
  contprof_response_expand(from, &list);
  cr_expect_str_eq(shown(&list), words);
}

Test(response_file, splits_as_clang_does) {
  expect_split("", "");
  expect_split(" \t\r\n ", "");
  expect_split("a b\tc\r\nd", "[a][b][c][d]");
  expect_split("\"a b\" 'c d'", "[a b][c d]");
  expect_split("-DX=\"a b\"c'd e'", "[-DX=a bcd e]");
  expect_split("a\\ b \\\"q\\\"", "[a b][\"q\"]");
  expect_split("\"a\\\"b\" 'c\\'d' \"e\\f\"", "[a\"b][c'd][ef]");
  expect_split("'\"' \"'\"", "[\"][']");
  expect_split("\"\" ''", "[][]");
  expect_split("\"never closed", "[never closed]");
  expect_split("ends with \\", "[ends][with][\\]");
}

Test(response_file, expands_nested_files) {
  write_file("a.rsp", "-c @b.rsp\nlast");
  write_file("b.rsp", "\xef\xbb\xbf-DX '-o' \"x y.o\"");
  expect_expanded((const char *const[]){"first", "@a.rsp", "end", NULL},
                  "[first][-c][-DX][-o][x y.o][last][end]");
}

Test(response_file, leaves_what_is_no_file) {
  expect_expanded((const char *const[]){"@missing.rsp", "@", "@-", "a@b", NULL},
                  "[@missing.rsp][@][@-][a@b]");
  write_file("a.rsp", "");
  expect_expanded((const char *const[]){"x", "@a.rsp", NULL}, "[x]");
}

Test(response_file, ends_at_a_file_that_includes_itself) {
  struct contprof_word_list list = {.arena = &arena};
  write_file("self.rsp", "x @self.rsp");
  contprof_response_expand((const char *const[]){"@self.rsp", NULL}, &list);
  cr_expect_str_eq(list.words[0], "x");
  cr_expect_str_eq(list.words[list.count - 1], "@self.rsp");
}

Test(response_file, joined_words_split_to_themselves) {
  struct contprof_word_list list = {.arena = &arena};
  static const char *const words[] = {"plain",         "",  "a b", "q\"uote",
                                      "back\\slash\\", "'", "l\n", NULL};
  contprof_word_add_all(&list, words);
  size_t size;
  const char *text = contprof_response_join(&list, &size);
  struct contprof_word_list again = {.arena = &arena};
  contprof_response_split(text, size, &again);
  cr_expect_str_eq(shown(&again), shown(&list));
}
