// Samples become counts as llvm-profgen counts them, each in its process and its binary. Binaries
// and address spaces are made up: process P has binary B at (P * 16 + B) << 20; in a binary there
// is an instruction each 4 bytes, up to 0x1000, and those at 0x100, 0x200... jump for certain.
// Without a process, that of process 7 is in doubt. Process 8 has another file wherever others have
// something.
#include "tools/sample/converter.h"
#include "tools/sample/sample_filter.h"
#include "tools/sample/seen_files.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_END = 0x1000, BINARY_COUNT = 2, DOUBTFUL = 7, COVERED = 8 };

struct contprof_binary {
  struct contprof_image image;
};

static struct contprof_binary binaries[BINARY_COUNT];
static struct contprof_binary *const BINARIES[] = {&binaries[0], &binaries[1]};
static int32_t gone; // a process that has no maps

const struct contprof_image *contprof_binary_image(const struct contprof_binary *binary) {
  return &binary->image;
}

unsigned contprof_instruction_at(struct contprof_binary *binary, uint64_t address) {
  (void)binary;
  if (address >= CODE_END || address % 4)
    return 0;
  return CONTPROF_INSTRUCTION_STARTS | (address % 16 ? 0 : CONTPROF_INSTRUCTION_TRANSFER);
}

bool contprof_crosses_barrier(struct contprof_binary *binary, uint64_t start, uint64_t end) {
  (void)binary;
  return start < end && (start + 0xff) / 0x100 * 0x100 < end && (start + 0xff) / 0x100 > 0;
}

const struct contprof_function_range *contprof_binary_range_at(const struct contprof_binary *binary,
                                                               uint64_t address) {
  (void)binary;
  static const struct contprof_function_range FUNCTION = {.start = 0x100, .end = 0x800};
  return address >= FUNCTION.start && address < FUNCTION.end ? &FUNCTION : NULL;
}

const struct contprof_function_range *
contprof_binary_range_starting(const struct contprof_binary *binary, uint64_t address) {
  (void)binary, (void)address;
  return NULL;
}

uint64_t contprof_instruction_next(struct contprof_binary *binary, uint64_t address) {
  (void)binary;
  return address < CODE_END ? (address + 3) / 4 * 4 : UINT64_MAX;
}

struct contprof_spaces *contprof_spaces_new(const struct contprof_image *images, size_t count) {
  (void)images, (void)count;
  return NULL;
}

void contprof_spaces_note_files(struct contprof_spaces *spaces, struct contprof_seen_files *seen) {
  (void)spaces, (void)seen;
  gone = 0; // of a new recording
}

void contprof_spaces_free(struct contprof_spaces *spaces) {
  (void)spaces;
}

void contprof_spaces_event(struct contprof_spaces *spaces,
                           const struct contprof_perf_event *event) {
  (void)spaces;
  gone = event->kind == CONTPROF_PERF_EXEC ? event->pid : 0;
}

struct contprof_place contprof_spaces_resolve(struct contprof_spaces *spaces, int32_t pid,
                                              uint64_t address) {
  (void)spaces;
  uint64_t process = address >> 24;
  uint64_t binary = address >> 20 & 15;
  if (pid == CONTPROF_NO_PID && process == DOUBTFUL)
    return (struct contprof_place){.where = CONTPROF_WHERE_AMBIGUOUS};
  if (pid == COVERED && process != COVERED)
    return (struct contprof_place){.where = CONTPROF_WHERE_OTHER};
  if (pid == gone || (pid != CONTPROF_NO_PID && process != (uint64_t)pid))
    return (struct contprof_place){.where = CONTPROF_WHERE_UNMAPPED};
  if (binary >= BINARY_COUNT)
    return (struct contprof_place){.where = CONTPROF_WHERE_OTHER};
  return (struct contprof_place){CONTPROF_WHERE_HERE, binary, address & 0xfffff};
}

// Offsets up to 0x1000 are code of the binary that the path's last digit names.
struct contprof_place contprof_spaces_in_file(struct contprof_spaces *spaces, const char *path,
                                              uint64_t offset) {
  (void)spaces;
  size_t binary = (size_t)(path[strlen(path) - 1] - '0');
  if (binary >= BINARY_COUNT)
    return (struct contprof_place){.where = CONTPROF_WHERE_OTHER};
  return (struct contprof_place){offset < CODE_END ? CONTPROF_WHERE_HERE : CONTPROF_WHERE_MISMATCH,
                                 binary, offset};
}

