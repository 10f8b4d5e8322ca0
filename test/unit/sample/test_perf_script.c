// Texts of perf script to events, written down one by one here.
#include "tools/sample/perf_script.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/contprof-test-XXXXXX";
static struct contprof_perf_notes notes;
static struct contprof_error error;
static char *written; // a line for each event
static size_t written_size;
static FILE *events;
static unsigned events_left; // until `take` refuses

static void enter(void) {
  int file = mkstemp(path);
  cr_assert_geq(file, 0);
  close(file);
  events_left = UINT32_MAX;
}

static void leave(void) {
  remove(path);
  free(written);
}

TestSuite(perf_script, .init = enter, .fini = leave);

static void write_sample(const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  fprintf(events, "%" PRIu64 "x", event->count);
  if (event->pid != CONTPROF_NO_PID)
    fprintf(events, " pid %d", event->pid);
  if (sample->has_callchain)
    fputs(" chain", events);
  if (sample->has_ip)
    fprintf(events, " %" PRIx64, sample->ip);
  if (sample->period != 1)
    fprintf(events, " period %" PRIu64, sample->period);
  if (sample->event)
    fprintf(events, " %s", sample->event);
  for (size_t i = 0; i < sample->branch_count; i++)
    fprintf(events, " %" PRIx64 "/%" PRIx64, sample->branches[i].from, sample->branches[i].to);
  fputs(event->kernel ? " kernel\n" : "\n", events);
}

static bool take(void *context, const struct contprof_perf_event *event,
                 struct contprof_error *failure) {
  static const char *const kinds[] = {"sample", "map", "fork", "comm", "exec", "exit", "lost"};
  (void)context;
  if (!events_left--)
    return contprof_fail(failure, CONTPROF_USAGE, NULL, NULL, 0, "enough");
  if (event->kind == CONTPROF_PERF_SAMPLE)
    write_sample(event);
  else
    fprintf(events, "%s %d\n", kinds[event->kind], event->pid);
  return true;
}

static bool read_bytes(const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  cr_assert_eq(fwrite(text, 1, size, file), size);
  cr_assert_eq(fclose(file), 0);
  free(written);
  events = open_memstream(&written, &written_size);
  contprof_error_clear(&error);
  bool ok = contprof_perf_script_read(path, take, NULL, &notes, &error);
  fclose(events);
  return ok;
}

static void expect(const char *text, const char *wanted) {
  cr_assert(read_bytes(text, strlen(text)), "%s", error.message);
  cr_expect_str_eq(written, wanted);
}

#define MAP "PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 00:00 0 0]: r-xp /two\n"

Test(perf_script, branch_stacks) {
  expect(MAP "     55aa00001140 0x1/0x2/P/-/-/1/  0x3/0x4/P/-/-/1/\n"
             " 2001      55aa00001140 0x1/0x2/P/-/-/1/\n"
             " 0x5/0x6/P/-/-/1\n",
         "map 7\n1x 55aa00001140 1/2 3/4\n1x pid 2001 55aa00001140 1/2\n1x 5/6\n");
  cr_expect_eq(notes.records, 4);
  cr_expect_eq(notes.bad_lines, 0);
}

Test(perf_script, carriage_returns) {
  expect("3\r\n            40062f 0x40062f/0x4005b0/P/-/-/9\r\n", "3x 40062f 40062f/4005b0\n");
}

// Equal samples come as one, but not past another event.
Test(perf_script, equal_samples_are_counted) {
  expect("    40062f 0x1/0x2\n    40062f 0x1/0x2\n    40062f 0x3/0x2\n    40062f 0x1/0x2\n" MAP
         "    40062f 0x1/0x2\n    40063f 0x1/0x2\n",
         "1x 40062f 1/2\n1x 40062f 3/2\n2x 40062f 1/2\nmap 7\n1x 40063f 1/2\n1x 40062f 1/2\n");
}

