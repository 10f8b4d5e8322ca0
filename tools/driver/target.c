#include "target.h"

#include <string.h>

static const char x86_64[] = "x86_64-linux-gnu";
static const char aarch64[] = "aarch64-linux-gnu";

const char *const contprof_targets[] = {x86_64, aarch64, NULL};

bool contprof_target_is_known(const char *name) {
  return contprof_word_in(name, contprof_targets);
}

bool contprof_target_has_segments(const char *name) {
  return strcmp(name, x86_64) == 0;
}

// How triples begin (LLVM's Triple.cpp, parseArch), and what comes of it.
struct arch {
  const char *prefix; // of a triple
  const char *wide;   // with 64 bits, if it is Linux
  const char *narrow; // with 32 bits
  bool is_narrow;     // unless -m64 says otherwise
};

static const struct arch archs[] = {
    {"x86_64-", x86_64, "i386", false},  {"amd64-", x86_64, "i386", false},
    {"i386-", x86_64, "i386", true},     {"i486-", x86_64, "i386", true},
    {"i586-", x86_64, "i386", true},     {"i686-", x86_64, "i386", true},
    {"aarch64-", aarch64, "arm", false}, {"arm64-", aarch64, "arm", false},
};

static const struct arch *find_arch(const char *triple) {
  for (unsigned i = 0; i < sizeof archs / sizeof *archs; i++)
    if (contprof_word_starts(triple, archs[i].prefix, NULL))
      return &archs[i];
  return NULL;
}

// ARCH-linux-gnu, ARCH-VENDOR-linux...: with one of the C libraries that the runtime is for.
static bool is_linux(const char *triple) {
  static const char *const rests[] = {"", "-gnu", "-gnux32", "-musl", NULL};
  const char *rest, *dash = triple;
  while ((dash = strchr(dash, '-')))
    if (contprof_word_starts(++dash, "linux", &rest))
      return contprof_word_in(rest, rests);
  return false;
}

const char *contprof_target_name(const struct contprof_command *command,
                                 const char *default_triple) {
  const char *triple = *command->target ? command->target : default_triple;
  const struct arch *arch = find_arch(triple);
  if (!arch || !is_linux(triple))
    return triple;
  if (command->bits == 33 || (!command->bits && strstr(triple, "gnux32")))
    return "x32";
  if (command->bits ? command->bits != 64 : arch->is_narrow)
    return arch->narrow;
  if (command->big_endian && arch->wide == aarch64)
    return "aarch64_be";
  return arch->wide;
}

const char *contprof_target_of_program(const char *path, struct contprof_arena *arena) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  const char *end = strstr(name, "-clang");
  return end ? contprof_arena_string(arena, name, (size_t)(end - name)) : "";
}
