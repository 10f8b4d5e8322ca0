// contprof-clang, contprof-clang++: clang with -fprofile-continuous. Works out clang's command line
// and becomes clang; nothing of it stays behind.
#include "find_clang.h"
#include "response_file.h"
#include "target.h"
#include "toolchain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_TARGET "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define NATIVE_TARGET "aarch64-linux-gnu"
#else
#error "name this machine as in target.c"
#endif

// This run of the driver.
struct driver {
  struct contprof_arena arena;
  struct contprof_error error;
  const char *name;            // contprof-clang or contprof-clang++, for messages
  char self[PATH_MAX];         // path of this program
  struct contprof_clang clang; // what will be run
};

static const char help[] =
    "OVERVIEW: contprof's clang: a profile that is on disk at every moment\n"
    "\n"
    "  -fprofile-continuous[=auto|segment|pointer|shadow]\n"
    "                          Count straight into a memory-mapped raw profile. Alone it implies\n"
    "                          -fprofile-generate; beside -fprofile-instr-generate,\n"
    "                          -fprofile-generate or -fcs-profile-generate it keeps those.\n"
    "                          shadow: in place, at no cost in shared objects, too: the file is\n"
    "                          mapped over the counters, which the link gives pages of their own\n"
    "  -fprofile-continuous-lag=none|loop\n"
    "                          none, the default: each count lands at once. loop: one of a loop\n"
    "                          whose trip count is known beforehand may wait for its end\n"
    "  -fprofile-continuous-value-slots=N\n"
    "                          Targets that each indirect call keeps counts of, 0 to 255; 24 if "
    "not\n"
    "                          said, 0: no value profiling\n"
    "  -fprofile-update=sharded\n"
    "                          Counters of its own for each thread of an executable: exact, and\n"
    "                          nobody waits\n"
    "  -fno-profile-continuous Cancel an earlier -fprofile-continuous\n"
    "\n"
    "  CONTPROF_CLANG          Environment: the clang to run, a path or a name on PATH\n"
    "\n"
    "All else is clang's:\n"
    "\n";

static bool is_help(char **arguments) {
  for (; *arguments; arguments++)
    if (strcmp(*arguments, "--help") == 0 || strcmp(*arguments, "-help") == 0 ||
        strcmp(*arguments, "--help-hidden") == 0)
      return true;
  return false;
}

static bool find_self(struct driver *driver) {
  ssize_t length = readlink("/proc/self/exe", driver->self, sizeof driver->self - 1);
  if (length > 0) {
    driver->self[length] = '\0';
    return true;
  }
  return contprof_fail_errno(&driver->error, errno, "/proc/self/exe", "cannot find myself");
}

static bool find_clang(struct driver *driver) {
  const struct contprof_clang_search search = {
      .wanted = getenv("CONTPROF_CLANG"),
      .path = getenv("PATH"),
      .self = driver->self,
      .cxx = driver->name[strlen(driver->name) - 1] == '+',
  };
  return contprof_find_clang(&search, &driver->arena, &driver->clang, &driver->error);
}

// Becomes clang. Returns only on failure, with the reason in errno.
static void become_clang(struct driver *driver, const char *const *words) {
  struct contprof_word_list argv = {.arena = &driver->arena};
  contprof_word_add(&argv, driver->clang.path);
  // -cc1 and its like must stay first; their work knows no languages of a driver.
  if (driver->clang.driver_mode && !(*words && contprof_word_starts(*words, "-cc1", NULL)))
    contprof_word_add(&argv, driver->clang.driver_mode);
  contprof_word_add_all(&argv, words);
  fflush(stdout);
  execv(driver->clang.path, (char *const *)argv.words);
}

