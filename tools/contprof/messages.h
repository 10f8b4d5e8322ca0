// What the tool says on stderr: one line each, "contprof: error: FILE: header at offset 8: ...".
#ifndef CONTPROF_MESSAGES_H
#define CONTPROF_MESSAGES_H

#include "../base/error.h"

void contprof_say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void contprof_say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void contprof_say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The text of `error`, as an error or a warning.
void contprof_say_failure(const struct contprof_error *error);
void contprof_say_skipped(const struct contprof_error *error);

// "contprof: error: MESSAGE", then where help is to be had. Returns CONTPROF_EXIT_USAGE.
int contprof_say_usage(const char *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
