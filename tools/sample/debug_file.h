// Where a binary's debug information is: in it, or in a file of its own, which elfutils finds by
// build-id, by .gnu_debuglink or through debuginfod, where DEBUGINFOD_URLS is set.
#ifndef CONTPROF_SAMPLE_DEBUG_FILE_H
#define CONTPROF_SAMPLE_DEBUG_FILE_H

// The path of the separate debug file of the ELF file at `path`, to be freed; NULL if elfutils
// knows none.
char *contprof_debug_file_of(const char *path);

#endif
