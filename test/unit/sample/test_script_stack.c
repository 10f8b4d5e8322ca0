// Branch stacks are read entry by entry, up to the first that is none.
#include "tools/sample/script_stack.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct contprof_script_stack stack;

static void leave(void) {
  contprof_script_stack_free(&stack);
}

TestSuite(script_stack, .fini = leave);

static bool read_text(const char *text) {
  return contprof_script_stack_read(&stack, contprof_scan_over(text, strlen(text)));
}

static void expect(size_t at, uint64_t from, uint64_t to) {
  cr_assert_lt(at, stack.count);
  cr_expect_eq(stack.branches[at].from, from);
  cr_expect_eq(stack.branches[at].to, to);
}

Test(script_stack, entries_in_every_form) {
  cr_expect(
      read_text(" 0x55aa00001156/0x55aa00001140/P/-/-/1/  0xffffffff81000000/0x0/M/X/A/22//-  "
                "0x1/0x2 0xAB/0xcd/"));
  cr_expect_eq(stack.count, 4);
  expect(0, 0x55aa00001156, 0x55aa00001140);
  expect(1, 0xffffffff81000000, 0);
  expect(2, 1, 2);
  expect(3, 0xab, 0xcd);
}

Test(script_stack, no_entries) {
  cr_expect(read_text(""));
  cr_expect(read_text("   "));
  cr_expect_eq(stack.count, 0);
}

// As llvm-profgen, which passes over two characters of an address.
Test(script_stack, a_missing_prefix_costs_two_digits) {
  cr_expect(read_text("40065d/0x40068f/M/-/-/1"));
  expect(0, 0x065d, 0x40068f);
}

Test(script_stack, files_behind_addresses) {
  cr_expect(read_text("0x1(/home/u/two)/0x2(/home/u/two)/P/-/-/1/  "
                      "0x3([unknown])/0x4([kernel.kallsyms])/M/-/-/2/ "
                      "0x5(/a (b)/c d)/0x6(/a (b)/c d)/P/-/-/0  0x7(/two)/0x8(/two)"));
  cr_expect_eq(stack.count, 4);
  expect(0, 1, 2);
  expect(1, 3, 4);
  expect(2, 5, 6);
  expect(3, 7, 8);
}

Test(script_stack, broken_entries_end_the_stack) {
  static const char *const broken[] = {"x",
                                       "//",
                                       "0x/0x2",
                                       "0x1/0x",
                                       "0x1",
                                       "0x1/",
                                       "0x1 /0x2",
                                       "0x1/0xg/P",
                                       "0xg/0x1",
                                       "0x1/0x2:P",
                                       "0x1(a/0x2(b)/P",
                                       "0x11111111111111111/0x2",
                                       "0x1/0x2g",
                                       "[unknown]/[unknown]/P/-/-/1/"};
  char text[100];
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    snprintf(text, sizeof text, "0x1/0x2/P/-/-/1  %s", broken[i]);
    cr_expect_not(read_text(text), "%s", text);
    cr_expect_eq(stack.count, 1, "%s", text);
  }
}

Test(script_stack, long_stacks) {
  char text[4096 + 1] = "";
  for (int i = 0; i < 256; i++)
    snprintf(text + i * 16, 17, "0x%04x/0x%04x/P ", i, i + 1);
  cr_expect(read_text(text));
  cr_expect_eq(stack.count, 256);
  for (size_t i = 0; i < 256; i++)
    expect(i, i, i + 1);
}
