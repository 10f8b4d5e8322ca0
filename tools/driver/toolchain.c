#include "toolchain.h"

#include "contprof_llvms.h"
#include "target.h"

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

static const char *runtime_path(const struct contprof_toolchain_query *query, const char *target,
                                const char *part, struct contprof_arena *arena) {
  bool native = strcmp(target, query->native) == 0;
  return contprof_word_format(arena, "%s/%s%slibcontprof-%s-v%u.a", query->directory,
                              native ? "" : target, native ? "" : "/", part,
                              raw_version(query->major));
}

// "x86_64-linux-gnu, aarch64-linux-gnu"
static const char *targets_there(const struct contprof_toolchain_query *query,
                                 struct contprof_arena *arena) {
  const char *text = "";
  for (const char *const *target = contprof_targets; *target; target++)
    if (access(runtime_path(query, *target, "rt", arena), R_OK) == 0)
      text = contprof_word_format(arena, "%s%s%s", text, *text ? ", " : "", *target);
  return *text ? text : "no target";
}

// A target without its runtime, whatever file of it is missing.
static bool is_target_there(const struct contprof_toolchain_query *query, const char *runtime,
                            struct contprof_arena *arena, struct contprof_error *error) {
  if (!query->needs.link || strcmp(query->target, query->native) == 0 || access(runtime, R_OK) == 0)
    return true;
  return contprof_fail(error, CONTPROF_NOT_FOUND, runtime, NULL, CONTPROF_NO_OFFSET,
                       "there is no contprof runtime for %s in this installation, but for %s",
                       query->target, targets_there(query, arena));
}

bool contprof_toolchain_open(const struct contprof_toolchain_query *query,
                             struct contprof_arena *arena, struct contprof_toolchain *toolchain,
                             struct contprof_error *error) {
  if (!raw_version(query->major))
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "'%s' is clang %u, for which there is no contprof plugin; there are "
                         "plugins for clang %s (CONTPROF_CLANG chooses the clang)",
                         query->clang, query->major, versions(arena));
  toolchain->major = query->major;
  toolchain->target = query->target;
  toolchain->plugin =
      contprof_word_format(arena, "%s/contprof-pass-%u.so", query->directory, query->major);
  toolchain->runtime = runtime_path(query, query->target, "rt", arena);
  toolchain->executable_runtime = runtime_path(query, query->target, "exe", arena);
  if (query->needs.shards && contprof_target_has_segments(query->target))
    toolchain->shards =
        runtime_path(query, query->target, query->is_static ? "shards-static" : "shards", arena);
  if (!is_there(toolchain->plugin, query->needs.plugin, "the compiler plugin", error))
    return false;
  if (!contprof_target_is_known(query->target))
    return true;
  return is_target_there(query, toolchain->runtime, arena, error) &&
         is_there(toolchain->shards, toolchain->shards, "the runtime for threads", error) &&
         is_there(toolchain->runtime, query->needs.link, "the runtime", error) &&
         is_there(toolchain->executable_runtime, query->needs.executable, "the runtime", error);
}
