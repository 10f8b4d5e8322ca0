// Events in, answers out: the rules of docs/address-spaces.md, process by process.
#include "recorded_events.h"

#include <sys/resource.h>

enum { ONE = 1001, TWO = 1002, THREE = 1003 };

static const uint64_t BASE = 0x55aa00000000, OTHER_BASE = 0x563300000000;

static struct contprof_spaces *spaces;

static void open_pie(void) {
  spaces = contprof_spaces_new(&pie, 1);
}

static void close_spaces(void) {
  contprof_spaces_free(spaces);
}

TestSuite(address_space, .init = open_pie, .fini = close_spaces);

static void other_map(int32_t pid, uint64_t start, uint64_t size) {
  feed_map(spaces, pid, map_of("/bin/other", start, size, 0x1000));
}

Test(address_space, two_processes_have_bases_of_their_own) {
  feed_pie(spaces, ONE, BASE);
  feed_pie(spaces, TWO, OTHER_BASE);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
  expect_here(spaces, TWO, OTHER_BASE + 0x1170, 0, 0x1170);
  expect_here(spaces, ONE, BASE + 0x1141, 0, 0x1141);
  expect_where(spaces, ONE, OTHER_BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  expect_where(spaces, TWO, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  expect_where(spaces, THREE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, maps_end_where_they_end) {
  feed_pie(spaces, ONE, BASE);
  expect_where(spaces, ONE, BASE + 0xfff, CONTPROF_WHERE_UNMAPPED);
  expect_here(spaces, ONE, BASE + 0x1000, 0, 0x1000);
  expect_here(spaces, ONE, BASE + 0x1fff, 0, 0x1fff);
  expect_where(spaces, ONE, BASE + 0x2000, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, a_later_map_replaces_what_it_overlaps_alone) {
  feed_map(spaces, ONE, map_of("/home/u/two", BASE + 0x1000, 0x5000, 0x1000));
  other_map(ONE, BASE + 0x3000, 0x1000);
  expect_here(spaces, ONE, BASE + 0x2fff, 0, 0x2fff);
  expect_where(spaces, ONE, BASE + 0x3000, CONTPROF_WHERE_OTHER);
  expect_where(spaces, ONE, BASE + 0x3fff, CONTPROF_WHERE_OTHER);
  expect_here(spaces, ONE, BASE + 0x4000, 0, 0x4000);
  other_map(ONE, BASE, 0x10000);
  expect_where(spaces, ONE, BASE + 0x4000, CONTPROF_WHERE_OTHER);
}

Test(address_space, the_same_code_again_elsewhere_is_right_at_both_places) {
  feed_pie(spaces, ONE, BASE);
  feed_pie(spaces, ONE, OTHER_BASE);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
  expect_here(spaces, ONE, OTHER_BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_child_has_its_parents_maps) {
  feed_pie(spaces, ONE, BASE);
  feed_fork(spaces, TWO, ONE);
  feed_fork(spaces, THREE, TWO);
  expect_here(spaces, TWO, BASE + 0x1170, 0, 0x1170);
  expect_here(spaces, THREE, BASE + 0x1170, 0, 0x1170);
}

Test(address_space, a_fork_is_a_copy_of_that_moment) {
  feed_pie(spaces, ONE, BASE);
  feed_fork(spaces, TWO, ONE);
  other_map(ONE, BASE + 0x1000, 0x1000);
  feed_pie(spaces, ONE, OTHER_BASE);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_OTHER);
  expect_here(spaces, TWO, BASE + 0x1140, 0, 0x1140);
  expect_where(spaces, TWO, OTHER_BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  feed(spaces, CONTPROF_PERF_EXIT, ONE);
  expect_here(spaces, TWO, BASE + 0x1140, 0, 0x1140);
}

Test(address_space, an_exec_clears) {
  feed_pie(spaces, ONE, BASE);
  feed_fork(spaces, TWO, ONE);
  feed(spaces, CONTPROF_PERF_EXEC, TWO);
  expect_where(spaces, TWO, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  other_map(TWO, BASE + 0x1000, 0x1000);
  expect_where(spaces, TWO, BASE + 0x1140, CONTPROF_WHERE_OTHER);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_chain_of_execs_comes_back) {
  feed_pie(spaces, ONE, BASE);
  feed(spaces, CONTPROF_PERF_EXEC, ONE);
  other_map(ONE, BASE + 0x1000, 0x1000);
  feed(spaces, CONTPROF_PERF_EXEC, ONE);
  feed_pie(spaces, ONE, OTHER_BASE);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  expect_here(spaces, ONE, OTHER_BASE + 0x1140, 0, 0x1140);
}

Test(address_space, an_exit_ends) {
  feed_pie(spaces, ONE, BASE);
  feed(spaces, CONTPROF_PERF_EXIT, ONE);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, a_pid_used_again_after_its_exit_begins_anew) {
  feed_pie(spaces, ONE, BASE);
  feed(spaces, CONTPROF_PERF_EXIT, ONE);
  other_map(ONE, OTHER_BASE + 0x1000, 0x1000);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  expect_where(spaces, ONE, OTHER_BASE + 0x1140, CONTPROF_WHERE_OTHER);
  feed(spaces, CONTPROF_PERF_EXEC, ONE);
  feed_pie(spaces, ONE, OTHER_BASE);
  expect_here(spaces, ONE, OTHER_BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_fork_onto_a_live_pid_is_another_process) {
  feed_pie(spaces, ONE, BASE);
  feed_pie(spaces, TWO, OTHER_BASE);
  feed_fork(spaces, ONE, TWO);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  expect_here(spaces, ONE, OTHER_BASE + 0x1140, 0, 0x1140);
  feed_fork(spaces, ONE, THREE); // of which nothing is known
  expect_where(spaces, ONE, OTHER_BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, a_thread_changes_nothing) {
  feed_pie(spaces, ONE, BASE);
  feed_fork(spaces, ONE, ONE);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_made_up_fork_copies_and_clears_nothing) {
  feed_pie(spaces, ONE, BASE);
  struct contprof_perf_event fork = {
      .kind = CONTPROF_PERF_FORK, .pid = TWO, .parent = ONE, .synthesised = true};
  contprof_spaces_event(spaces, &fork);
  expect_where(spaces, TWO, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  feed_pie(spaces, TWO, OTHER_BASE);
  contprof_spaces_event(spaces, &fork);
  expect_here(spaces, TWO, OTHER_BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_late_map_counts_from_then_on) {
  other_map(TWO, BASE, 0x1000);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_UNMAPPED);
  feed_pie(spaces, ONE, BASE);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
}

Test(address_space, memory_without_a_file_is_another) {
  feed_pie(spaces, ONE, BASE);
  feed_map(spaces, ONE, map_of("//anon", BASE + 0x1000, 0x100, BASE + 0x1000));
  feed_map(spaces, ONE, map_of("[vdso]", 0x7fff00000000, 0x2000, 0));
  feed_map(spaces, ONE, map_of("", 0x7ffe00000000, 0x2000, 0));
  feed_map(spaces, ONE, map_of(NULL, 0x7ffd00000000, 0x2000, 0));
  expect_where(spaces, ONE, BASE + 0x1010, CONTPROF_WHERE_OTHER);
  expect_where(spaces, ONE, 0x7fff00000010, CONTPROF_WHERE_OTHER);
  expect_where(spaces, ONE, 0x7ffe00000010, CONTPROF_WHERE_OTHER);
  expect_where(spaces, ONE, 0x7ffd00000010, CONTPROF_WHERE_OTHER);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
}

Test(address_space, a_mismatch_is_kept_for_the_message) {
  const struct contprof_perf_mmap *seen;
  cr_assert_eq(contprof_spaces_mismatch(spaces, 0, &seen), CONTPROF_MISMATCH_NONE);
  char path[] = "/opt/two";
  struct contprof_perf_mmap map = map_of(path, BASE + 0x1000, 0x1000, 0x1000);
  map.build_id[0] = 0xab;
  map.build_id_size = 20;
  feed_map(spaces, ONE, map);
  memset(path, 'x', sizeof path - 1);
  map.path = "/srv/two";
  feed_map(spaces, TWO, map);
  expect_where(spaces, ONE, BASE + 0x1140, CONTPROF_WHERE_MISMATCH);
  cr_assert_eq(contprof_spaces_mismatch(spaces, 0, &seen), CONTPROF_MISMATCH_BUILD_ID);
  cr_expect_str_eq(seen->path, "/opt/two");
  cr_expect_eq(seen->build_id[0], 0xab);
  cr_expect_eq(seen->build_id_size, 20);
}

Test(address_space, a_map_of_no_segment_is_told_as_such) {
  const struct contprof_perf_mmap *seen;
  feed_map(spaces, ONE, map_of("/opt/two", BASE, 0x1000, 0x100000));
  expect_where(spaces, ONE, BASE + 0x10, CONTPROF_WHERE_MISMATCH);
  cr_assert_eq(contprof_spaces_mismatch(spaces, 0, &seen), CONTPROF_MISMATCH_SEGMENTS);
  cr_expect_eq(seen->file_offset, 0x100000);
}

Test(address_space, kernel_addresses_are_the_kernels) {
  struct contprof_perf_event kernel = {
      .kind = CONTPROF_PERF_MMAP,
      .pid = CONTPROF_NO_PID,
      .kernel = true,
      .mmap = map_of("[kernel.kallsyms]_text", 0xffffffff81000000, 0x1200000, 0xffffffff81000000)};
  contprof_spaces_event(spaces, &kernel);
  feed_pie(spaces, ONE, BASE);
  expect_where(spaces, ONE, 0xffffffff81000010, CONTPROF_WHERE_KERNEL);
  expect_where(spaces, CONTPROF_NO_PID, 0xffffffff81000010, CONTPROF_WHERE_KERNEL);
  expect_where(spaces, ONE, UINT64_MAX, CONTPROF_WHERE_KERNEL);
}

Test(address_space, ends_of_addresses_do_not_wrap) {
  feed_map(spaces, ONE, map_of("/home/u/two", 0x7ffffffffffff000, UINT64_MAX, 0x1000));
  expect_here(spaces, ONE, 0x7ffffffffffff010, 0, 0x1010);
  expect_where(spaces, ONE, 0x10, CONTPROF_WHERE_UNMAPPED);
  feed_map(spaces, TWO, map_of("/home/u/two", 0, UINT64_MAX, UINT64_MAX));
  feed_map(spaces, TWO, map_of("/bin/other", 0, UINT64_MAX, 0));
  expect_where(spaces, TWO, 0, CONTPROF_WHERE_OTHER);
  feed_map(spaces, THREE, map_of("/home/u/two", BASE, 0, 0x1000));
  expect_where(spaces, THREE, BASE, CONTPROF_WHERE_UNMAPPED);
}

// Of a file's bytes past 2^64 there are none; the addresses are taken nevertheless.
Test(address_space, a_map_past_the_end_of_its_file) {
  feed_pie(spaces, ONE, 0x10000);
  expect_here(spaces, ONE, 0x11100, 0, 0x1100);
  feed_map(spaces, ONE, map_of("//anon", 0x10000, 0x3000, UINT64_MAX - 0xfff));
  expect_where(spaces, ONE, 0x11100, CONTPROF_WHERE_OTHER);
  feed_map(spaces, TWO, map_of("/home/u/two", 0x10000, UINT64_MAX, 0x1000));
  expect_here(spaces, TWO, 0x10100, 0, 0x1100);
  feed_map(spaces, TWO, map_of("/home/u/two", 0x10000, 0x3000, UINT64_MAX - 0xfff));
  expect_where(spaces, TWO, 0x10100, CONTPROF_WHERE_MISMATCH);
  expect_where(spaces, TWO, 0x12fff, CONTPROF_WHERE_MISMATCH);
}

// --- without PIDs -------------------------------------------------------------------------------

Test(address_space, without_a_pid_the_address_tells_where_maps_leave_no_doubt) {
  feed_pie(spaces, ONE, BASE);
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1140, 0, 0x1140);
  feed_pie(spaces, TWO, OTHER_BASE);
  feed_fork(spaces, THREE, ONE);
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1140, 0, 0x1140);
  expect_here(spaces, CONTPROF_NO_PID, OTHER_BASE + 0x1140, 0, 0x1140);
  expect_where(spaces, CONTPROF_NO_PID, 0x400000, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, without_a_pid_differing_processes_leave_doubt) {
  feed_pie(spaces, ONE, BASE);
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1140, 0, 0x1140);
  other_map(TWO, BASE + 0x1000, 0x800);
  expect_where(spaces, CONTPROF_NO_PID, BASE + 0x1140, CONTPROF_WHERE_AMBIGUOUS);
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1900, 0, 0x1900);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
  feed(spaces, CONTPROF_PERF_EXIT, TWO);
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1140, 0, 0x1140);
  feed_pie(spaces, TWO, BASE + 0x100000); // the code at another place is no contradiction
  expect_here(spaces, CONTPROF_NO_PID, BASE + 0x1140, 0, 0x1140);
  feed_map(spaces, THREE, map_of("/home/u/two", BASE + 0x1100, 0xf00, 0x1000));
  expect_where(spaces, CONTPROF_NO_PID, BASE + 0x1140, CONTPROF_WHERE_AMBIGUOUS);
}

Test(address_space, without_a_pid_a_mismatch_and_another_file_are_no_doubt) {
  struct contprof_perf_mmap map = map_of("/home/u/two", BASE, 0x1000, 0x1000);
  map.build_id_size = 20;
  other_map(ONE, BASE, 0x1000);
  feed_map(spaces, TWO, map);
  expect_where(spaces, CONTPROF_NO_PID, BASE + 0x10, CONTPROF_WHERE_MISMATCH);
  feed_pie(spaces, THREE, BASE - 0x1000);
  expect_where(spaces, CONTPROF_NO_PID, BASE + 0x10, CONTPROF_WHERE_AMBIGUOUS);
}

Test(address_space, without_a_pid_two_other_files_are_no_doubt) {
  other_map(ONE, BASE, 0x1000);
  feed_map(spaces, TWO, map_of("/bin/third", BASE, 0x1000, 0));
  expect_where(spaces, CONTPROF_NO_PID, BASE + 0x10, CONTPROF_WHERE_OTHER);
}

// --- without maps -------------------------------------------------------------------------------

Test(address_space, without_any_map_addresses_are_the_images_own) {
  cr_expect_not(contprof_spaces_assumed(spaces, 0));
  expect_where(spaces, CONTPROF_NO_PID, 0x2010, CONTPROF_WHERE_UNMAPPED); // no code
  cr_expect_not(contprof_spaces_assumed(spaces, 0));
  expect_here(spaces, CONTPROF_NO_PID, 0x1140, 0, 0x1140);
  expect_here(spaces, ONE, 0x1208, 0, 0x1208);
  expect_where(spaces, ONE, 0x1209, CONTPROF_WHERE_UNMAPPED);
  cr_expect(contprof_spaces_assumed(spaces, 0));
  other_map(ONE, BASE, 0x1000);
  expect_where(spaces, ONE, 0x1140, CONTPROF_WHERE_UNMAPPED);
}

Test(address_space, without_any_map_several_images_may_leave_doubt) {
  static const struct contprof_segment fixed[] = {{0x1100, 0x1000, 0x2000, true}};
  struct contprof_image images[] = {pie, {.path = "/home/u/three", SEGMENTS(fixed)}};
  struct contprof_spaces *both = contprof_spaces_new(images, 2);
  expect_where(both, ONE, 0x1140, CONTPROF_WHERE_AMBIGUOUS);
  expect_here(both, ONE, 0x10ff, 0, 0x10ff);
  expect_here(both, ONE, 0x1500, 1, 0x1500);
  cr_expect(contprof_spaces_assumed(both, 0));
  contprof_spaces_free(both);
}

// --- many ---------------------------------------------------------------------------------------

// A server that has mapped much and forks ten thousand times. Were each list copied, this would
// take some 3 GB and fail in the 1 GB that the test sets; shared ones take some megabytes.
Test(address_space, ten_thousand_forks_share) {
  for (uint64_t i = 0; i < 5000; i++) { // not neighbours, which would become one range
    other_map(ONE, 0x7f0000000000 + i * 0x10000, 0x1000);
    feed_pie(spaces, ONE, BASE + i * 0x10000);
  }
  struct rlimit memory = {.rlim_cur = (rlim_t)1 << 30, .rlim_max = (rlim_t)1 << 30};
#ifndef __SANITIZE_ADDRESS__ // whose shadow does not fit
  cr_assert_eq(setrlimit(RLIMIT_AS, &memory), 0);
#endif
  (void)memory;
  for (int32_t pid = 2000; pid < 12000; pid++)
    feed_fork(spaces, pid, pid % 7 ? ONE : pid - 1);
  for (int32_t pid = 2000; pid < 12000; pid++)
    expect_here(spaces, pid, BASE + 0x1140 + 0x10000 * (uint64_t)(pid % 5000), 0, 0x1140);
  for (int32_t pid = 2000; pid < 12000; pid++)
    feed(spaces, CONTPROF_PERF_EXIT, pid);
  expect_here(spaces, ONE, BASE + 0x1140, 0, 0x1140);
}