// --- helpers ------------------------------------------------------------------------------------

static uint64_t at(int32_t pid, uint64_t binary, uint64_t address) {
  return ((uint64_t)pid << 24) + (binary << 20) + address;
}

static struct contprof_perf_event stack(int32_t pid, const struct contprof_branch *branches,
                                        size_t count) {
  return (struct contprof_perf_event){.kind = CONTPROF_PERF_SAMPLE,
                                      .pid = pid,
                                      .count = 1,
                                      .sample = {.ip = branches[0].to,
                                                 .has_ip = true,
                                                 .period = 100,
                                                 .branches = branches,
                                                 .branch_count = count}};
}

static void take(struct contprof_converter *converter, struct contprof_perf_event event) {
  struct contprof_error error;
  contprof_error_clear(&error);
  cr_assert(contprof_converter_take(converter, &event, &error));
}

static void expect_pairs(const struct contprof_pair_counts *counts,
                         const struct contprof_pair_count *wanted, size_t count) {
  cr_assert_eq(counts->count, count, "%zu pairs", counts->count);
  struct contprof_pair_count *pairs = contprof_pairs_sorted(counts);
  for (size_t i = 0; i < count; i++) {
    cr_expect_eq(pairs[i].from, wanted[i].from, "%zu: %lx", i, (unsigned long)pairs[i].from);
    cr_expect_eq(pairs[i].to, wanted[i].to, "%zu: %lx", i, (unsigned long)pairs[i].to);
    cr_expect_eq(pairs[i].count, wanted[i].count, "%zu: %lu", i, (unsigned long)pairs[i].count);
  }
  free(pairs);
}

#define EXPECT(COUNTS, ...)                                                                        \
  do {                                                                                             \
    static const struct contprof_pair_count WANTED[] = {__VA_ARGS__};                              \
    expect_pairs(COUNTS, WANTED, sizeof WANTED / sizeof *WANTED);                                  \
  } while (0)

// A loop from 0x110 to its jump back at 0x120, seen by process `pid` in `binary`, and called from
// another file.
enum { LOOP_ENTRIES = 3 };
static void make_loop(int32_t pid, uint64_t binary, struct contprof_branch *branches) {
  branches[0] = (struct contprof_branch){at(pid, binary, 0x120), at(pid, binary, 0x110)};
  branches[1] = branches[0];
  branches[2] = (struct contprof_branch){at(pid, 9, 0x500), at(pid, binary, 0x104)};
}

static struct contprof_converter *new_converter(const struct contprof_convert_options *options) {
  gone = 0;
  return contprof_converter_new(BINARIES, BINARY_COUNT, options);
}

// --- tests --------------------------------------------------------------------------------------

Test(converter, ranges_and_branches) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  take(converter, stack(1, branches, LOOP_ENTRIES));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x120, 1}, {0x110, 0x120, 1});
  EXPECT(&contprof_converter_counts(converter, 0)->branches, {CONTPROF_EXTERNAL, 0x104, 1},
         {0x120, 0x110, 2});
  cr_expect_eq(contprof_converter_counts(converter, 1)->ranges.count, 0);
  cr_expect_eq(contprof_converter_checks(converter, 0)->total, 2);
  cr_expect_eq(contprof_converter_checks(converter, 0)->bogus, 0);
  cr_expect_not(contprof_converter_ip_only(converter));
  contprof_converter_free(converter);
}

Test(converter, processes_of_one_binary_add_up) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  for (int32_t pid = 1; pid <= 3; pid++) {
    make_loop(pid, 0, branches);
    take(converter, stack(pid, branches, LOOP_ENTRIES));
  }
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x120, 3}, {0x110, 0x120, 3});
  cr_expect_eq(contprof_converter_attribution(converter)->by_where[CONTPROF_WHERE_HERE], 3);
  contprof_converter_free(converter);
}

// What is known of a branch is forgotten with its address space.
Test(converter, an_exec_ends_what_was_known) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  take(converter, stack(1, branches, LOOP_ENTRIES));
  take(converter, stack(1, branches, LOOP_ENTRIES));
  take(converter, (struct contprof_perf_event){.kind = CONTPROF_PERF_EXEC, .pid = 1});
  take(converter, stack(1, branches, LOOP_ENTRIES));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x120, 2}, {0x110, 0x120, 2});
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 2);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_UNMAPPED], 1);
  contprof_converter_free(converter);
}

