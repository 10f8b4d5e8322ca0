// What the tools do when memory runs out: they have nothing sensible left to do, and end.
#ifndef CONTPROF_BASE_MEMORY_H
#define CONTPROF_BASE_MEMORY_H

#include <stddef.h>

// Returns `memory`, fresh from malloc and its kin; ends the process with a message if it is NULL.
// Ask for at least one byte: an empty allocation may be NULL, too.
void *contprof_need(void *memory);

// As reallocarray, and contprof_need.
void *contprof_need_array(void *memory, size_t count, size_t size);

#endif
