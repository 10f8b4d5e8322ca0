#include "inputs.h"
#include "../base/memory.h"

#include "../base/file_view.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void append(struct contprof_inputs *list, char *path, uint64_t weight) {
  if (list->count == list->room) {
    list->room = list->room ? list->room * 2 : 64;
    list->inputs = contprof_need_array(list->inputs, list->room, sizeof *list->inputs);
  }
  list->inputs[list->count++] = (struct contprof_input){.path = path, .weight = weight};
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_recording(const char *name) {
  static const char NAME[] = "perf.data.";
  return strncmp(name, NAME, sizeof NAME - 1) == 0 && strcmp(name, "perf.data.old") != 0;
}

// Whether a file's name is as those of that kind are.
static bool is_kind(const char *name, enum contprof_inputs_kind kind) {
  static const char *const ENDINGS[][5] = {
      [CONTPROF_INPUTS_COUNTS] = {".profraw", ".profdata", ".proftext"},
      [CONTPROF_INPUTS_SAMPLES] = {".afdo", ".prof", ".profdata", ".proftext"},
      [CONTPROF_INPUTS_SAMPLED] = {".afdo", ".prof", ".profdata", ".proftext", ".data"}};
  const char *extension = strrchr(name, '.');
  for (int i = 0; extension && i < 5 && ENDINGS[kind][i]; i++)
    if (strcmp(extension, ENDINGS[kind][i]) == 0)
      return true;
  return kind == CONTPROF_INPUTS_SAMPLED && is_recording(name);
}

static bool is_any_kind(const char *name) {
  return is_kind(name, CONTPROF_INPUTS_COUNTS) || is_kind(name, CONTPROF_INPUTS_SAMPLED);
}

static void add_directory(struct contprof_inputs *list, char *path, uint64_t weight);

// An entry that is gone again by now, as live files may be, is none.
static void add_entry(struct contprof_inputs *list, const char *directory, const char *name,
                      uint64_t weight) {
  struct stat status;
  char *path;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    return;
  if (asprintf(&path, "%s/%s", directory, name) < 0)
    contprof_need(NULL);
  if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    add_directory(list, path, weight);
  } else if (is_any_kind(name) && stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
    append(list, path, weight);
    list->inputs[list->count - 1].found = true;
  } else {
    free(path);
  }
}

static int by_bytes(const struct dirent **left, const struct dirent **right) {
  return strcmp((*left)->d_name, (*right)->d_name);
}

// Takes over `path`. A directory that can't be read is an input that can't be opened, as a file
// would be: the failure mode is to say what follows from it.
static void add_directory(struct contprof_inputs *list, char *path, uint64_t weight) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, by_bytes);
  if (count < 0) {
    append(list, path, weight);
    return;
  }
  for (int i = 0; i < count; i++) {
    add_entry(list, path, entries[i]->d_name, weight);
    free(entries[i]);
  }
  free(entries);
  free(path);
}

void contprof_inputs_add(struct contprof_inputs *list, const char *path, uint64_t weight) {
  struct stat status;
  char *owned = contprof_need(strdup(path));
  if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    add_directory(list, owned, weight);
  else
    append(list, owned, weight);
}

bool contprof_inputs_add_weighted(struct contprof_inputs *list, const char *text,
                                  struct contprof_error *error) {
  char *end = NULL;
  errno = 0;
  unsigned long long weight = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  if (!weight || errno || *end != ',' || !end[1])
    return contprof_fail(error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                         "weighted input \"%s\" is not WEIGHT,FILE with a positive whole weight",
                         text);
  contprof_inputs_add(list, end + 1, weight);
  return true;
}

// Cuts white space off both ends, in place.
static char *trim(char *line) {
  static const char *const blank = " \t\v\f\r\n";
  line += strspn(line, blank);
  size_t length = strlen(line);
  while (length && strchr(blank, line[length - 1]))
    line[--length] = '\0';
  return line;
}

