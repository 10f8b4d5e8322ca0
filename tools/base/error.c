#include "error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void contprof_error_clear(struct contprof_error *error) {
  memset(error, 0, sizeof *error);
  error->offset = CONTPROF_NO_OFFSET;
}

// Keeps the tail of a long path: the file's own name matters more than its root.
static void copy_tail(char *to, size_t size, const char *from) {
  size_t length = strlen(from);
  if (length >= size)
    from += length - (size - 1);
  snprintf(to, size, "%s", from);
}

static void set_place(struct contprof_error *error, enum contprof_code code, const char *file,
                      const char *section, uint64_t offset) {
  error->code = code;
  error->offset = offset;
  error->section = section;
  error->file[0] = '\0';
  if (file)
    copy_tail(error->file, sizeof error->file, file);
}

bool contprof_fail(struct contprof_error *error, enum contprof_code code, const char *file,
                   const char *section, uint64_t offset, const char *format, ...) {
  if (error->code != CONTPROF_OK)
    return false;
  set_place(error, code, file, section, offset);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

bool contprof_fail_errno(struct contprof_error *error, int saved_errno, const char *file,
                         const char *format, ...) {
  if (error->code != CONTPROF_OK)
    return false;
  enum contprof_code code = saved_errno == ENOENT ? CONTPROF_NOT_FOUND : CONTPROF_IO;
  set_place(error, code, file, NULL, CONTPROF_NO_OFFSET);
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  if (used >= 0 && (size_t)used < sizeof error->message)
    snprintf(error->message + used, sizeof error->message - (size_t)used, ": %s",
             strerror(saved_errno));
  return false;
}

const char *contprof_error_text(const struct contprof_error *error, char *buffer, uint64_t size) {
  const char *file_colon = error->file[0] ? ": " : "";
  const char *section = error->section ? error->section : "";
  const char *section_colon = error->section ? ": " : "";
  if (error->offset == CONTPROF_NO_OFFSET)
    snprintf(buffer, size, "%s%s%s%s%s", error->file, file_colon, section, section_colon,
             error->message);
  else
    snprintf(buffer, size, "%s%s%s%sat offset %" PRIu64 ": %s", error->file, file_colon, section,
             error->section ? " " : "", error->offset, error->message);
  return buffer;
}