// The words in an unnamed file that is inherited over exec, so that nothing is left behind. -1 if
// there is none to be had.
static int words_in_file(struct driver *driver, const char *const *words) {
  struct contprof_word_list list = {.arena = &driver->arena};
  size_t size, written = 0;
  contprof_word_add_all(&list, words);
  const char *text = contprof_response_join(&list, &size);
  int fd = memfd_create("contprof-clang", 0);
  while (fd >= 0 && written < size) {
    ssize_t some = write(fd, text + written, size - written);
    if (some < 0 && errno != EINTR)
      return -1;
    written += some > 0 ? (size_t)some : 0;
  }
  return fd;
}

// Runs clang. Expanded response files may be longer than a command line may be; a response file
// carries them on then.
static bool hand_over(struct driver *driver, const char *const *words) {
  become_clang(driver, words);
  int fd = errno == E2BIG ? words_in_file(driver, words) : -1;
  if (fd >= 0) {
    const char *file = contprof_word_format(&driver->arena, "@/proc/self/fd/%d", fd);
    become_clang(driver, (const char *const[]){file, NULL});
  }
  return contprof_fail_errno(&driver->error, errno, driver->clang.path, "cannot run clang");
}

// What clang compiles for unless the command line says otherwise. A clang's name or a configuration
// file may say it; clang is asked only then.
static const char *default_triple(struct driver *driver, const struct contprof_command *command) {
  const char *triple = NULL, *prefix;
  prefix = contprof_target_of_program(driver->clang.path, &driver->arena);
  if (!*command->target && (*prefix || command->configured))
    triple = contprof_clang_triple(&driver->clang, contprof_words(&command->words), &driver->arena);
  return triple ? triple : NATIVE_TARGET;
}

static bool open_toolchain(struct driver *driver, const struct contprof_command *command,
                           struct contprof_toolchain *toolchain) {
  struct contprof_toolchain_query query = {
      .directory = contprof_library_directory(driver->self, &driver->arena),
      .clang = driver->clang.path,
      .native = NATIVE_TARGET,
      .needs = contprof_plan_needs(command),
      .is_static = command->is_static,
  };
  *toolchain = (struct contprof_toolchain){
      .include = contprof_word_format(&driver->arena, "%s/include", query.directory),
      .target = NATIVE_TARGET,
  };
  if (!query.needs.plugin)
    return true;
  if (!contprof_clang_version(driver->clang.path, &driver->arena, &query.major, &driver->error))
    return false;
  query.target = contprof_target_name(command, default_triple(driver, command));
  return contprof_toolchain_open(&query, &driver->arena, toolchain, &driver->error);
}

// Runs clang on `arguments`; returns only on failure.
static bool run(struct driver *driver, const char *const *arguments) {
  struct contprof_word_list expanded = {.arena = &driver->arena};
  struct contprof_word_list words = {.arena = &driver->arena};
  struct contprof_command command;
  struct contprof_toolchain toolchain;
  if (!find_self(driver) || !find_clang(driver))
    return false;
  if (*arguments && contprof_word_starts(*arguments, "-cc1", NULL))
    return hand_over(driver, arguments);
  contprof_response_expand(arguments, &expanded);
  if (!contprof_command_parse(contprof_words(&expanded), &driver->arena, &command, &driver->error))
    return false;
  if (!command.mentioned)
    return hand_over(driver, arguments);
  return open_toolchain(driver, &command, &toolchain) &&
         contprof_plan_words(&command, &toolchain, &words, &driver->error) &&
         hand_over(driver, contprof_words(&words));
}

int main(int argc, char **argv) {
  static struct driver driver;
  char text[1200];
  const char *slash = argc ? strrchr(argv[0], '/') : NULL;
  driver.name = slash ? slash + 1 : argc && *argv[0] ? argv[0] : "contprof-clang";
  if (argc && is_help(argv + 1))
    fputs(help, stdout);
  run(&driver, (const char *const *)argv + (argc > 0));
  fprintf(stderr, "%s: error: %s\n", driver.name,
          contprof_error_text(&driver.error, text, sizeof text));
  contprof_arena_free(&driver.arena);
  return 1;
}
