#include "perf_order.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// Room is needed twice, for sorting.
static uint64_t weight(const struct contprof_perf_waiting *waiting) {
  return waiting->record.size + 2 * sizeof *waiting;
}

void contprof_perf_order_free(struct contprof_perf_order *order) {
  for (size_t i = 0; i < order->count; i++)
    contprof_perf_block_release(order->blocks, order->waiting[i].record.block);
  free(order->waiting);
  free(order->spare);
  order->waiting = order->spare = NULL;
  order->count = order->room = 0;
}

// --- sorting: a natural merge sort, since each processor's records are a run in order ------------

static size_t end_of_run(const struct contprof_perf_waiting *list, size_t start, size_t count) {
  size_t end = start + 1;
  while (end < count && list[end - 1].time <= list[end].time)
    end++;
  return end;
}

// Merges [start, middle) and [middle, end) of `from` to the same places of `to`.
static void merge(const struct contprof_perf_waiting *from, struct contprof_perf_waiting *to,
                  size_t start, size_t middle, size_t end) {
  size_t left = start, right = middle;
  for (size_t at = start; at < end; at++) {
    bool take_left = left < middle && (right == end || from[left].time <= from[right].time);
    to[at] = take_left ? from[left++] : from[right++];
  }
}

// Merges pairs of runs. Returns how many runs there are then.
static size_t merge_pairs(struct contprof_perf_order *order) {
  size_t runs = 0;
  for (size_t start = 0; start < order->count; runs++) {
    size_t middle = end_of_run(order->waiting, start, order->count);
    size_t end = middle < order->count ? end_of_run(order->waiting, middle, order->count) : middle;
    merge(order->waiting, order->spare, start, middle, end);
    start = end;
  }
  struct contprof_perf_waiting *merged = order->spare;
  order->spare = order->waiting;
  order->waiting = merged;
  return runs;
}

static void sort(struct contprof_perf_order *order) {
  if (order->count && end_of_run(order->waiting, 0, order->count) < order->count)
    while (merge_pairs(order) > 1)
      ;
}

// --- handing out --------------------------------------------------------------------------------

static void forget_first(struct contprof_perf_order *order, size_t count) {
  order->count -= count;
  if (order->count)
    memmove(order->waiting, order->waiting + count, order->count * sizeof *order->waiting);
}

// Hands out, of sorted records, those up to `time`, and older ones until no more than `bytes` wait.
static bool hand_out_until(struct contprof_perf_order *order, uint64_t time, uint64_t bytes,
                           struct contprof_error *error) {
  size_t done = 0;
  bool ok = true;
  while (ok && done < order->count && (order->waiting[done].time <= time || order->bytes > bytes)) {
    struct contprof_perf_waiting *next = &order->waiting[done++];
    if (next->time > order->handed_out)
      order->handed_out = next->time;
    order->bytes -= weight(next);
    ok = order->hand_out(order->context, next, error);
    contprof_perf_block_release(order->blocks, next->record.block);
  }
  forget_first(order, done);
  return ok;
}

// A few records may keep many blocks: those that are far ahead of the others in time.
static void move_together(struct contprof_perf_order *order) {
  struct contprof_perf_block *block = contprof_perf_block_take(order->blocks);
  size_t used = 0;
  for (size_t i = 0; i < order->count; i++) {
    struct contprof_perf_raw *record = &order->waiting[i].record;
    if (sizeof block->bytes - used < record->size) {
      contprof_perf_block_release(order->blocks, block);
      block = contprof_perf_block_take(order->blocks);
      used = 0;
    }
    memcpy(block->bytes + used, record->bytes, record->size);
    contprof_perf_block_release(order->blocks, record->block);
    record->block = block;
    record->bytes = block->bytes + used;
    used += record->size;
    block->users++;
  }
  contprof_perf_block_release(order->blocks, block);
}

static bool make_room(struct contprof_perf_order *order, struct contprof_error *error) {
  uint64_t held = (uint64_t)order->blocks->used_count * CONTPROF_PERF_BLOCK_SIZE;
  if (order->bytes <= order->window && held <= order->window + order->window / 2)
    return true;
  sort(order);
  if (!hand_out_until(order, 0, order->window / 2, error))
    return false;
  held = (uint64_t)order->blocks->used_count * CONTPROF_PERF_BLOCK_SIZE;
  if (held > order->window)
    move_together(order);
  return true;
}

static void grow(struct contprof_perf_order *order) {
  order->room = order->room ? 2 * order->room : 1024;
  order->waiting = contprof_need_array(order->waiting, order->room, sizeof *order->waiting);
  free(order->spare); // holds nothing between two sorts
  order->spare = contprof_need_array(NULL, order->room, sizeof *order->spare);
}

bool contprof_perf_order_add(struct contprof_perf_order *order,
                             const struct contprof_perf_waiting *waiting,
                             struct contprof_error *error) {
  if (order->count == order->room)
    grow(order);
  order->waiting[order->count++] = *waiting;
  waiting->record.block->users++;
  order->bytes += weight(waiting);
  order->out_of_order += waiting->time < order->handed_out;
  if (waiting->time > order->newest)
    order->newest = waiting->time;
  return make_room(order, error);
}

bool contprof_perf_order_round(struct contprof_perf_order *order, struct contprof_error *error) {
  sort(order);
  if (!hand_out_until(order, order->complete, UINT64_MAX, error))
    return false;
  order->complete = order->newest;
  return true;
}

bool contprof_perf_order_finish(struct contprof_perf_order *order, struct contprof_error *error) {
  sort(order);
  return hand_out_until(order, UINT64_MAX, UINT64_MAX, error);
}
