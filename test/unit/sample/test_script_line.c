// What lines of perf script's text are told to be: as perf 6.1 prints them, and as llvm-profgen
// takes them.
#include "tools/sample/script_line.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct contprof_script_line read_text(const char *text) {
  return contprof_script_line_read(text, strlen(text));
}

static void expect_kind(const char *text, enum contprof_script_kind kind) {
  struct contprof_script_line line = read_text(text);
  cr_expect_eq(line.kind, kind, "'%s' is %d, not %d", text, line.kind, kind);
}

static void expect_text(struct contprof_scan scan, const char *text) {
  cr_expect(strlen(text) == (size_t)(scan.end - scan.at) &&
                (!*text || memcmp(scan.at, text, strlen(text)) == 0),
            "'%.*s', not '%s'", (int)(scan.end - scan.at), scan.at, text);
}

// A sample's line with this PID (-1: none) and address.
static struct contprof_script_line expect_sample(const char *text, int32_t id, uint64_t ip) {
  struct contprof_script_line line = read_text(text);
  cr_expect_eq(line.kind, CONTPROF_SCRIPT_SAMPLE, "'%s' is %d", text, line.kind);
  cr_expect_eq(line.has_id ? line.id : -1, id, "'%s': %d", text, line.id);
  cr_expect_eq(line.ip, ip, "'%s': %lx", text, (unsigned long)line.ip);
  return line;
}

Test(script_line, kinds) {
  expect_kind("", CONTPROF_SCRIPT_BLANK);
  expect_kind("  \t", CONTPROF_SCRIPT_BLANK);
  expect_kind("# captured on", CONTPROF_SCRIPT_COMMENT);
  expect_kind("12", CONTPROF_SCRIPT_COUNT);
  expect_kind("\t          4005dc", CONTPROF_SCRIPT_FRAME);
  expect_kind("\tffffffff81606a74 insert_vmap_area+0x44 ([kernel.kallsyms])",
              CONTPROF_SCRIPT_FRAME);
  expect_kind("            4007b0", CONTPROF_SCRIPT_ADDRESS);
  expect_kind(" ffffffff816ea9c5", CONTPROF_SCRIPT_ADDRESS);
  expect_kind(" 0x4005c8/0x4005dc/P/-/-/0  0x40062f/0x4005b0/P/-/-/0", CONTPROF_SCRIPT_BRANCHES);
  expect_kind("40065d/0x40068f/M/-/-/1", CONTPROF_SCRIPT_BRANCHES);
  expect_kind(" 0x4005c8/0x4005dc", CONTPROF_SCRIPT_BRANCHES);
}

