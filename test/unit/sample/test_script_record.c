// Records as perf 6.1 prints them, and damaged ones.
#include "tools/sample/script_record.h"

#include <criterion/criterion.h>

static struct contprof_script_record record;

static bool read_text(const char *text) {
  return contprof_script_record_read(contprof_scan_over(text, strlen(text)), &record);
}

static void expect_map(const char *text, struct contprof_perf_mmap map) {
  cr_assert(read_text(text), "%s", text);
  cr_expect(record.is_event && record.event.kind == CONTPROF_PERF_MMAP, "%s", text);
  cr_expect_eq(record.event.mmap.start, map.start);
  cr_expect_eq(record.event.mmap.size, map.size);
  cr_expect_eq(record.event.mmap.file_offset, map.file_offset);
  cr_expect_str_eq(record.event.mmap.path, map.path);
  cr_expect_eq(record.event.mmap.build_id_size, map.build_id_size);
}

Test(script_record, maps) {
  expect_map("PERF_RECORD_MMAP2 2001/2003: [0x55aa00001000(0x1000) @ 0x1000 08:01 42 0]: r-xp /a b",
             (struct contprof_perf_mmap){0x55aa00001000, 0x1000, 0x1000, "/a b", {0}, 0, false});
  cr_expect_eq(record.event.pid, 2001);
  cr_expect_eq(record.tid, 2003);
  cr_expect_not(record.event.kernel);
  expect_map("PERF_RECORD_MMAP2 1/1: [0x7f054f43c000(0x2000) @ 0 00:00 0 0]: r-xp [vdso]",
             (struct contprof_perf_mmap){0x7f054f43c000, 0x2000, 0, "[vdso]", {0}, 0, false});
  expect_map("PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x "
             "[kernel.kallsyms]_text",
             (struct contprof_perf_mmap){0xffffffff81000000,
                                         0x120bb08,
                                         0xffffffff81000000,
                                         "[kernel.kallsyms]_text",
                                         {0},
                                         0,
                                         false});
  cr_expect(record.event.kernel);
}

Test(script_record, build_ids) {
  expect_map("PERF_RECORD_MMAP2 1/1: [0x1000(0x2000) @ 0x4000 "
             "<be6397ddffc3e384c505d7deab3bed190c884df9>]: r-xp /usr/bin/dash",
             (struct contprof_perf_mmap){0x1000, 0x2000, 0x4000, "/usr/bin/dash", {0}, 20, false});
  cr_expect_eq(record.event.mmap.build_id[0], 0xbe);
  cr_expect_eq(record.event.mmap.build_id[19], 0xf9);
  // The kernel's has no protection.
  expect_map(
      "PERF_RECORD_MMAP2 -1/0: [0x1000(0x2000) @ 0x4000 <4A5b>]: ---p [kernel.kallsyms]_text",
      (struct contprof_perf_mmap){0x1000, 0x2000, 0x4000, "[kernel.kallsyms]_text", {0}, 2, false});
  cr_expect_eq(record.event.mmap.build_id[0], 0x4a);
}

Test(script_record, maps_of_data_are_left_out) {
  cr_expect(read_text("PERF_RECORD_MMAP2 1/1: [0x1000(0x2000) @ 0 00:00 0 0]: rw-p [stack]"));
  cr_expect_not(record.is_event);
}

static void expect_event(const char *text, bool is_event, enum contprof_perf_kind kind,
                         int32_t pid) {
  cr_assert(read_text(text), "%s", text);
  cr_expect_eq(record.is_event, is_event, "%s", text);
  cr_expect_eq(record.event.kind, kind, "%s", text);
  cr_expect_eq(record.event.pid, pid, "%s", text);
}

Test(script_record, tasks) {
  expect_event("PERF_RECORD_FORK(32169:32169):(32157:32158)", true, CONTPROF_PERF_FORK, 32169);
  cr_expect_eq(record.event.parent, 32157);
  expect_event("PERF_RECORD_FORK(32157:32170):(32157:32157)", false, CONTPROF_PERF_FORK, 32157);
  cr_expect_eq(record.tid, 32170);
  expect_event("PERF_RECORD_EXIT(32169:32169):(32157:32157)", true, CONTPROF_PERF_EXIT, 32169);
  expect_event("PERF_RECORD_EXIT(32157:32170):(32157:32157)", true, CONTPROF_PERF_EXIT, 32157);
  cr_expect_eq(record.tid, 32170);
  expect_event("PERF_RECORD_COMM exec: a:b/c 1:2001/2002", true, CONTPROF_PERF_EXEC, 2001);
  cr_expect_eq(record.tid, 2002);
  cr_expect_str_eq(record.event.comm, "a:b/c 1");
  expect_event("PERF_RECORD_COMM: perf-exec:32157/32157", true, CONTPROF_PERF_COMM, 32157);
  cr_expect_str_eq(record.event.comm, "perf-exec");
  expect_event("PERF_RECORD_COMM: worker:32157/32158", false, CONTPROF_PERF_COMM, 32157);
  expect_event("PERF_RECORD_LOST lost 12", true, CONTPROF_PERF_LOST, CONTPROF_NO_PID);
  cr_expect_eq(record.event.count, 12);
}

Test(script_record, others_are_no_events) {
  cr_expect(read_text("PERF_RECORD_FINISHED_ROUND"));
  cr_expect_not(record.is_event);
  cr_expect(read_text("PERF_RECORD_SWITCH_CPU_WIDE IN prev pid/tid: 1/1"));
  cr_expect_not(record.is_event);
}

// Cut anywhere before what it needs, a record is damaged.
Test(script_record, cut_records_are_damaged) {
  static const char *const texts[] = {
      "PERF_RECORD_MMAP2 2001/2003: [0x55aa00001000(0x1000) @ 0x1000 08:01 42 0]: r-xp ",
      "PERF_RECORD_MMAP2 1/1: [0x1000(0x2000) @ 0x4000 <be63>]: r-xp ",
      "PERF_RECORD_FORK(32169:32169):(32157:32157)",
      "PERF_RECORD_EXIT(32169:32169):(32157:32157)",
      "PERF_RECORD_COMM exec: two:1/1",
      "PERF_RECORD_LOST lost 1"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cr_expect(read_text(texts[i]), "%s", texts[i]);
    size_t name = strcspn(texts[i], " ("); // a shorter name is another record
    for (size_t size = name; size < strlen(texts[i]); size++)
      cr_expect_not(contprof_script_record_read(contprof_scan_over(texts[i], size), &record),
                    "%.*s", (int)size, texts[i]);
  }
  cr_expect_not(read_text("PERF_RECORD_"));
  cr_expect_not(read_text("PERF_RECORD_FORK(-2:-2):(1:1)"));
  cr_expect_not(read_text("PERF_RECORD_MMAP2 1/1: [0x1(0x11111111111111111) @ 0 x]: r-xp /a"));
}
