// For tests of sums of raw profiles: a sum, and a file in memory.
#ifndef TEST_MADE_SUM_H
#define TEST_MADE_SUM_H

#include "raw_bytes.h"
#include "tools/instr/raw_reader.h"
#include "tools/instr/raw_sum.h"
#include "tools/instr/text_writer.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct contprof_error error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// A sum with the profile that it goes to.
struct made_sum {
  struct contprof_profile into;
  struct contprof_raw_sum *sum; // NULL: there can be none
  struct contprof_raw_share *share;
};

// Of exactly this size, so that the address sanitizer sees a byte read past the end.
static inline struct contprof_file_view view_of(const struct raw_bytes *raw) {
  uint8_t *copy = malloc(raw->size);
  memcpy(copy, raw->bytes, raw->size);
  return (struct contprof_file_view){.path = "t.profraw", .bytes = copy, .size = raw->size};
}

static inline void read_into(const struct contprof_file_view *file,
                             struct contprof_profile *profile) {
  contprof_error_clear(&error);
  cr_assert(contprof_raw_read(file, profile, &error), "%s", error.message);
}

static inline void merge(struct contprof_profile *into, const struct contprof_file_view *file,
                         uint64_t weight) {
  struct contprof_profile profile = {0};
  struct contprof_merge_report report = {0};
  read_into(file, &profile);
  cr_assert(contprof_profile_merge(into, &profile, weight, &report, "t", &error));
  contprof_profile_free(&profile);
}

// The profile has the file once.
static inline void make_sum(struct made_sum *made, const struct contprof_file_view *file) {
  *made = (struct made_sum){0};
  merge(&made->into, file, 1);
  made->sum = contprof_raw_sum_new(file, &made->into);
  if (made->sum)
    made->share = contprof_raw_share_new(made->sum);
}

static inline void free_sum(struct made_sum *made) {
  contprof_raw_share_free(made->share);
  contprof_raw_sum_free(made->sum);
  contprof_profile_free(&made->into);
}

static inline void check_same(struct contprof_profile *left, struct contprof_profile *right) {
  struct contprof_byte_writer one = {0}, other = {0};
  contprof_profile_sort(left);
  contprof_profile_sort(right);
  cr_assert(contprof_text_write(left, &one, &error) && contprof_text_write(right, &other, &error));
  cr_assert(one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0,
            "%.*s\nand\n%.*s", (int)one.size, one.bytes, (int)other.size, other.bytes);
  contprof_byte_writer_free(&one);
  contprof_byte_writer_free(&other);
}

#endif