Test(script_line, what_is_no_line_of_perf_script) {
  static const char *const texts[] = {"// Invalid perf line",
                                      "hello",
                                      "hello world",
                                      "add sub mul",
                                      "add",
                                      "Using perf wrapper that supports hot-text.",
                                      "\tmain",
                                      "[main]",
                                      "18446744073709551616",
                                      "650-66d:3"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    expect_kind(texts[i], CONTPROF_SCRIPT_OTHER);
}

Test(script_line, address_and_branches) {
  struct contprof_script_line line =
      expect_sample("     55aa00001140 0x1/0x2/P/-/-/1/", -1, 0x55aa00001140);
  expect_text(line.rest, "0x1/0x2/P/-/-/1/");
  line = expect_sample("           40065d 40065d/0x40068f/M/-/-/1", -1, 0x40065d);
  expect_text(line.rest, "40065d/0x40068f/M/-/-/1");
  expect_sample("400540 0x400540/0x400650", -1, 0x400540);
}

Test(script_line, pid_and_address) {
  expect_sample(" 2001      55aa00001140 0x1/0x2/P/-/-/1/", 2001, 0x55aa00001140);
  expect_sample("    0  ffffffff81606a74 ", 0, 0xffffffff81606a74);
  expect_sample("4194303      55aa00001140", 4194303, 0x55aa00001140);
  expect_sample(" 2001           401140 [unknown] (/home/u/two)", 2001, 0x401140);
  struct contprof_script_line line =
      expect_sample(" 2001/2007       55aa00001140 0x1/0x2", 2001, 0x55aa00001140);
  cr_expect(line.id_is_pid);
}

Test(script_line, address_and_symbol) {
  expect_sample("     55aa00001140 [unknown] (/home/u/two)", -1, 0x55aa00001140);
  // Symbols that look like numbers.
  expect_sample("     55aa00001140 add (/home/u/two)", -1, 0x55aa00001140);
  expect_sample("           401140 f+0x12 (/home/u/two)", -1, 0x401140);
}

Test(script_line, default_columns) {
  struct contprof_script_line line =
      expect_sample("             two  2001     1.000002:       1000 cycles:uh:      55aa00001140 "
                    "main+0x2 (/two)",
                    2001, 0x55aa00001140);
  cr_expect_eq(line.time, 1000002000);
  cr_expect_eq(line.period, 1000);
  cr_expect_not(line.id_is_pid);
  expect_text(line.event, "cycles:uh");
  expect_text(line.rest, " main+0x2 (/two)");
  line = expect_sample(
      "two 2001/2002 [001] 25478.879603999:     250000  cpu-clock:      7f821817f3e0 x", 2001,
      0x7f821817f3e0);
  cr_expect_eq(line.time, UINT64_C(25478879603999));
  expect_text(line.event, "cpu-clock");
}

Test(script_line, names_of_commands_may_be_anything) {
  expect_sample("      Web Content  2001     1.000002:       1000 cycles:      55aa00001140 x",
                2001, 0x55aa00001140);
  expect_sample("             dd 1  2001 [000] 1.000002:       1000 cycles:      55aa00001140 x",
                2001, 0x55aa00001140);
  expect_sample("              cafe  2001      55aa00001140 x", 2001, 0x55aa00001140);
  expect_sample("                12  2001      55aa00001140 x", 2001, 0x55aa00001140);
  expect_sample("kworker/0:1-eve    25 1.5: cycles:  ffffffff81606a74 x", 25, 0xffffffff81606a74);
  expect_sample("            :2001  2001     1.000002: cycles:      55aa00001140 x", 2001,
                0x55aa00001140);
}

Test(script_line, event_first) {
  struct contprof_script_line line = expect_sample(
      "br_inst_retired.near_taken:upp:            401310 0x401310/0x4012f0/P/-/-/22//-", -1,
      0x401310);
  expect_text(line.event, "br_inst_retired.near_taken:upp");
  line = expect_sample("  cpu/event=0xc4,umask=0x20/upp:           401310 0x1/0x2", -1, 0x401310);
  expect_text(line.event, "cpu/event=0xc4,umask=0x20/upp");
  // Written by hand, without perf's width.
  expect_sample("cycles: 401310 0x1/0x2", -1, 0x401310);
}

Test(script_line, heads_of_callchains) {
  struct contprof_script_line line = read_text("sh 32157 25476.527650:    1003009 cpu-clock: ");
  cr_expect_eq(line.kind, CONTPROF_SCRIPT_HEAD);
  cr_expect(line.has_id && line.id == 32157);
  cr_expect_eq(line.period, 1003009);
  expect_text(line.event, "cpu-clock");
  line = read_text("32157 ");
  cr_expect(line.kind == CONTPROF_SCRIPT_HEAD && line.has_id && line.id == 32157);
  expect_kind("cycles:uh: ", CONTPROF_SCRIPT_HEAD);
}

// perf prints a PID in five columns.
Test(script_line, short_pids_before_an_event) {
  static const char *const texts[] = {
      " 3671 cpu-clock:u:      556afd50e196", "  367 cpu-clock:u:      556afd50e196 0x1/0x2",
      "    7     12.000001: cycles:      556afd50e196", "13671 cpu-clock:u:      556afd50e196"};
  static const int32_t pids[] = {3671, 367, 7, 13671};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct contprof_script_line line = read_text(texts[i]);
    cr_expect_eq(line.kind, CONTPROF_SCRIPT_SAMPLE, "%s", texts[i]);
    cr_expect_eq(line.ip, 0x556afd50e196, "%s", texts[i]);
    cr_expect(line.has_id && line.id == pids[i], "%s", texts[i]);
  }
}

Test(script_line, records_behind_columns) {
  static const char *const columns[] = {"",
                                        " ",
                                        " 2001 ",
                                        "  200 ",
                                        "  200     0.000000: ",
                                        "  200 [000] ",
                                        "two  2001     0.000000: ",
                                        "             two  2001 [000]     0.000000: "};
  char text[200];
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    snprintf(text, sizeof text, "%sPERF_RECORD_COMM exec: two:2001/2001", columns[i]);
    struct contprof_script_line line = read_text(text);
    cr_expect_eq(line.kind, CONTPROF_SCRIPT_RECORD, "'%s'", text);
    expect_text(line.rest, "PERF_RECORD_COMM exec: two:2001/2001");
  }
}

static void expect_branches(const char *rest, const char *branches) {
  expect_text(contprof_script_branches(contprof_scan_over(rest, strlen(rest))), branches);
}

Test(script_line, branches_behind_symbol_and_file) {
  expect_branches(" 0x1/0x2", "0x1/0x2");
  expect_branches(" [unknown] (/two) 0x1(/two)/0x2(/two)/P", "0x1(/two)/0x2(/two)/P");
  expect_branches(" f(int, 0x12)+0x1 (/a 0xb/two) 0x1/0x2", "0x1/0x2");
  expect_branches(" main+0x1 (/two)", "");
  expect_branches("", "");
}

static void expect_file(const char *rest, const char *wanted) {
  char file[16];
  contprof_script_file(contprof_scan_over(rest, strlen(rest)), file, sizeof file);
  cr_expect_str_eq(file, wanted, "%s: %s", rest, file);
}

Test(script_line, a_file_stands_behind_an_address) {
  expect_file(" sort+0x16 (/bin/two)", "/bin/two");
  expect_file(" (/bin/two)", "/bin/two");
  expect_file(" X::operator()(int)+0x1 (/bin/(c) two)\r", "/bin/(c) two");
  expect_file(" sort+0x16 (/two (deleted))", "/two (deleted)");
  expect_file(" sort+0x16 (/bin/two", "");
  expect_file(" sort (inlined)", "");
  expect_file(" [unknown] ([unknown])", "");
  expect_file("", "");
  expect_file(" (/345678901234567)", "");
  expect_file(" (/3456789012345)", "/3456789012345");
}
