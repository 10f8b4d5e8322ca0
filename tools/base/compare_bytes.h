// The order of strings that have a length and may hold any byte.
#ifndef CONTPROF_BASE_COMPARE_BYTES_H
#define CONTPROF_BASE_COMPARE_BYTES_H

#include <stddef.h>
#include <string.h>

// Below, at or above 0 as the left one, of `left_size` bytes, comes before the right one, is the
// same or comes after it: by the first byte that differs, as unsigned; what the other begins with
// comes before it. As std::string's, and LLVM's StringRef's, comparison.
static inline int contprof_compare_bytes(const void *left, size_t left_size, const void *right,
                                         size_t right_size) {
  int order = memcmp(left, right, left_size < right_size ? left_size : right_size);
  return order ? order : (left_size > right_size) - (left_size < right_size);
}

#endif
