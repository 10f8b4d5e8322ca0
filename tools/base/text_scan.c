#include "text_scan.h"

bool contprof_scan_text(struct contprof_scan *scan, const char *text) {
  size_t length = strlen(text);
  if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, text, length) != 0)
    return false;
  scan->at += length;
  return true;
}

bool contprof_scan_decimal(struct contprof_scan *scan, uint64_t *value) {
  const char *at = scan->at;
  uint64_t sum = 0;
  for (; at < scan->end && contprof_scan_is_decimal(*at); at++)
    if (__builtin_mul_overflow(sum, 10, &sum) ||
        __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
      return false;
  if (at == scan->at)
    return false;
  scan->at = at;
  *value = sum;
  return true;
}

bool contprof_scan_signed(struct contprof_scan *scan, int32_t *value) {
  struct contprof_scan copy = *scan;
  bool negative = contprof_scan_character(&copy, '-');
  uint64_t sum;
  if (!contprof_scan_decimal(&copy, &sum) || sum > INT32_MAX)
    return false;
  *scan = copy;
  *value = negative ? -(int32_t)sum : (int32_t)sum;
  return true;
}

bool contprof_scan_word(struct contprof_scan *scan, struct contprof_scan *word) {
  contprof_scan_spaces(scan);
  const char *at = scan->at;
  while (at < scan->end && *at != ' ' && *at != '\t')
    at++;
  *word = (struct contprof_scan){scan->at, at};
  scan->at = at;
  return word->at < word->end;
}
