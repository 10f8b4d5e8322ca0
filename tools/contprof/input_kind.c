#include "input_kind.h"

#include "../sample/perf_data.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOKED_AT = 4096 }; // bytes at the start of a file

static const char *const OPTION_NAMES[] = {
    [CONTPROF_INPUT_PERF_DATA] = "perfdata",
    [CONTPROF_INPUT_PERF_SCRIPT] = "perfscript",
    [CONTPROF_INPUT_UNSYMBOLIZED] = "unsymbolized-profile",
    [CONTPROF_INPUT_SAMPLE_PROFILE] = "llvm-sample-profile",
};

// Length of the decimal number that is all of the first line; 0 if that is something else.
static size_t number_line(const char *text) {
  size_t length = strspn(text, "0123456789");
  return length && text[length] == '\n' ? length + 1 : 0;
}

// A number of ranges, and then a range or the number of branches. An aggregated sample's count is
// followed by other things.
static bool is_unsymbolized(const char *text) {
  size_t first = number_line(text);
  if (!first)
    return false;
  const char *second = text + first;
  size_t address = strspn(second, "0123456789abcdefABCDEF");
  return number_line(second) || (address && second[address] == '-');
}

static enum contprof_sample_input kind_of(const char *bytes, size_t size) {
  if (contprof_is_perf_data((const uint8_t *)bytes, size))
    return CONTPROF_INPUT_PERF_DATA;
  if (is_unsymbolized(bytes))
    return CONTPROF_INPUT_UNSYMBOLIZED;
  if (contprof_is_sample((const uint8_t *)bytes, size))
    return CONTPROF_INPUT_SAMPLE_PROFILE;
  return CONTPROF_INPUT_NONE;
}

static bool cannot_open(const char *path, int number, struct contprof_error *error) {
  if (number == EACCES)
    return contprof_fail_errno(error, number, path,
                               "can't be read (what root has recorded is root's: chmod a+r it)");
  return contprof_fail_errno(error, number, path, "can't be opened");
}

bool contprof_input_kind(const char *path, enum contprof_sample_input *kind,
                         struct contprof_error *error) {
  *kind = CONTPROF_INPUT_NONE;
  struct stat status;
  if (strcmp(path, "-") == 0)
    return true;
  if (stat(path, &status) != 0)
    return cannot_open(path, errno, error);
  if (!S_ISREG(status.st_mode))
    return true;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return cannot_open(path, errno, error);
  char bytes[LOOKED_AT + 1];
  ssize_t size = read(file, bytes, LOOKED_AT);
  close(file);
  bytes[size < 0 ? 0 : size] = '\0';
  *kind = kind_of(bytes, size < 0 ? 0 : (size_t)size);
  return true;
}

static bool check_input(const char *path, enum contprof_sample_input wanted) {
  enum contprof_sample_input kind;
  struct contprof_error error;
  contprof_error_clear(&error);
  if (!contprof_input_kind(path, &kind, &error)) {
    contprof_say_failure(&error);
    return false;
  }
  if (kind == CONTPROF_INPUT_NONE || kind == wanted)
    return true;
  contprof_say_error("%s is not what --%s is for: give it with --%s", path, OPTION_NAMES[wanted],
                     OPTION_NAMES[kind]);
  return false;
}

bool contprof_check_inputs(const struct contprof_sample_options *options) {
  bool ok = true;
  for (size_t i = 0; ok && i < options->inputs.count; i++)
    ok = check_input(options->inputs.words[i], options->kind);
  return ok;
}
