#include "function_name.h"

#include <string.h>

// Where the last full stop of name[0..length) stands; `length` if there is none.
static size_t last_stop(const char *name, size_t length) {
  const char *stop = memrchr(name, '.', length);
  return stop ? (size_t)(stop - name) : length;
}

// The length without `suffix` (which begins and ends with a full stop) and what follows it.
static size_t without(const char *name, size_t length, const char *suffix) {
  size_t size = strlen(suffix);
  size_t stop = last_stop(name, length);
  if (stop == length || stop + 1 < size)
    return length;
  size_t start = stop + 1 - size;
  return memcmp(name + start, suffix, size) == 0 ? start : length;
}

size_t contprof_canonical_length(const char *name, size_t length, bool keep_unique) {
  length = without(name, length, ".llvm.");
  length = without(name, length, ".part.");
  return keep_unique ? length : without(name, length, ".__uniq.");
}
