// Arrays that grow by one entry at a time.
#ifndef CONTPROF_GROWN_ARRAY_H
#define CONTPROF_GROWN_ARRAY_H

#include <stddef.h>

// `array`, or what replaces it, with room for one more than `count` entries of `size` bytes; *room
// is how many it has room for. The caller frees it. Ends the process where memory runs out: the
// plugin lives in clang, which ends the same way.
void *contprof_grown(void *array, size_t count, size_t *room, size_t size);

#endif
