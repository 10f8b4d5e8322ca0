// Which pages of private memory hold something else than the file they are mapped from, as the
// kernel tells without touching them (/proc/self/pagemap).
#ifndef CONTPROF_RUNTIME_PAGE_MAP_H
#define CONTPROF_RUNTIME_PAGE_MAP_H

#include <stdbool.h>
#include <stddef.h>

// Whether the pages from `start` to `end`, page boundaries both, the end not in it, are all as in
// the file. False also where that can't be told.
bool contprof_pages_untouched(const char *start, const char *end);

#endif
