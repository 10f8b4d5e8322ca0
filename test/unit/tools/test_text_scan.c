// Pieces of text are taken whole or not at all, and nothing past the end is looked at.
#include "tools/base/text_scan.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

// A scan over a copy of just this size, so that a sanitizer sees what is read past it.
static char *copy;

static struct contprof_scan scan_of(const char *text) {
  free(copy);
  copy = malloc(strlen(text) + 1);
  char *exact = realloc(copy, strlen(text) ? strlen(text) : 1);
  copy = exact;
  memcpy(copy, text, strlen(text));
  return contprof_scan_over(copy, strlen(text));
}

static void leave(void) {
  free(copy);
}

TestSuite(text_scan, .fini = leave);

// As strtoull reads the digits, for numbers of every length and what may follow.
Test(text_scan, hexadecimal_numbers_of_every_length) {
  static const char *const tails[] = {"", "/", " ", "g", "G", "x", "-", "@", "`", "\x80", "\xb0"};
  char text[64];
  for (int digits = 1; digits <= 16; digits++)
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
      for (unsigned kind = 0; kind < 2; kind++) {
        snprintf(text, sizeof text, kind ? "%.*s%s" : "%.*s%s", digits,
                 kind ? "fEDcba9876543210" : "1234567890abcdef", tails[i]);
        struct contprof_scan scan = scan_of(text);
        uint64_t value = 0;
        cr_assert(contprof_scan_hex(&scan, &value), "%s", text);
        cr_expect_eq(value, strtoull(text, NULL, 16), "%s", text);
        cr_expect_eq(scan.at - copy, digits, "%s", text);
      }
}

Test(text_scan, no_hexadecimal_number) {
  static const char *const texts[] = {
      "", "g", " 1", "/", "-1", "x1", "12345678123456781", "fffffffffffffffff"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct contprof_scan scan = scan_of(texts[i]);
    uint64_t value;
    cr_expect_not(contprof_scan_hex(&scan, &value), "%s", texts[i]);
    cr_expect_eq(scan.at, copy, "%s moved on", texts[i]);
  }
}

Test(text_scan, leading_zeros_do_not_count) {
  struct contprof_scan scan = scan_of("00000000000000000000ffffffffffffffff ");
  uint64_t value = 0;
  cr_assert(contprof_scan_hex(&scan, &value));
  cr_expect_eq(value, UINT64_MAX);
}

Test(text_scan, every_byte_is_a_digit_or_not) {
  for (int byte = 0; byte < 256; byte++) {
    char text[9] = "0000000", digit[2] = {(char)byte, 0};
    text[3] = (char)byte;
    struct contprof_scan scan = contprof_scan_over(text, 8);
    uint64_t value;
    bool is_digit = byte && strchr("0123456789abcdefABCDEF", byte);
    cr_assert(contprof_scan_hex(&scan, &value));
    cr_expect_eq(scan.at - text, is_digit ? 7 : 3, "byte %d", byte);
    if (is_digit)
      cr_expect_eq(value, strtoull(digit, NULL, 16) << 12, "byte %d", byte);
  }
}

Test(text_scan, decimal_numbers) {
  uint64_t value = 0;
  int32_t id = 0;
  struct contprof_scan scan = scan_of("18446744073709551615/");
  cr_expect(contprof_scan_decimal(&scan, &value) && value == UINT64_MAX);
  cr_expect(contprof_scan_character(&scan, '/') && contprof_scan_is_at_end(&scan));
  scan = scan_of("18446744073709551616");
  cr_expect_not(contprof_scan_decimal(&scan, &value));
  scan = scan_of("-12");
  cr_expect(contprof_scan_signed(&scan, &id) && id == -12);
  scan = scan_of("2147483648");
  cr_expect_not(contprof_scan_signed(&scan, &id));
  cr_expect_eq(scan.at, copy);
  scan = scan_of("-");
  cr_expect_not(contprof_scan_signed(&scan, &id));
  cr_expect_eq(scan.at, copy);
}

Test(text_scan, words_and_texts) {
  struct contprof_scan word, scan = scan_of("  one\ttwo ");
  cr_expect(contprof_scan_word(&scan, &word) && word.end - word.at == 3 && *word.at == 'o');
  contprof_scan_spaces(&scan);
  cr_expect_not(contprof_scan_text(&scan, "two more"));
  cr_expect_not(contprof_scan_text(&scan, "twO"));
  cr_expect(contprof_scan_text(&scan, "two"));
  cr_expect_not(contprof_scan_word(&scan, &word));
  cr_expect(contprof_scan_is_at_end(&scan));
  cr_expect_not(contprof_scan_character(&scan, ' '));
}
