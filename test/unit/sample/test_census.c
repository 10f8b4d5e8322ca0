// What is told of a recording: samples by event, process and file.
#include "tools/sample/census.h"

#include <criterion/criterion.h>

static const struct contprof_convert_options ALL = {0};

static void take(struct contprof_census *census, struct contprof_perf_event event) {
  struct contprof_error error;
  contprof_error_clear(&error);
  event.count = event.count ? event.count : 1;
  cr_assert(contprof_census_take(census, &event, &error));
}

static void sample(struct contprof_census *census, int32_t pid, uint64_t ip) {
  take(census, (struct contprof_perf_event){
                   .kind = CONTPROF_PERF_SAMPLE,
                   .pid = pid,
                   .kernel = ip >> 63,
                   .sample = {.ip = ip, .has_ip = true, .period = 7, .event = "cycles"}});
}

static void name(struct contprof_census *census, enum contprof_perf_kind kind, int32_t pid,
                 const char *comm) {
  take(census, (struct contprof_perf_event){.kind = kind, .pid = pid, .comm = comm});
}

static void map(struct contprof_census *census, int32_t pid, uint64_t start, const char *path) {
  take(census,
       (struct contprof_perf_event){.kind = CONTPROF_PERF_MMAP,
                                    .pid = pid,
                                    .mmap = {.start = start, .size = 0x1000, .path = path}});
}

static void expect_process(const struct contprof_census_process *process, int32_t pid,
                           const char *comm, uint64_t samples) {
  cr_expect_eq(process->pid, pid);
  cr_expect_str_eq(process->name, comm);
  cr_expect_eq(process->samples, samples);
}

Test(census, a_process_has_its_names_in_turn) {
  struct contprof_census census;
  contprof_census_begin(&census, &ALL);
  name(&census, CONTPROF_PERF_EXEC, 1, "sh");
  sample(&census, 1, 0x1000);
  take(&census, (struct contprof_perf_event){.kind = CONTPROF_PERF_FORK, .pid = 2, .parent = 1});
  sample(&census, 2, 0x1000);
  name(&census, CONTPROF_PERF_EXEC, 2, "server");
  name(&census, CONTPROF_PERF_COMM, 2, "serving"); // none was the server's
  sample(&census, 2, 0x1000);
  sample(&census, 2, 0x1000);
  sample(&census, 3, 0x1000);
  cr_assert_eq(contprof_census_sort(&census), 4);
  expect_process(&census.processes[0], 2, "serving", 2);
  expect_process(&census.processes[1], 1, "sh", 1);
  expect_process(&census.processes[2], 2, "sh", 1);
  expect_process(&census.processes[3], 3, "", 1);
  contprof_census_free(&census);
}

Test(census, samples_are_somewhere) {
  struct contprof_census census;
  contprof_census_begin(&census, &ALL);
  map(&census, 1, 0x1000, "/a");
  map(&census, 1, 0x2000, "/b");
  map(&census, 1, 0x3000, "/a");
  sample(&census, 1, 0x1010);
  sample(&census, 1, 0x2010);
  sample(&census, 1, 0x3010);
  sample(&census, 1, 0x4010);
  sample(&census, 1, UINT64_C(0xffffffff81000000));
  take(&census, (struct contprof_perf_event){.kind = CONTPROF_PERF_SAMPLE, .pid = 1, .count = 5});
  take(&census, (struct contprof_perf_event){.kind = CONTPROF_PERF_LOST, .count = 3});
  cr_expect_eq(census.samples, 10);
  cr_expect_eq(census.in_kernel, 1);
  cr_expect_eq(census.nowhere, 6);
  cr_expect_eq(census.lost, 3);
  cr_expect_eq(census.files.files[1].samples, 2);
  cr_expect_eq(census.files.files[2].samples, 1);
  cr_expect_eq(census.events.notes[0].samples, 5);
  cr_expect_eq(census.events.unnamed, 5);
  contprof_census_free(&census);
}

Test(census, what_is_not_wanted_is_left_out) {
  static const int32_t PIDS[] = {2};
  static const struct contprof_convert_options TWO = {.pids = PIDS, .pid_count = 1};
  struct contprof_census census;
  contprof_census_begin(&census, &TWO);
  sample(&census, 1, 0x1000);
  sample(&census, 2, 0x1000);
  cr_expect_eq(census.samples, 1);
  cr_expect_eq(census.events.notes[0].samples, 2);
  contprof_census_free(&census);
}
