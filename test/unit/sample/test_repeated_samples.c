// Samples of equal text come as fewer events, and none is lost.
#include "tools/sample/repeated_samples.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 20000 };

static struct contprof_repeated_samples *samples;
static struct contprof_error error;
static uint64_t counts[KINDS]; // by first branch's source
static uint64_t handed;        // events
static bool refuses;

static bool take(void *context, const struct contprof_perf_event *event,
                 struct contprof_error *failure) {
  (void)context;
  if (refuses)
    return contprof_fail(failure, CONTPROF_USAGE, NULL, NULL, 0, "enough");
  cr_assert_eq(event->sample.branch_count, 2);
  cr_assert_eq(event->sample.branches[1].to, event->sample.branches[0].from + 1);
  counts[event->sample.branches[0].from] += event->count;
  handed++;
  return true;
}

static void enter(void) {
  contprof_error_clear(&error);
  samples = contprof_repeated_new(take, NULL, &error);
}

static void leave(void) {
  contprof_repeated_free(samples);
}

TestSuite(repeated_samples, .init = enter, .fini = leave);

// Sample `kind` once more, its text `length` bytes.
static bool give(unsigned kind, size_t length) {
  static char text[70000];
  const struct contprof_branch branches[2] = {{kind, 5}, {6, kind + 1}};
  struct contprof_perf_event event = {.count = 1,
                                      .sample = {.branches = branches, .branch_count = 2}};
  struct contprof_sample_text of = {.pid = 1, .bytes = text, .length = length};
  memset(text, ' ', length);
  snprintf(text, sizeof text, "%u", kind);
  return contprof_repeated_add(samples, &of, 1) || contprof_repeated_take(samples, &of, &event);
}

static void expect_counts(unsigned kinds, uint64_t count) {
  cr_assert(contprof_repeated_flush(samples));
  for (unsigned kind = 0; kind < kinds; kind++)
    cr_assert_eq(counts[kind], count, "kind %u", kind);
}

Test(repeated_samples, a_few_over_and_over) {
  for (int round = 0; round < 1000; round++)
    for (unsigned kind = 0; kind < 13; kind++)
      cr_assert(give(kind, 1300));
  expect_counts(13, 1000);
  cr_expect_lt(handed, 1300);
}

Test(repeated_samples, more_than_are_held) {
  for (int round = 0; round < 5; round++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      cr_assert(give(kind, 300));
  expect_counts(KINDS, 5);
}

Test(repeated_samples, texts_of_every_length) {
  for (int round = 0; round < 4; round++)
    for (unsigned kind = 0; kind < 1000; kind++)
      cr_assert(give(kind, kind * 70));
  expect_counts(1000, 4);
}

Test(repeated_samples, a_flush_forgets) {
  for (int round = 0; round < 4; round++)
    cr_assert(give(1, 100));
  cr_assert(contprof_repeated_flush(samples));
  uint64_t before = handed;
  cr_assert(contprof_repeated_flush(samples));
  cr_expect_eq(handed, before);
  cr_assert(give(1, 100));
  expect_counts(0, 0);
  cr_expect_eq(counts[1], 5);
}

Test(repeated_samples, a_taker_may_refuse) {
  cr_assert(give(1, 100));
  cr_assert(give(1, 100));
  refuses = true;
  cr_expect_not(contprof_repeated_flush(samples));
  cr_expect_eq(error.code, CONTPROF_USAGE);
  cr_expect_not(give(2, 100));
}
