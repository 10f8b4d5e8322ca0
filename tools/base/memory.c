#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void *contprof_need(void *memory) {
  if (memory)
    return memory;
  fputs("contprof: out of memory\n", stderr);
  abort();
}

void *contprof_need_array(void *memory, size_t count, size_t size) {
  return contprof_need(reallocarray(memory, count ? count : 1, size));
}
