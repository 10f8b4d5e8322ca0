// Text on its way into a buffer, and JSON's strings (RFC 8259, 7).
#ifndef CONTPROF_BASE_JSON_TEXT_H
#define CONTPROF_BASE_JSON_TEXT_H

#include "byte_writer.h"

// Adds `text`, without its NUL.
void contprof_put_text(struct contprof_byte_writer *writer, const char *text);

// Adds what printf would print, at most 127 bytes of it.
void contprof_put_format(struct contprof_byte_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds `length` bytes of text as a JSON string, in quotes. Bytes that are not UTF-8 come as U+FFFD.
void contprof_put_json_string(struct contprof_byte_writer *writer, const char *text, size_t length);

#endif
