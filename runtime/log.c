#include "log.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "platform.h"

#define LINE_SIZE 1024
#define KINDS 24

struct line {
  size_t length;        // bytes used
  char text[LINE_SIZE]; // not terminated
};

static void append(struct line *line, const char *text) {
  size_t length = strlen(text), room = LINE_SIZE - 1 - line->length;
  if (length > room)
    length = room;
  memcpy(line->text + line->length, text, length);
  line->length += length;
}

// strerror() may allocate and depends on the locale, so the likely reasons stand here.
static const char *reason(int error) {
  switch (error) {
  case EPERM:
    return "operation not permitted";
  case ENOENT:
    return "no such file or directory";
  case EIO:
    return "input/output error";
  case ENXIO:
    return "no such device or address";
  case ENOMEM:
    return "out of memory";
  case EACCES:
    return "permission denied";
  case EEXIST:
    return "file exists";
  case EXDEV:
    return "on another file system";
  case ENODEV:
    return "this file system cannot map files";
  case ENOTDIR:
    return "not a directory";
  case EISDIR:
    return "is a directory";
  case EINVAL:
    return "invalid argument";
  case ENFILE:
    return "too many open files in the system";
  case EMFILE:
    return "too many open files";
  case EFBIG:
    return "file too large";
  case ENOSPC:
    return "no space left on device";
  case EROFS:
    return "read-only file system";
  case ENAMETOOLONG:
    return "file name too long";
  case ENOLCK:
    return "no locks available";
  case ENOSYS:
    return "system call refused";
  case ELOOP:
    return "is a symbolic link";
  case EOPNOTSUPP:
    return "not supported by the file system";
  case ESTALE:
    return "stale file handle";
  case EDQUOT:
    return "disk quota exceeded";
  default:
    return NULL;
  }
}

static bool said_before(const char *what) {
  static const char *said[KINDS];
  for (int i = 0; i < KINDS; i++) {
    const char *none = NULL;
    if (__atomic_compare_exchange_n(&said[i], &none, what, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return false;
    if (none == what)
      return true;
  }
  return true;
}

void contprof_log(const char *what, const char *file, const char *why, const char *consequence) {
  struct line line;
  if (said_before(what))
    return;
  line.length = 0;
  append(&line, "contprof: ");
  append(&line, what);
  append(&line, " \"");
  append(&line, file);
  append(&line, "\": ");
  append(&line, why);
  append(&line, "; ");
  append(&line, consequence);
  line.text[line.length++] = '\n';
  contprof_write(2, line.text, line.length);
}

void contprof_log_errno(const char *what, const char *file, int error, const char *consequence) {
  char unknown[24] = "error ";
  const char *why = reason(error);
  if (!why) {
    size_t at = strlen(unknown);
    for (int power = 1000; power; power /= 10)
      if (error >= power || power == 1)
        unknown[at++] = (char)('0' + error / power % 10);
    unknown[at] = 0;
    why = unknown;
  }
  contprof_log(what, file, why, consequence);
}
