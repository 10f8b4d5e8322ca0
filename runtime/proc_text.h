// Reading the small text files of /proc, and numbers in them. No allocation; no state.
#ifndef CONTPROF_RUNTIME_PROC_TEXT_H
#define CONTPROF_RUNTIME_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads the start of a file into `buffer` of `size` bytes, terminated always. 0 or a negated errno.
// These files are shorter than a page, and such a one comes in one read
// (Documentation/filesystems/seq_file.rst).
int contprof_proc_read(const char *path, char *buffer, size_t size);

// The decimal number at *at, 0 if there is none; *at is left behind it.
uint64_t contprof_parse_decimal(const char **at);

// The same for hexadecimal; false if there is no digit.
bool contprof_parse_hex(const char **at, uint64_t *value);

#endif
