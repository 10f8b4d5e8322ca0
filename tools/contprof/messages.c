#include "messages.h"

#include "verbs.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *grade, const char *format, va_list arguments) {
  fprintf(stderr, "contprof: %s: ", grade);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void contprof_say_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error", format, arguments);
  va_end(arguments);
}

void contprof_say_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("warning", format, arguments);
  va_end(arguments);
}

void contprof_say_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("note", format, arguments);
  va_end(arguments);
}

void contprof_say_failure(const struct contprof_error *error) {
  char text[sizeof *error + 64];
  contprof_say_error("%s", contprof_error_text(error, text, sizeof text));
}

void contprof_say_skipped(const struct contprof_error *error) {
  char text[sizeof *error + 64];
  contprof_say_warning("%s", contprof_error_text(error, text, sizeof text));
}

int contprof_say_usage(const char *verb, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error", format, arguments);
  va_end(arguments);
  fprintf(stderr, "See contprof %s --help.\n", verb);
  return CONTPROF_EXIT_USAGE;
}
