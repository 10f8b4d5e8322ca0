#include "sample_order.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

int contprof_sample_name_compare(const struct contprof_sample_name *left,
                                 const struct contprof_sample_name *right) {
  if (!left->text || !right->text) {
    if (left->text || right->text)
      return left->text ? 1 : -1;
    return compare_numbers(left->hash, right->hash);
  }
  size_t common = left->length < right->length ? left->length : right->length;
  int order = memcmp(left->text, right->text, common);
  return order ? order : compare_numbers(left->length, right->length);
}

int contprof_sample_line_compare(const struct contprof_sample_line *left,
                                 const struct contprof_sample_line *right) {
  int order = compare_numbers(left->offset, right->offset);
  return order ? order : compare_numbers(left->discriminator, right->discriminator);
}

static int compare_frames(const struct contprof_context_frame *left,
                          const struct contprof_context_frame *right) {
  int order = contprof_sample_name_compare(left->name, right->name);
  return order ? order : contprof_sample_line_compare(&left->line, &right->line);
}

int contprof_sample_context_compare(const struct contprof_function_samples *left,
                                    const struct contprof_function_samples *right) {
  uint32_t common =
      left->context_count < right->context_count ? left->context_count : right->context_count;
  if (!left->context || !right->context) {
    if (left->context || right->context)
      return left->context ? 1 : -1;
    return contprof_sample_name_compare(left->name, right->name);
  }
  for (uint32_t i = 0; i < common; i++) {
    int order = compare_frames(&left->context[i], &right->context[i]);
    if (order)
      return order;
  }
  return compare_numbers(left->context_count, right->context_count);
}

static int by_context(const void *left, const void *right) {
  return contprof_sample_context_compare(*(const struct contprof_function_samples *const *)left,
                                         *(const struct contprof_function_samples *const *)right);
}

static int by_total(const void *left, const void *right) {
  const struct contprof_function_samples *one =
      *(const struct contprof_function_samples *const *)left;
  const struct contprof_function_samples *other =
      *(const struct contprof_function_samples *const *)right;
  int order = compare_numbers(other->total, one->total);
  return order ? order : contprof_sample_context_compare(one, other);
}

static const struct contprof_function_samples **
sorted(const struct contprof_sample_profile *profile, int (*compare)(const void *, const void *)) {
  size_t count = profile->function_count;
  const struct contprof_function_samples **all = contprof_need_array(NULL, count + 1, sizeof *all);
  for (size_t i = 0; i < count; i++)
    all[i] = profile->functions[i];
  qsort(all, count, sizeof *all, compare);
  return all;
}

const struct contprof_function_samples **
contprof_samples_sorted(const struct contprof_sample_profile *profile) {
  return sorted(profile, by_total);
}

const struct contprof_function_samples **
contprof_samples_sorted_by_context(const struct contprof_sample_profile *profile) {
  return sorted(profile, by_context);
}

static int by_frequency(const void *left, const void *right) {
  const struct contprof_call_target *one = *(const struct contprof_call_target *const *)left;
  const struct contprof_call_target *other = *(const struct contprof_call_target *const *)right;
  int order = compare_numbers(other->count, one->count);
  return order ? order : contprof_sample_name_compare(one->name, other->name);
}

const struct contprof_call_target **
contprof_targets_sorted(const struct contprof_body_sample *body) {
  if (!body->target_count)
    return NULL;
  const struct contprof_call_target **all =
      contprof_need_array(NULL, body->target_count, sizeof *all);
  for (uint32_t i = 0; i < body->target_count; i++)
    all[i] = &body->targets[i];
  qsort(all, body->target_count, sizeof *all, by_frequency);
  return all;
}