static bool add_line(struct contprof_inputs *list, const char *text, size_t length,
                     struct contprof_error *error) {
  char *copy = contprof_need(strndup(text, length)), *line = trim(copy);
  bool ok = true;
  if (strchr(line, ',') && *line != '#')
    ok = contprof_inputs_add_weighted(list, line, error);
  else if (*line && *line != '#')
    contprof_inputs_add(list, line, 1);
  free(copy);
  return ok;
}

// What follows a NUL byte is no part of the list.
bool contprof_inputs_add_listed(struct contprof_inputs *list, const char *path,
                                struct contprof_error *error) {
  struct contprof_file_view file;
  if (!contprof_file_open(path, &file, error))
    return false;
  const char *text = (const char *)file.bytes, *end = text + strnlen(text, file.size);
  bool ok = true;
  while (ok && text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *line_end = newline ? newline : end;
    ok = add_line(list, text, (size_t)(line_end - text), error);
    text = newline ? newline + 1 : end;
  }
  contprof_file_close(&file);
  return ok;
}

void contprof_inputs_move(struct contprof_inputs *list, struct contprof_inputs *from) {
  if (!list->count) {
    contprof_inputs_free(list);
    *list = *from;
    *from = (struct contprof_inputs){0};
    return;
  }
  for (size_t i = 0; i < from->count; i++) {
    append(list, from->inputs[i].path, from->inputs[i].weight);
    list->inputs[list->count - 1].found = from->inputs[i].found;
  }
  from->count = 0;
  contprof_inputs_free(from);
}

static bool is_same_file(const char *left, const char *right) {
  struct stat one, other;
  return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

// Whether `name` is STEM.SOMETHING.EXTENSION for an output STEM.EXTENSION, or STEM.SOMETHING.
static bool is_part_of(const char *name, const char *output) {
  const char *dot = strrchr(output, '.');
  size_t stem = dot && dot > output ? (size_t)(dot - output) : strlen(output);
  size_t length = strlen(name), extension = strlen(output + stem);
  return length > stem + 1 + extension && strncmp(name, output, stem) == 0 && name[stem] == '.' &&
         strcmp(name + length - extension, output + stem) == 0;
}

// Whether a path is in the directory that the other is in.
static bool are_beside(const char *left, const char *right) {
  char *one = contprof_need(strndup(left, (size_t)(name_of(left) - left)));
  char *other = contprof_need(strndup(right, (size_t)(name_of(right) - right)));
  bool same = is_same_file(*one ? one : ".", *other ? other : ".");
  free(one);
  free(other);
  return same;
}

bool contprof_is_same_place(const char *left, const char *right) {
  struct stat status;
  if (stat(left, &status) == 0 && !S_ISREG(status.st_mode))
    return false;
  return is_same_file(left, right) ||
         (strcmp(name_of(left), name_of(right)) == 0 && are_beside(left, right));
}

void contprof_inputs_keep_kind(struct contprof_inputs *list, enum contprof_inputs_kind kind) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (!list->inputs[i].found || is_kind(name_of(list->inputs[i].path), kind))
      list->inputs[kept++] = list->inputs[i];
    else
      free(list->inputs[i].path);
  list->count = kept;
}

static bool is_written(const char *path, const char *output, bool parts) {
  return parts ? is_part_of(name_of(path), name_of(output)) && are_beside(path, output)
               : is_same_file(path, output);
}

void contprof_inputs_leave_out(struct contprof_inputs *list, const char *output, bool parts) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->inputs[i].found && is_written(list->inputs[i].path, output, parts))
      free(list->inputs[i].path);
    else
      list->inputs[kept++] = list->inputs[i];
  list->count = kept;
}

void contprof_inputs_free(struct contprof_inputs *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->inputs[i].path);
  free(list->inputs);
  *list = (struct contprof_inputs){0};
}
