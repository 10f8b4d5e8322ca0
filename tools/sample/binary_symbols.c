#include "binary_symbols.h"

#include <string.h>

void contprof_symbols_of_binary(const struct contprof_binary *binary,
                                struct contprof_sample_profile *profile) {
  const struct contprof_function_range **ranges;
  size_t count = contprof_binary_ranges(binary, &ranges);
  for (size_t i = 0; i < count; i++) {
    const char *name = ranges[i]->function->name;
    contprof_symbols_add(profile, name, strlen(name));
  }
  contprof_symbols_sort(profile);
}
