#include "toolchain.h"

#include "contprof_llvms.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LLVMS = sizeof contprof_llvms / sizeof *contprof_llvms };

const char *contprof_library_directory(const char *program, struct contprof_arena *arena) {
  const char *slash = strrchr(program, '/');
  int length = slash ? (int)(slash - program) : 0;
  const char *up = slash;
  while (up && up > program && up[-1] != '/')
    up--;
  // /usr/bin/x -> /usr/lib/contprof; without a parent to name, say it with dots.
  if (up && up > program)
    return contprof_word_format(arena, "%.*slib/contprof", (int)(up - program), program);
  return contprof_word_format(arena, "%.*s/../lib/contprof", length, program);
}

// "14, 16, 19"
static const char *versions(struct contprof_arena *arena) {
  const char *text = "";
  for (unsigned i = 0; i < LLVMS; i++)
    text = contprof_word_format(arena, "%s%s%u", text, i ? ", " : "", contprof_llvms[i].major);
  return text;
}

static unsigned raw_version(unsigned major) {
  for (unsigned i = 0; i < LLVMS; i++)
    if (contprof_llvms[i].major == major)
      return contprof_llvms[i].raw_version;
  return 0;
}

static bool is_there(const char *path, bool needed, const char *what,
                     struct contprof_error *error) {
  if (!needed || access(path, R_OK) == 0)
    return true;
  return contprof_fail(error, CONTPROF_NOT_FOUND, path, NULL, CONTPROF_NO_OFFSET,
                       "%s is missing from this installation of contprof", what);
}

bool contprof_toolchain_open(const char *directory, const char *clang, unsigned major,
                             struct contprof_needs needs, struct contprof_arena *arena,
                             struct contprof_toolchain *toolchain, struct contprof_error *error) {
  unsigned raw = raw_version(major);
  if (!raw)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "'%s' is clang %u, for which there is no contprof plugin; there are "
                         "plugins for clang %s (CONTPROF_CLANG chooses the clang)",
                         clang, major, versions(arena));
  toolchain->major = major;
  toolchain->plugin = contprof_word_format(arena, "%s/contprof-pass-%u.so", directory, major);
  toolchain->runtime = contprof_word_format(arena, "%s/libcontprof-rt-v%u.a", directory, raw);
  toolchain->executable_runtime =
      contprof_word_format(arena, "%s/libcontprof-exe-v%u.a", directory, raw);
  return is_there(toolchain->plugin, needs.plugin, "the compiler plugin", error) &&
         is_there(toolchain->runtime, needs.link, "the runtime", error) &&
         is_there(toolchain->executable_runtime, needs.executable, "the runtime", error);
}