Test(perf_script, samples_that_differ_in_a_column_are_not_equal) {
  expect("a  1 1.000000: 5 x:            40062f 0x1/0x2\n"
         "a  1 2.000000: 5 x:            40062f 0x1/0x2\n"
         "a  2 2.000000: 5 x:            40062f 0x1/0x2\n"
         "a  1 2.000000: 6 x:            40062f 0x1/0x2\n"
         "a  1 2.000000: 5 y:            40062f 0x1/0x2\n",
         "1x pid 1 40062f period 5 x 1/2\n1x pid 2 40062f period 5 x 1/2\n"
         "1x pid 1 40062f period 6 x 1/2\n1x pid 1 40062f period 5 y 1/2\n"
         "1x pid 1 40062f period 5 x 1/2\n");
}

Test(perf_script, aggregated_counts) {
  expect("2\n    40062f 0x1/0x2\n40\n    40063f 0x1/0x2\n    40064f 0x1/0x2\n",
         "2x 40062f 1/2\n40x 40063f 1/2\n1x 40064f 1/2\n");
  expect("2\n\t          4005dc\n\t          400634\n 0x1/0x2\n\n3\n\t          4005dc\n\n",
         "2x chain 4005dc 1/2\n3x chain 4005dc\n");
  expect("2\n    40062f\n3\n    40062f\n", "2x 40062f\n3x 40062f\n");
}

Test(perf_script, addresses_alone) {
  expect("     55aa00001140\n ffffffff816ea9c5\n     55aa00001150\n",
         "1x 55aa00001140\n1x ffffffff816ea9c5 kernel\n1x 55aa00001150\n");
  expect(" 2001      55aa00001140 [unknown] (/two)\n", "1x pid 2001 55aa00001140\n");
}

Test(perf_script, more_addresses_alone_than_a_callchain_has) {
  char text[20 * 2000 + 1];
  for (int i = 0; i < 2000; i++)
    snprintf(text + i * 19, 20, "      %012x\n", i + 0x400000);
  cr_assert(read_bytes(text, strlen(text)));
  cr_expect_eq(notes.records, 2000);
  cr_expect_eq(strncmp(written, "1x 400000\n1x 400001\n", 20), 0);
}

// Tabs or none, a callchain before a branch stack is the sample's.
Test(perf_script, callchains_before_branch_stacks) {
  expect("\t          4005dc\n\t          400634\n 0x1/0x2/P/-/-/1\n\n"
         "\t          4005dd\n 0x3/0x4/P/-/-/1\n",
         "1x chain 4005dc 1/2\n1x chain 4005dd 3/4\n");
  expect("            4007b0\n      7fe8d727e493\n 0x1/0x2/P/-/-/1\n            4007b1\n 0x1/0x2\n",
         "1x chain 4007b0 1/2\n1x chain 4007b1 1/2\n");
  // One without its callchain, among those with.
  expect("\t          4005dc\n 0x1/0x2\n\n 0x3/0x4\n", "1x chain 4005dc 1/2\n1x chain 3/4\n");
}

Test(perf_script, callchains_alone) {
  expect("sh 7 1.5:    9 cpu-clock: \n\tffffffff81606a74 a+0x44 (b)\n\t           d43b8 c (d)\n\n"
         "sh 7 1.6:    9 cpu-clock: \n\t            90c0 e (f)\n\n"
         "sh 7 1.7:    9 cpu-clock: \n\n",
         "1x pid 7 chain ffffffff81606a74 period 9 cpu-clock kernel\n"
         "1x pid 7 chain 90c0 period 9 cpu-clock\n"
         "1x pid 7 period 9 cpu-clock\n");
  expect("32157 \n\t           d43b8\n\n32158 \n\t           d43b9\n 0x1/0x2\n\n",
         "1x pid 32157 chain d43b8\n1x pid 32158 chain d43b9 1/2\n");
}

Test(perf_script, threads_find_their_process) {
  expect("PERF_RECORD_FORK(5:5):(1:1)\nPERF_RECORD_FORK(5:6):(5:5)\n"
         "a  6 1.000000: 5 x:            40062f\n"
         "a  9/10 1.000000: 5 x:            40062f\n"
         "a  7 1.000000: 5 x:            40062f\n",
         "fork 5\n1x pid 5 40062f period 5 x\n1x pid 9 40062f period 5 x\n"
         "1x pid 7 40062f period 5 x\n");
}

