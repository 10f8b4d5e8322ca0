// Records come in the order of their time, as far as marks and memory allow.
#include "tools/sample/perf_order.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIZE = 64 }; // bytes of a record

struct fixture {
  struct contprof_perf_blocks blocks;
  struct contprof_perf_order order;
  struct contprof_perf_block *block; // of the records to come
  size_t used;                       // bytes of it
  uint64_t times[200000];            // of what was handed out
  uint32_t names[200000];            // which record that was
  size_t count;
  uint32_t next_name;
  size_t fail_at; // 0: never
  struct contprof_error error;
};

static struct fixture fixture;

static bool hand_out(void *context, const struct contprof_perf_waiting *waiting,
                     struct contprof_error *error) {
  struct fixture *to = context;
  cr_assert_eq(waiting->record.bytes[SIZE - 1], (uint8_t)waiting->attr, "its bytes are there");
  to->times[to->count] = waiting->time;
  to->names[to->count++] = waiting->attr;
  return to->count != to->fail_at ||
         contprof_fail(error, CONTPROF_CORRUPT, NULL, NULL, 0, "stopped");
}

static void set_up(void) {
  contprof_error_clear(&fixture.error);
  fixture.order = (struct contprof_perf_order){.blocks = &fixture.blocks,
                                               .hand_out = hand_out,
                                               .context = &fixture,
                                               .window = CONTPROF_PERF_WINDOW};
  fixture.block = contprof_perf_block_take(&fixture.blocks);
}

static void tear_down(void) {
  contprof_perf_order_free(&fixture.order);
  contprof_perf_block_release(&fixture.blocks, fixture.block);
  cr_expect_eq(fixture.blocks.used_count, 0, "no block is left in use");
  contprof_perf_blocks_free(&fixture.blocks);
}

TestSuite(perf_order, .init = set_up, .fini = tear_down);

static bool add(uint64_t time) {
  if (sizeof fixture.block->bytes - fixture.used < SIZE) {
    contprof_perf_block_release(&fixture.blocks, fixture.block);
    fixture.block = contprof_perf_block_take(&fixture.blocks);
    fixture.used = 0;
  }
  struct contprof_perf_waiting waiting = {.time = time,
                                          .attr = fixture.next_name++,
                                          .record = {.block = fixture.block,
                                                     .bytes = fixture.block->bytes + fixture.used,
                                                     .size = SIZE}};
  memset(fixture.block->bytes + fixture.used, (uint8_t)waiting.attr, SIZE);
  fixture.used += SIZE;
  return contprof_perf_order_add(&fixture.order, &waiting, &fixture.error);
}

static void expect_names(size_t count, const uint32_t *names) {
  cr_expect_eq(fixture.count, count, "%zu were handed out", fixture.count);
  for (size_t i = 0; i < count && i < fixture.count; i++)
    cr_expect_eq(fixture.names[i], names[i], "number %zu is %u", i, fixture.names[i]);
}

Test(perf_order, all_comes_sorted_at_the_end) {
  for (uint64_t time = 10; time; time--)
    cr_assert(add(time));
  cr_assert(contprof_perf_order_finish(&fixture.order, &fixture.error));
  expect_names(10, (uint32_t[]){9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
}

Test(perf_order, equal_times_stay_in_order) {
  const uint64_t times[] = {5, 3, 5, 3, 4, 5, 3};
  for (size_t i = 0; i < 7; i++)
    cr_assert(add(times[i]));
  cr_assert(contprof_perf_order_finish(&fixture.order, &fixture.error));
  expect_names(7, (uint32_t[]){1, 3, 6, 4, 0, 2, 5});
}

// What a round has seen is complete at the end of the next one.
Test(perf_order, a_mark_hands_out_the_round_before) {
  cr_assert(add(10) && add(20) && add(5));
  cr_assert(contprof_perf_order_round(&fixture.order, &fixture.error));
  expect_names(0, NULL);
  cr_assert(add(15) && add(30));
  cr_assert(contprof_perf_order_round(&fixture.order, &fixture.error));
  expect_names(4, (uint32_t[]){2, 0, 3, 1});
  cr_assert(contprof_perf_order_round(&fixture.order, &fixture.error));
  expect_names(5, (uint32_t[]){2, 0, 3, 1, 4});
  cr_expect_eq(fixture.order.out_of_order, 0);
}

Test(perf_order, late_records_are_counted) {
  cr_assert(add(10));
  cr_assert(contprof_perf_order_round(&fixture.order, &fixture.error));
  cr_assert(contprof_perf_order_round(&fixture.order, &fixture.error));
  cr_assert(add(9) && add(10) && add(11));
  cr_assert(contprof_perf_order_finish(&fixture.order, &fixture.error));
  cr_expect_eq(fixture.order.out_of_order, 1);
  expect_names(4, (uint32_t[]){0, 1, 2, 3});
}

// Without marks, the older half goes when the window is full.
Test(perf_order, a_full_window_hands_out_its_older_half) {
  fixture.order.window = UINT64_C(4) << 20;
  for (uint64_t i = 0; i < 100000; i++)
    cr_assert(add(1 + (i ^ 0xff)));
  cr_expect_gt(fixture.count, 50000);
  cr_expect_lt(fixture.blocks.used_count, 2 * fixture.order.window / CONTPROF_PERF_BLOCK_SIZE);
  cr_assert(contprof_perf_order_finish(&fixture.order, &fixture.error));
  cr_expect_eq(fixture.count, 100000);
  cr_expect_eq(fixture.order.out_of_order, 0);
  for (size_t i = 1; i < fixture.count; i++)
    cr_assert_leq(fixture.times[i - 1], fixture.times[i]);
}

// One record in a block that is far ahead of time must not keep the block.
Test(perf_order, few_records_do_not_keep_many_blocks) {
  const size_t in_block = CONTPROF_PERF_BLOCK_SIZE / SIZE;
  fixture.order.window = UINT64_C(2) << 20;
  for (uint64_t i = 0; i < 40 * in_block; i++)
    cr_assert(add(i % in_block ? 1 + i : UINT64_MAX - 1000 + i / in_block));
  cr_expect_lt(fixture.blocks.used_count, 2 * fixture.order.window / CONTPROF_PERF_BLOCK_SIZE);
  cr_assert(contprof_perf_order_finish(&fixture.order, &fixture.error));
  for (size_t i = 1; i < fixture.count; i++)
    cr_assert_leq(fixture.times[i - 1], fixture.times[i]);
  cr_expect_eq(fixture.count, 40 * in_block);
}

Test(perf_order, who_takes_may_stop) {
  fixture.fail_at = 2;
  cr_assert(add(1) && add(2) && add(3));
  cr_expect_not(contprof_perf_order_finish(&fixture.order, &fixture.error));
  cr_expect_eq(fixture.error.code, CONTPROF_CORRUPT);
  cr_expect_eq(fixture.count, 2);
}
