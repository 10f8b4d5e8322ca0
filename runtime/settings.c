#include "settings.h"

#include <errno.h>
#include <string.h>

// A byte that no user types stands for the program's name, so that a percent sign in that name is
// itself.
#define PROGRAM '\1'
const char contprof_default_pattern[] = "%\1-%p.profraw";

// What is left of a pattern's specifier.
struct specifier {
  char letter;      // 0 at the end of the text
  unsigned number;  // digits before the letter; 0 if none
  const char *next; // first character after it
};

// Text being built, with a sticky error.
struct output {
  char *text;    // CONTPROF_PATH_SIZE bytes
  size_t length; // bytes used, terminator not counted
  int error;     // 0 or negated errno
};

static void put(struct output *output, const char *text, size_t length) {
  if (length >= CONTPROF_PATH_SIZE - output->length) {
    output->error = output->error ? output->error : -ENAMETOOLONG;
    return;
  }
  memcpy(output->text + output->length, text, length);
  output->length += length;
  output->text[output->length] = 0;
}

static void put_string(struct output *output, const char *text) {
  put(output, text, strlen(text));
}

const char *contprof_decimal(char *buffer, const char *prefix, uint64_t value) {
  char digits[20];
  size_t count = 0, length = strlen(prefix);
  memcpy(buffer, prefix, length);
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  while (count)
    buffer[length++] = digits[--count];
  buffer[length] = 0;
  return buffer;
}

const char *contprof_choose_pattern(const char *environment, const char *compiled_in) {
  if (environment && environment[0])
    return environment;
  if (compiled_in && compiled_in[0] && strcmp(compiled_in, "default.profraw") != 0 &&
      strcmp(compiled_in, "default_%m.profraw") != 0)
    return compiled_in;
  return contprof_default_pattern;
}

// `at` points behind a percent sign. A number belongs to the letter m only.
static struct specifier read_specifier(const char *at) {
  struct specifier specifier = {0, 0, at};
  while (*specifier.next >= '0' && *specifier.next <= '9' && specifier.number < 100000)
    specifier.number = specifier.number * 10 + (unsigned)(*specifier.next++ - '0');
  if (specifier.next != at && *specifier.next != 'm')
    return (struct specifier){*at, 0, at + 1};
  specifier.letter = *specifier.next;
  if (specifier.letter)
    specifier.next++;
  return specifier;
}

void contprof_pattern_begin(struct contprof_pattern *pattern, const char *tmpdir) {
  size_t length = tmpdir ? strlen(tmpdir) : 0;
  if (length >= CONTPROF_PATH_SIZE)
    length = 0;
  pattern->tmpdir = pattern->storage;
  memcpy(pattern->tmpdir, tmpdir ? tmpdir : "", length);
  pattern->tmpdir[length] = 0;
  pattern->text = pattern->tmpdir + length + 1;
  pattern->directory = pattern->storage + 2 * CONTPROF_PATH_SIZE;
}

int contprof_pattern_parse(struct contprof_pattern *pattern, const char *text) {
  size_t length = strlen(text);
  if (length >= CONTPROF_PATH_SIZE)
    return -ENAMETOOLONG;
  memmove(pattern->text, text, length + 1);
  pattern->has_pid = pattern->has_pool = pattern->has_tmpdir = false;
  pattern->has_host = pattern->has_program = false;
  pattern->pool_size = 1;
  for (const char *at = pattern->text; (at = strchr(at, '%'));) {
    struct specifier specifier = read_specifier(at + 1);
    if (specifier.letter == 'p')
      pattern->has_pid = true;
    if (specifier.letter == 'h')
      pattern->has_host = true;
    if (specifier.letter == 't')
      pattern->has_tmpdir = true;
    if (specifier.letter == PROGRAM)
      pattern->has_program = true;
    if (specifier.letter == 'm') {
      pattern->has_pool = true;
      pattern->pool_size = specifier.number ? specifier.number : 1;
    }
    at = specifier.next;
  }
  return 0;
}

static void put_pool(struct output *output, const struct contprof_name_values *values) {
  char digits[24];
  put_string(output, contprof_decimal(digits, "", values->signature));
  put_string(output, contprof_decimal(digits, "_", values->pool_index));
}

static void put_specifier(struct output *output, char letter,
                          const struct contprof_pattern *pattern,
                          const struct contprof_name_values *values) {
  char digits[24];
  switch (letter) {
  case PROGRAM:
    put_string(output, values->program);
    break;
  case 'p':
    put_string(output, contprof_decimal(digits, "", values->pid));
    break;
  case 'h':
    put_string(output, values->host);
    break;
  case 'b':
    put_string(output, values->build_id);
    break;
  case 'm':
    put_pool(output, values);
    break;
  case '%':
    put(output, "%", 1);
    break;
  case 't':
    if (!pattern->tmpdir[0])
      output->error = -ENODATA;
    put_string(output, pattern->tmpdir);
    put(output, "/", 1);
    break;
  }
}

static void put_text(struct output *output, const struct contprof_pattern *pattern,
                     const struct contprof_name_values *values) {
  const char *at = pattern->text;
  while (*at) {
    const char *percent = strchr(at, '%');
    if (!percent) {
      put_string(output, at);
      return;
    }
    put(output, at, (size_t)(percent - at));
    struct specifier specifier = read_specifier(percent + 1);
    put_specifier(output, specifier.letter, pattern, values);
    at = specifier.next;
  }
}

// Puts `text` in at `offset`.
static int insert_at(char *path, size_t offset, const char *text) {
  size_t length = strlen(path), added = strlen(text);
  if (length + added >= CONTPROF_PATH_SIZE)
    return -ENAMETOOLONG;
  memmove(path + offset + added, path + offset, length - offset + 1);
  memcpy(path + offset, text, added);
  return 0;
}

static int make_absolute(char *path, const char *directory) {
  if (path[0] == '/' || !directory[0])
    return 0;
  int error = directory[1] ? insert_at(path, 0, "/") : 0;
  return error ? error : insert_at(path, 0, directory);
}

// Offset of the extension of the last component, or of its end.
static size_t extension(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

int contprof_name_insert(char *path, const char *text) {
  return insert_at(path, extension(path), text);
}

static int insert_module(char *path, const char *module) {
  size_t at = extension(path);
  int error = insert_at(path, at, module);
  return error ? error : insert_at(path, at, "-");
}

int contprof_pattern_prefix(const struct contprof_pattern *pattern,
                            const struct contprof_name_values *values, char *path) {
  struct output output = {path, 0, 0};
  path[0] = 0;
  put_text(&output, pattern, values);
  const char *slash = strrchr(path, '/');
  path[slash && !output.error ? slash - path + 1 : 0] = 0;
  return output.error;
}

int contprof_pattern_expand(const struct contprof_pattern *pattern,
                            const struct contprof_name_values *values, char *path) {
  struct output output = {path, 0, 0};
  path[0] = 0;
  put_text(&output, pattern, values);
  if (!output.error && values->module)
    output.error = insert_module(path, values->module);
  return output.error ? output.error : make_absolute(path, pattern->directory);
}

const char *contprof_environment(char *const *environment, const char *name) {
  size_t length = strlen(name);
  for (; environment && *environment; environment++)
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
      return *environment + length + 1;
  return NULL;
}