Test(perf_script, task_events) {
  expect("PERF_RECORD_COMM exec: two:7/7\nPERF_RECORD_COMM: two:7/7\n" MAP
         "PERF_RECORD_EXIT(7:7):(1:1)\nPERF_RECORD_LOST lost 12\n",
         "exec 7\ncomm 7\nmap 7\nexit 7\nlost -1\n");
  cr_expect_eq(notes.lost, 12);
}

// A process ends with its last thread, whichever that is.
Test(perf_script, ends_of_threads) {
  expect("PERF_RECORD_FORK(7:8):(7:7)\nPERF_RECORD_EXIT(7:7):(7:7)\n" MAP
         "PERF_RECORD_EXIT(7:8):(7:7)\nPERF_RECORD_FORK(7:7):(1:1)\nPERF_RECORD_FORK(7:8):(7:7)\n"
         "PERF_RECORD_COMM exec: two:7/7\nPERF_RECORD_EXIT(7:7):(7:7)\n",
         "map 7\nexit 7\nfork 7\nexec 7\nexit 7\n");
}

Test(perf_script, bad_lines_are_counted_and_the_first_is_told) {
  expect("# header\n    40062f 0x1/0x2\nhello\x01\n    40063f 0x3/0x4 0x5\nPERF_RECORD_MMAP2 x\n",
         "1x 40062f 1/2\n1x 40063f 3/4\n");
  cr_expect_eq(notes.bad_lines, 3);
  cr_expect_eq(notes.bad_line, 3);
  cr_expect_str_eq(notes.bad_text, "hello?");
}

Test(perf_script, other_files_are_errors) {
  static const char *const texts[] = {
      "", "\n\n", "# perf\n", "hello\nworld\n", "12\n", "main:12:0\n 0: 5\n", "PERFILE2\x68"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cr_expect_not(read_bytes(texts[i], strlen(texts[i])), "'%s'", texts[i]);
    cr_expect_eq(error.code, CONTPROF_UNSUPPORTED);
  }
  cr_expect_not_null(strstr(error.message, "line 1 "), "%s", error.message);
}

Test(perf_script, a_long_file_of_something_else_is_given_up) {
  char *text = malloc(6 * 100000 + 1);
  for (int i = 0; i < 100000; i++)
    memcpy(text + i * 6, "hello\n", 7);
  cr_expect_not(read_bytes(text, 600000));
  cr_expect_lt(notes.bad_lines, 100000);
  free(text);
}

Test(perf_script, a_taker_ends_the_reading) {
  for (unsigned most = 0; most < 5; most++) {
    events_left = most;
    cr_expect_not(read_bytes(MAP "    40062f 0x1/0x2\n    40062f 0x1/0x2\n    40062f 0x1/0x2\n"
                                 "\t    4005dc\n\n" MAP,
                             strlen(MAP) * 2 + 67));
    cr_expect_str_eq(error.message, "enough");
  }
}

static const char long_text[] =
    MAP "2\n    40062f 0x1/0x2 0x3/0x4\n    40062f 0x1/0x2\n    40062f 0x1/0x2\n"
        "PERF_RECORD_FORK(5:5):(1:1)\n"
        "sh 7 1.5:    9 cpu-clock: \n\tffffffff81606a74 a+0x44 (b)\n 0x1/0x2\n\n"
        "cycles:uh:           40062f 0x1/0x2\n";

// Each beginning of a text is a text, or has nothing of one in it yet.
Test(perf_script, cut_anywhere) {
  for (size_t size = 0; size <= strlen(long_text); size++) {
    bool ok = read_bytes(long_text, size);
    cr_expect(ok || error.message[0], "cut at %zu", size);
    if (size >= strlen(MAP))
      cr_expect(ok, "cut at %zu: %s", size, error.message);
  }
}
