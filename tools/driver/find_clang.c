#include "find_clang.h"

#include "word_list.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

// The same file as `self`, by whatever link.
static bool is_self(const char *path, const char *self) {
  struct stat a, b;
  return stat(path, &a) == 0 && stat(self, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The first program `name` in the directories of the search's path, other than this one.
static const char *look_up(const struct contprof_clang_search *search, const char *name,
                           struct contprof_arena *arena) {
  const char *directory = search->path ? search->path : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    size_t length = strcspn(directory, ":");
    const char *file = contprof_word_format(arena, "%.*s/%s", length ? (int)length : 1,
                                            length ? directory : ".", name);
    if (is_program(file) && !is_self(file, search->self))
      return file;
    if (!directory[length])
      return NULL;
    directory += length + 1;
  }
}

// Where "clang" ends in the last component of `path`, or NULL: "clang" is not the name, or more
// than "++" and a "-VERSION" follows (clang-format, clang-cl).
static const char *after_clang(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  const char *found = strstr(name, "clang");
  if (!found)
    return NULL;
  const char *rest = found + strlen("clang");
  const char *suffix = strncmp(rest, "++", 2) == 0 ? rest + 2 : rest;
  bool good =
      !*suffix || (*suffix == '-' && strspn(suffix + 1, "0123456789.") == strlen(suffix + 1));
  return good ? rest : NULL;
}

static bool names_cxx(const char *path) {
  const char *rest = after_clang(path);
  return rest && strncmp(rest, "++", 2) == 0;
}

// `path` with the other language's name: clang-19 for clang++-19 and the reverse; NULL if `path` is
// no clang's name.
static const char *counterpart(const char *path, struct contprof_arena *arena) {
  const char *rest = after_clang(path);
  if (!rest)
    return NULL;
  bool cxx = strncmp(rest, "++", 2) == 0;
  return contprof_word_format(arena, "%.*s%s%s", (int)(rest - path), path, cxx ? "" : "++",
                              cxx ? rest + 2 : rest);
}

// The program `wanted` stands for, or NULL.
static const char *resolve(const struct contprof_clang_search *search,
                           struct contprof_arena *arena) {
  if (!strchr(search->wanted, '/'))
    return look_up(search, search->wanted, arena);
  return is_program(search->wanted) ? search->wanted : NULL;
}

static bool find_wanted(const struct contprof_clang_search *search, struct contprof_arena *arena,
                        struct contprof_clang *clang, struct contprof_error *error) {
  clang->path = resolve(search, arena);
  if (!clang->path || is_self(clang->path, search->self))
    return contprof_fail(error, CONTPROF_NOT_FOUND, NULL, NULL, CONTPROF_NO_OFFSET,
                         "CONTPROF_CLANG is '%s': %s", search->wanted,
                         clang->path ? "that is contprof-clang itself" : "no such compiler");
  if (names_cxx(clang->path) == search->cxx)
    return true;
  const char *other = counterpart(clang->path, arena);
  if (other && is_program(other) && !is_self(other, search->self))
    clang->path = other;
  else
    clang->driver_mode = search->cxx ? "--driver-mode=g++" : "--driver-mode=gcc";
  return true;
}

bool contprof_find_clang(const struct contprof_clang_search *search, struct contprof_arena *arena,
                         struct contprof_clang *clang, struct contprof_error *error) {
  *clang = (struct contprof_clang){0};
  if (search->wanted && *search->wanted)
    return find_wanted(search, arena, clang, error);
  const char *name = search->cxx ? "clang++" : "clang";
  clang->path = look_up(search, name, arena);
  if (!clang->path)
    return contprof_fail(error, CONTPROF_NOT_FOUND, NULL, NULL, CONTPROF_NO_OFFSET,
                         "no %s on PATH; set CONTPROF_CLANG to the clang to use", name);
  return true;
}

// The number at `text` if it is one, up to a dot, a slash or the end; else 0.
static unsigned number_at(const char *text) {
  char *end;
  unsigned long number = *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
  if (!number || number > 999 || (*end && *end != '.' && *end != '/'))
    return 0;
  return (unsigned)number;
}

unsigned contprof_clang_version_in_path(const char *path) {
  const char *last = strrchr(path, '/');
  const char *rest = after_clang(path);
  if (rest && strchr(rest, '-'))
    return number_at(strchr(rest, '-') + 1);
  unsigned version = 0;
  for (const char *p = path; last && (p = strstr(p, "/llvm-")) && p < last; p++)
    if (number_at(p + strlen("/llvm-")))
      version = number_at(p + strlen("/llvm-"));
  return version;
}

unsigned contprof_clang_version_in_text(const char *text) {
  const char *found = strstr(text, "clang version ");
  return found ? number_at(found + strlen("clang version ")) : 0;
}

// The first bytes that a command writes. The shell is not asked: a path may hold anything. Returns
// the command's status as waitpid gives it.
static int ask(const char *const *argv, char *text, size_t room) {
  int ends[2];
  text[0] = '\0';
  if (pipe(ends) != 0)
    return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], (char *const *)argv);
    _exit(127);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got = 0;
  while (
      child > 0 && length + 1 < room &&
      ((got = read(ends[0], text + length, room - 1 - length)) > 0 || (got < 0 && errno == EINTR)))
    length += got > 0 ? (size_t)got : 0;
  text[length] = '\0';
  close(ends[0]);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

static const char *version_text(const char *path, char *text, size_t room) {
  ask((const char *const[]){path, "--version", NULL}, text, room);
  return text;
}

const char *contprof_clang_triple(const struct contprof_clang *clang, const char *const *words,
                                  struct contprof_arena *arena) {
  char text[256];
  struct contprof_word_list argv = {.arena = arena};
  contprof_word_add(&argv, clang->path);
  if (clang->driver_mode)
    contprof_word_add(&argv, clang->driver_mode);
  contprof_word_add_all(&argv, words);
  contprof_word_add(&argv, "-print-target-triple");
  if (ask(contprof_words(&argv), text, sizeof text) != 0 || !strchr(text, '\n'))
    return NULL;
  return contprof_arena_string(arena, text, strcspn(text, "\n"));
}

bool contprof_clang_version(const char *path, struct contprof_arena *arena, unsigned *major,
                            struct contprof_error *error) {
  char text[1024];
  char *real = realpath(path, NULL);
  *major = contprof_clang_version_in_path(real ? contprof_arena_string(arena, real, strlen(real))
                                               : path);
  free(real);
  if (!*major)
    *major = contprof_clang_version_in_path(path);
  if (!*major)
    *major = contprof_clang_version_in_text(version_text(path, text, sizeof text));
  if (*major)
    return true;
  return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                       "'%s --version' names no clang version", path);
}