// Branches between two binaries: each sees the other as outside.
Test(converter, two_binaries_in_one_stack) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[] = {{at(1, 0, 0x120), at(1, 0, 0x110)},
                                       {at(1, 1, 0x210), at(1, 0, 0x114)},
                                       {at(1, 1, 0x220), at(1, 1, 0x208)},
                                       {at(1, 0, 0x130), at(1, 1, 0x210)},
                                       {at(1, 0, 0x150), at(1, 0, 0x128)}};
  take(converter, stack(1, branches, 5));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x114, 0x120, 1}, {0x128, 0x130, 1});
  EXPECT(&contprof_converter_counts(converter, 0)->branches, {CONTPROF_EXTERNAL, 0x114, 1},
         {0x120, 0x110, 1}, {0x150, 0x128, 1});
  EXPECT(&contprof_converter_counts(converter, 1)->ranges, {0x208, 0x210, 1}, {0x210, 0x220, 1});
  EXPECT(&contprof_converter_counts(converter, 1)->branches, {CONTPROF_EXTERNAL, 0x210, 1},
         {0x220, 0x208, 1});
  contprof_converter_free(converter);
}

// Branches outside on both ends leave no gap.
Test(converter, external_entries_drop_out) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[] = {{at(1, 0, 0x120), at(1, 0, 0x110)},
                                       {at(1, 9, 4), at(1, 9, 8)},
                                       {at(1, 0, 0x140), at(1, 0, 0x118)}};
  take(converter, stack(1, branches, 3));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x118, 0x120, 1});
  contprof_converter_free(converter);
}

Test(converter, ranges_that_do_not_fit_are_told) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[] = {{at(1, 0, 0x120), at(1, 0, 0x110)},
                                       {at(1, 0, 0x2f0), at(1, 0, 0x130)},
                                       {at(1, 0, 0x304), at(1, 0, 0x1f4)},
                                       {at(1, 0, 0x8f0), at(1, 0, 0x300)},
                                       {at(1, 0, 0x8f0), at(1, 0, 0x8e0)}};
  take(converter, stack(1, branches, 5));
  contprof_converter_finish(converter);
  const struct contprof_range_checks *checks = contprof_converter_checks(converter, 0);
  // 0x130-0x120 goes backward, 0x1f4-0x2f0 over a jump, 0x300-0x304 over that at 0x300 and does not
  // end at a branch, 0x8e0-0x8f0 is in no function.
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x8e0, 0x8f0, 1});
  cr_expect_eq(checks->total, 4);
  cr_expect_eq(checks->bogus, 3);
  cr_expect_eq(checks->not_boundary, 1);
  cr_expect_eq(checks->no_function, 1);
  cr_expect_eq(checks->crosses_function, 0);
  contprof_converter_free(converter);
}

Test(converter, pids_and_events_are_filtered) {
  static const int32_t PIDS[] = {2, 3};
  static const char *const EVENTS[] = {"branches"};
  struct contprof_convert_options options = {
      .pids = PIDS, .pid_count = 2, .events = EVENTS, .event_count = 1};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  for (int32_t pid = 1; pid <= 3; pid++) {
    make_loop(pid, 0, branches);
    struct contprof_perf_event event = stack(pid, branches, LOOP_ENTRIES);
    event.sample.event = pid == 3 ? "cycles" : "branches";
    take(converter, event);
  }
  // Without a PID or an event a sample is taken, and placed as a wanted process has it.
  make_loop(3, 0, branches);
  take(converter, stack(CONTPROF_NO_PID, branches, LOOP_ENTRIES));
  contprof_converter_finish(converter);
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_eq(attribution->samples, 4);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 2);
  cr_expect_eq(attribution->other_pid, 1);
  cr_expect_eq(attribution->other_event, 1);
  const struct contprof_event_notes *events = contprof_converter_events(converter);
  cr_expect_eq(events->count, 2);
  cr_expect_eq(events->unnamed, 1);
  contprof_converter_free(converter);
}

Test(converter, what_is_in_doubt_is_not_counted) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[] = {{at(1, 0, 0x120), at(1, 0, 0x110)},
                                       {at(1, 0, 0x120), at(DOUBTFUL, 0, 0x110)}};
  take(converter, stack(CONTPROF_NO_PID, branches, 2));
  take(converter, stack(DOUBTFUL, branches + 1, 1));
  contprof_converter_finish(converter);
  cr_expect_eq(contprof_converter_counts(converter, 0)->ranges.count, 0);
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_AMBIGUOUS], 1);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 1);
  contprof_converter_free(converter);
}

