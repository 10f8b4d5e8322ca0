// From patterns to file names. LLVM's patterns: %p process id, %h host name, %m module signature
// and pool index, %Nm the same, %t $TMPDIR and a slash, %b build-id, %% a percent sign; %c
// (continuous mode) is accepted and is nothing, since the runtime always counts into the file.
// Other letters are dropped, as LLVM does.
//
// Everything here works on buffers of CONTPROF_PATH_SIZE bytes that the caller owns; a result that
// does not fit is -ENAMETOOLONG. No function allocates or keeps a pointer beyond what it says.
#ifndef CONTPROF_RUNTIME_SETTINGS_H
#define CONTPROF_RUNTIME_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTPROF_PATH_SIZE 4096
#define CONTPROF_HOST_SIZE 65

// What a pattern asks for.
struct contprof_pattern {
  bool has_host;      // %h stands in it
  bool has_program;   // the program's name does, as in the default pattern
  bool has_pid;       // %p stands in it
  bool has_pool;      // %m or %Nm stands in it
  bool has_tmpdir;    // %t stands in it
  unsigned pool_size; // N of %Nm; 1 for %m
  char *directory;    // put before a relative name, no slash at the end; "" if unknown
  char *tmpdir;       // for %t; "" if the environment has none
  char *text;         // the pattern as given; room for CONTPROF_PATH_SIZE bytes
  char storage[3 * CONTPROF_PATH_SIZE]; // of these: the directory last, the others on one page
};

// What a pattern is filled with.
struct contprof_name_values {
  uint64_t pid;
  const char *host;     // name of the machine, borrowed; "" if not asked for
  uint64_t signature;   // of the module's build; 0 if not asked for
  unsigned pool_index;  // number after the signature
  const char *program;  // base name of the executable, likewise
  const char *build_id; // lower-case hexadecimal digits, "" if there is none; borrowed
  const char *module;   // base name of a shared object, NULL for the executable; borrowed
};

// The pattern of a program that names no file: <program>-%p.profraw.
extern const char contprof_default_pattern[] __attribute__((visibility("hidden")));

// The pattern that holds, by precedence: environment, the name compiled in, the default. Either may
// be NULL or "". The names that clang compiles in for a user who gave none count as none.
const char *contprof_choose_pattern(const char *environment, const char *compiled_in);

// To be called first, on zeros: there is no text and no directory then. `tmpdir`, NULL or "" if
// there is none, is copied; one that is too long to be a name is none.
void contprof_pattern_begin(struct contprof_pattern *pattern, const char *tmpdir);

// Reads what `text` asks for into *pattern. 0 or -ENAMETOOLONG.
int contprof_pattern_parse(struct contprof_pattern *pattern, const char *text);

// Fills the pattern in: an absolute path where the directory is known. 0, -ENAMETOOLONG, or
// -ENODATA (an error that no file gives) for %t without TMPDIR.
int contprof_pattern_expand(const struct contprof_pattern *pattern,
                            const struct contprof_name_values *values, char *path);

// The directory that the pattern names, with its slash; "" if it names none. Errors as above, and
// path is "" then.
int contprof_pattern_prefix(const struct contprof_pattern *pattern,
                            const struct contprof_name_values *values, char *path);

// Inserts `text` before the extension of the last component of `path`, or at its end if it has
// none. 0 or -ENAMETOOLONG.
int contprof_name_insert(char *path, const char *text);

// Writes `value` in decimal with `prefix` before it; `buffer` has room for prefix and 21 bytes.
const char *contprof_decimal(char *buffer, const char *prefix, uint64_t value);

// The value of `name` in an environment block, or NULL. `environment` may be NULL.
const char *contprof_environment(char *const *environment, const char *name);

#endif
