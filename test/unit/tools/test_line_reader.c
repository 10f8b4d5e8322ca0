#include "tools/base/line_reader.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_error error;

static struct contprof_line_reader over(const char *text) {
  contprof_error_clear(&error);
  return contprof_lines_over(text, strlen(text), "t", &error);
}

static void expect_line(struct contprof_line_reader *reader, const char *line, uint64_t number) {
  cr_assert(contprof_has_line(reader), "'%s' is there", line);
  cr_assert_eq(reader->length, strlen(line), "'%s'", line);
  cr_assert_eq(memcmp(reader->line, line, reader->length), 0, "'%s'", line);
  cr_assert_eq(reader->number, number, "'%s'", line);
  contprof_next_line(reader);
}

Test(line_reader, passes_over_blank_lines_and_comments) {
  struct contprof_line_reader reader = over("\n#c\none\r\n\r\n \n#\n\ntwo#x\nlast");
  expect_line(&reader, "one", 3);
  expect_line(&reader, " ", 5);
  expect_line(&reader, "two#x", 8);
  expect_line(&reader, "last", 9);
  cr_assert_not(contprof_has_line(&reader));
  contprof_next_line(&reader);
  cr_assert_not(contprof_has_line(&reader));
}

Test(line_reader, has_no_line_in_nothing) {
  static const char *const TEXTS[] = {"", "\n", "\r\n", "# only", "\n\n#\n"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    struct contprof_line_reader reader = over(TEXTS[i]);
    cr_assert_not(contprof_has_line(&reader));
  }
}

static void expect_number(const char *text, unsigned base, uint64_t wanted) {
  uint64_t number;
  cr_assert(contprof_parse_number(text, strlen(text), base, &number), "'%s'", text);
  cr_assert_eq(number, wanted, "'%s'", text);
}

Test(line_reader, reads_numbers_as_their_prefix_says) {
  expect_number("0", 10, 0);
  expect_number("0", 0, 0);
  expect_number("18446744073709551615", 10, UINT64_MAX);
  expect_number("010", 10, 10);
  expect_number("010", 0, 8);
  expect_number("0o17", 0, 15);
  expect_number("0b101", 0, 5);
  expect_number("0xfFf", 0, 4095);
  expect_number("99", 0, 99);
}

Test(line_reader, refuses_what_is_no_number) {
  static const char *const TEXTS[] = {"",     "-1",
                                      "+1",   " 1",
                                      "1 ",   "1x",
                                      "0x",   "0b2",
                                      "08",   "18446744073709551616",
                                      "0x1g", "/",
                                      ":",    "99999999999999999999999"};
  uint64_t number;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    cr_assert_not(contprof_parse_number(TEXTS[i], strlen(TEXTS[i]), 0, &number), "'%s'", TEXTS[i]);
  cr_assert_not(contprof_parse_number("0x10", 4, 10, &number));
}

Test(line_reader, says_where_a_number_is_missing) {
  struct contprof_line_reader reader = over("a\n7\n8\n");
  contprof_next_line(&reader);
  cr_assert_eq(contprof_take_number(&reader, 10, 7, "a seven"), 7);
  cr_assert_eq(contprof_take_number(&reader, 10, 7, "another seven"), 0);
  cr_assert(error.code == CONTPROF_CORRUPT && error.offset == 4);
  cr_assert_str_eq(error.message, "line 3: expected another seven, found '8'");
  cr_assert_eq(contprof_take_number(&reader, 10, 9, "more"), 0, "the first error stays");
  reader = over("5");
  cr_assert_eq(contprof_take_number(&reader, 10, 9, "five"), 5);
  contprof_take_number(&reader, 10, 9, "more");
  cr_assert(error.code == CONTPROF_TRUNCATED && error.offset == 1);
  cr_assert_str_eq(error.message, "the text ends where more should be");
}

Test(line_reader, takes_many_numbers) {
  uint64_t numbers[8];
  struct contprof_line_reader reader = over("a\n1\n20\n\n# no\n9999999999999999999\n\r\n"
                                            "4\r\n18446744073709551615\n007\nb\n8");
  contprof_next_line(&reader);
  cr_assert_eq(contprof_take_numbers(&reader, numbers, 2), 2);
  cr_assert(numbers[0] == 1 && numbers[1] == 20);
  cr_assert_eq(contprof_take_numbers(&reader, numbers, 8), 4);
  cr_assert(numbers[0] == UINT64_C(9999999999999999999) && numbers[1] == 4);
  cr_assert(numbers[2] == UINT64_MAX && numbers[3] == 7);
  expect_line(&reader, "b", 11);
  cr_assert_eq(contprof_take_numbers(&reader, numbers, 8), 1);
  cr_assert(numbers[0] == 8 && !reader.line);
  cr_assert_eq(error.code, CONTPROF_OK);
}

Test(line_reader, stops_at_what_is_no_number) {
  static const char *const TEXTS[] = {"18446744073709551616\n", "1x\n", "-1\n", " 1\n", "1", "x"};
  uint64_t number;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    struct contprof_line_reader reader = over(TEXTS[i]);
    bool whole = strcmp(TEXTS[i], "1") == 0;
    cr_assert_eq(contprof_take_numbers(&reader, &number, 1), whole, "'%s'", TEXTS[i]);
    cr_assert_eq(reader.line == NULL, whole);
    cr_assert_eq(reader.number, 1);
  }
}

Test(line_reader, shows_other_bytes_by_their_numbers) {
  struct contprof_line_reader reader = over("a~\x01\x1b[2J\x7f\xc3\xa9\t.\n");
  cr_assert_not(contprof_line_is_not(&reader, "a name"));
  cr_expect_str_eq(error.message,
                   "line 1: expected a name, found 'a~\\x01\\x1b[2J\\x7f\\xc3\\xa9\\x09.'");
  char line[200];
  memset(line, '\xff', sizeof line);
  line[sizeof line - 1] = '\0';
  reader = over(line);
  cr_assert_not(contprof_line_is_not(&reader, "a name"));
  cr_expect_eq(strlen(error.message), strlen("line 1: expected a name, found ''") + 80 * 4);
}