// Two wanted processes have different things at the address.
Test(converter, wanted_processes_must_agree) {
  static const int32_t PIDS[] = {1, COVERED, 2};
  for (size_t first = 0; first < 2; first++) {
    struct contprof_convert_options options = {.pids = PIDS + first, .pid_count = 2};
    struct contprof_converter *converter = new_converter(&options);
    struct contprof_branch branches[LOOP_ENTRIES];
    make_loop(first ? 2 : 1, 0, branches);
    take(converter, stack(CONTPROF_NO_PID, branches, LOOP_ENTRIES));
    contprof_converter_finish(converter);
    cr_expect_eq(contprof_converter_counts(converter, 0)->ranges.count, 0);
    cr_expect_eq(contprof_converter_attribution(converter)->by_where[CONTPROF_WHERE_AMBIGUOUS], 1);
    contprof_converter_free(converter);
  }
}

// A hypervisor at an address that the process has, too.
Test(converter, what_is_no_process_is_not_counted) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch here = {at(1, 0, 0x120), at(1, 0, 0x110)};
  struct contprof_perf_event event = stack(1, &here, 1);
  event.sample.branch_count = 0;
  take(converter, event);
  event.kernel = true;
  take(converter, event);
  contprof_converter_finish(converter);
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 1);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_KERNEL], 1);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x110, 0x110, 100});
  contprof_converter_free(converter);
}

Test(converter, weights_do_not_wrap) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch here = {at(1, 0, 0x120), at(1, 0, 0x110)};
  struct contprof_perf_event event = stack(1, &here, 1);
  event.sample.branch_count = 0;
  event.sample.period = UINT64_C(1) << 63;
  event.count = 2;
  take(converter, event);
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x110, 0x110, UINT64_MAX});
  contprof_converter_free(converter);
}

Test(converter, counts_and_periods_multiply) {
  struct contprof_convert_options options = {.sample_period = 1001};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  struct contprof_perf_event event = stack(1, branches, LOOP_ENTRIES);
  event.count = 3;
  take(converter, event);
  contprof_converter_finish(converter);
  // 1001 / 2, thrice.
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x120, 1500},
         {0x110, 0x120, 1500});
  contprof_converter_free(converter);
}

static struct contprof_perf_event ip_sample(uint64_t address) {
  struct contprof_branch nowhere = {0, at(1, 0, address)};
  struct contprof_perf_event event = stack(1, &nowhere, 1);
  event.sample.branches = NULL;
  event.sample.branch_count = 0;
  return event;
}

Test(converter, without_branch_stacks_ips_count_by_period) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  take(converter, ip_sample(0x104));
  take(converter, ip_sample(0x104));
  take(converter, ip_sample(0x106));
  take(converter, ip_sample(0x110));
  contprof_converter_finish(converter);
  cr_expect(contprof_converter_ip_only(converter));
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x104, 200},
         {0x110, 0x110, 100});
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 3);
  cr_expect_eq(attribution->no_code, 1);
  contprof_converter_free(converter);
}

// As llvm-profgen --leading-ip-only counts.
Test(converter, beside_branch_stacks_ips_count_one) {
  struct contprof_convert_options options = {.ip_only = true};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  take(converter, stack(1, branches, LOOP_ENTRIES));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x110, 0x110, 1});
  cr_expect_eq(contprof_converter_counts(converter, 0)->branches.count, 0);
  contprof_converter_free(converter);
}

Test(converter, among_branch_stacks_a_sample_without_one_is_left_out) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  take(converter, ip_sample(0x104));
  take(converter, stack(1, branches, LOOP_ENTRIES));
  take(converter, (struct contprof_perf_event){.kind = CONTPROF_PERF_LOST, .count = 7});
  contprof_converter_finish(converter);
  const struct contprof_attribution *attribution = contprof_converter_attribution(converter);
  cr_expect_not(contprof_converter_ip_only(converter));
  cr_expect_eq(attribution->no_branches, 1);
  cr_expect_eq(attribution->lost, 7);
  cr_expect_eq(attribution->by_where[CONTPROF_WHERE_HERE], 1);
  contprof_converter_free(converter);
}

