#include "grown_array.h"

#include <stdlib.h>

void *contprof_grown(void *array, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return array;
  *room = *room ? *room * 2 : 64;
  array = realloc(array, *room * size);
  if (!array)
    abort();
  return array;
}
