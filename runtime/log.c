#include "log.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "platform.h"

#define LINE_SIZE 1024
#define NAME_SIZE 600 // of a file in a line, bytes
#define KINDS 24

struct line {
  size_t length;        // bytes used
  char text[LINE_SIZE]; // not terminated
};

static void append_bytes(struct line *line, const char *text, size_t length) {
  size_t room = LINE_SIZE - 1 - line->length;
  if (length > room)
    length = room;
  memcpy(line->text + line->length, text, length);
  line->length += length;
}

static void append(struct line *line, const char *text) {
  append_bytes(line, text, strlen(text));
}

// The reason behind it must find room, too; and one line stays one line.
static void append_name(struct line *line, const char *name) {
  size_t length = strlen(name), start = line->length;
  if (length <= NAME_SIZE)
    append(line, name);
  else {
    append_bytes(line, name, NAME_SIZE / 2);
    append(line, "...");
    append(line, name + length - NAME_SIZE / 2);
  }
  for (char *at = line->text + start; at < line->text + line->length; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f)
      *at = '?';
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
  case ENXIO: // of a FIFO, a socket, a device without a driver
    return "is not a regular file";
  case EAGAIN: // of mmap, under mlockall()
    return "too much locked memory";
  case EBUSY: // of contprof_live_create
    return "all names of the pool are taken";
  case ENODATA: // of contprof_pattern_expand
    return "TMPDIR is not set";
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
  case ETXTBSY:
    return "is a program that runs";
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

// What standard error was at the start.
static struct {
  bool known;
  dev_t device;
  ino_t inode;
} standard_error;

void contprof_log_remember_stderr(void) {
  struct stat status;
  if (contprof_fstat(2, &status))
    return;
  standard_error.device = status.st_dev;
  standard_error.inode = status.st_ino;
  standard_error.known = true;
}

// The same as at the start, or what can only be meant for lines: a terminal, /dev/null, a log
// opened for appending.
static bool may_speak(void) {
  struct stat status;
  if (contprof_fstat(2, &status))
    return false;
  if (standard_error.known && status.st_dev == standard_error.device &&
      status.st_ino == standard_error.inode)
    return true;
  return S_ISCHR(status.st_mode) || (S_ISREG(status.st_mode) && contprof_appends(2));
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
  if (!may_speak() || said_before(what))
    return;
  line.length = 0;
  append(&line, "contprof: ");
  append(&line, what);
  append(&line, " \"");
  append_name(&line, file);
  append(&line, "\": ");
  append(&line, why);
  append(&line, "; ");
  append(&line, consequence);
  line.text[line.length++] = '\n';
  contprof_write_without_signal(2, line.text, line.length);
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