// Processes of one recording mean nothing in the next one; counts go on.
Test(converter, several_recordings_are_counted_together) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[LOOP_ENTRIES];
  make_loop(1, 0, branches);
  take(converter, stack(1, branches, LOOP_ENTRIES));
  take(converter, (struct contprof_perf_event){.kind = CONTPROF_PERF_EXEC, .pid = 1});
  take(converter, stack(1, branches, LOOP_ENTRIES));
  take(converter, (struct contprof_perf_event){.kind = CONTPROF_PERF_LOST, .count = 7});
  contprof_converter_next(converter);
  take(converter, stack(1, branches, LOOP_ENTRIES));
  contprof_converter_finish(converter);
  EXPECT(&contprof_converter_counts(converter, 0)->ranges, {0x104, 0x120, 2}, {0x110, 0x120, 2});
  size_t count;
  const struct contprof_attribution *each = contprof_converter_recordings(converter, &count);
  cr_assert_eq(count, 2);
  cr_expect_eq(each[0].samples, 2);
  cr_expect_eq(each[0].by_where[CONTPROF_WHERE_UNMAPPED], 1);
  cr_expect_eq(each[0].lost, 7);
  cr_expect_eq(each[1].by_where[CONTPROF_WHERE_HERE], 1);
  cr_expect_eq(each[1].lost, 0);
  const struct contprof_attribution *sum = contprof_converter_attribution(converter);
  cr_expect_eq(sum->samples, 3);
  cr_expect_eq(sum->by_where[CONTPROF_WHERE_HERE], 2);
  cr_expect_eq(sum->lost, 7);
  contprof_converter_free(converter);
}

// What IPs have told is no more of interest once branch stacks are what counts.
Test(converter, other_files_are_of_the_way_that_counts) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_branch branches[] = {{at(1, 9, 0x120), at(1, 9, 0x110)}};
  struct contprof_perf_event elsewhere = ip_sample(0);
  elsewhere.sample.ip = at(1, 9, 0x104);
  take(converter, elsewhere);
  cr_expect_eq(contprof_converter_others(converter)->files[0].samples, 1);
  take(converter, stack(1, branches, 1));
  take(converter, stack(1, branches, 1));
  cr_expect_eq(contprof_converter_others(converter)->files[0].samples, 2);
  contprof_converter_free(converter);
}

// perf script's callchains have addresses or offsets in the file that they name.
static struct contprof_attribution of_leaf(uint64_t number, const char *file, size_t binary) {
  struct contprof_convert_options options = {0};
  struct contprof_converter *converter = new_converter(&options);
  struct contprof_perf_event event = ip_sample(0);
  event.sample.ip = number;
  event.sample.has_callchain = true;
  event.sample.file = file;
  take(converter, event);
  contprof_converter_finish(converter);
  struct contprof_attribution attribution = *contprof_converter_attribution(converter);
  if (attribution.by_where[CONTPROF_WHERE_HERE])
    EXPECT(&contprof_converter_counts(converter, binary)->ranges, {0x104, 0x104, 100});
  contprof_converter_free(converter);
  return attribution;
}

Test(converter, a_leaf_is_an_address_or_an_offset) {
  binaries[0].image.position_independent = binaries[1].image.position_independent = true;
  struct contprof_attribution told = of_leaf(at(1, 1, 0x104), "/lib1", 1);
  cr_expect_eq(told.by_where[CONTPROF_WHERE_HERE], 1);
  cr_expect_eq(told.as_offsets, 0);
  told = of_leaf(0x104, "/lib1", 1);
  cr_expect_eq(told.by_where[CONTPROF_WHERE_HERE], 1);
  cr_expect_eq(told.as_offsets, 1);
  // What would be an address in one binary is named as an offset in a file that is none.
  told = of_leaf(at(1, 1, 0x104), "/lib9", 1);
  cr_expect_eq(told.by_where[CONTPROF_WHERE_OTHER], 1);
  // Fixed addresses are as low as offsets.
  binaries[1].image.position_independent = false;
  told = of_leaf(0x104, "/lib1", 1);
  cr_expect_eq(told.by_where[CONTPROF_WHERE_UNMAPPED], 1);
  told = of_leaf(at(1, 1, 0x104), "/lib1", 1);
  cr_expect_eq(told.by_where[CONTPROF_WHERE_HERE], 1);
}
