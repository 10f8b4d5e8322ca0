#include "driver_plan.h"

#include "target.h"

#include <string.h>

// A kind of instrumentation is in force, asked for or implied.
static bool is_instrumented(const struct contprof_command *command) {
  return command->continuous && !command->instrument_off;
}

// -fprofile-continuous stands without any of the options that say what to instrument.
static bool is_implied(const struct contprof_command *command) {
  return is_instrumented(command) && !command->ir && !command->frontend &&
         !command->context_sensitive;
}

struct contprof_needs contprof_plan_needs(const struct contprof_command *command) {
  struct contprof_needs needs = {0};
  if (!is_instrumented(command) || command->incomplete || !command->has_input)
    return needs;
  needs.plugin = command->stage != CONTPROF_STAGE_TEXT;
  needs.link =
      command->stage == CONTPROF_STAGE_LINK && !command->no_runtime && !command->relocatable;
  needs.executable = needs.link && !command->shared;
  needs.shards = needs.executable && command->sharded && command->mode != CONTPROF_MODE_POINTER;
  return needs;
}

// The option for what is instrumented when the user named none. Coverage mapping exists for
// frontend instrumentation only.
static const char *implied_option(const struct contprof_command *command) {
  return command->coverage ? "-fprofile-instr-generate" : "-fprofile-generate";
}

// -Xclang reaches the compiler proper alone; a plain -mllvm would also reach the assembler, which
// loads no plugin and would not know the option.
static void add_for_compiler(struct contprof_word_list *out, const char *word) {
  contprof_word_add(out, "-Xclang");
  contprof_word_add(out, word);
}

// LLVM takes an option once only, so not if the user has it.
static void add_for_llvm(const struct contprof_command *command, const char *option,
                         struct contprof_word_list *out) {
  if (command->words.count && contprof_word_in(option, command->words.words))
    return;
  add_for_compiler(out, "-mllvm");
  add_for_compiler(out, option);
}

// The plugin's, for counts that may wait for the end of a loop.
#define LAG_OPTION "-contprof-lag=loop"

static void add_value_slots(const struct contprof_command *command,
                            struct contprof_word_list *out) {
  if (command->value_slots == CONTPROF_SLOTS_UNSAID)
    return;
  add_for_compiler(out, "-mllvm");
  add_for_compiler(
      out, contprof_word_format(out->arena, "-contprof-value-slots=%d", command->value_slots));
  if (command->value_slots == 0)
    add_for_llvm(command, "-disable-vp", out);
}

// IR instrumentation of clang 14 and 16 does not heed -fprofile-update=atomic (19 does).
static void add_atomic_updates(const struct contprof_command *command,
                               struct contprof_word_list *out) {
  add_for_llvm(command, "-instrprof-atomic-counter-update-all", out);
}

// Sources that the same command links into a shared object are for nothing else, also where clang,
// for want of -fPIC, compiles them as for an executable.
static const char *mode_option(const struct contprof_command *command,
                               struct contprof_needs needs) {
  static const char *const modes[] = {"-contprof-mode=auto", "-contprof-mode=segment",
                                      "-contprof-mode=pointer", "-contprof-mode=shadow"};
  bool for_shared_object = needs.link && command->shared && command->mode == CONTPROF_MODE_AUTO;
  return modes[for_shared_object ? CONTPROF_MODE_POINTER : command->mode];
}

static void add_compile(const struct contprof_command *command, struct contprof_needs needs,
                        const struct contprof_toolchain *toolchain,
                        struct contprof_word_list *out) {
  add_for_compiler(out, "-load");
  add_for_compiler(out, toolchain->plugin);
  contprof_word_add(out, contprof_word_format(out->arena, "-fpass-plugin=%s", toolchain->plugin));
  add_for_compiler(out, "-mllvm");
  add_for_compiler(out, mode_option(command, needs));
  if (command->lag_in_loops) {
    add_for_compiler(out, "-mllvm");
    add_for_compiler(out, LAG_OPTION);
  }
  add_value_slots(command, out);
  contprof_word_add(out, "-noprofilelib"); // in place of clang's own runtime
  if (command->sharded) // atomic where threads share counters; the plugin knows where they don't
    add_for_llvm(command, "-contprof-sharded", out);
  if (command->atomic_implied || command->sharded)
    contprof_word_add(out, "-fprofile-update=atomic");
  if (command->frontend || (is_implied(command) && command->coverage))
    return;
  // Promotion keeps counts in registers for the length of any loop: killed there, they are lost.
  add_for_compiler(out, "-mllvm");
  add_for_compiler(out, "-do-counter-promotion=false");
  if (command->atomic || command->atomic_implied || command->sharded)
    add_atomic_updates(command, out);
}

// Context-sensitive instrumentation follows inlining, which LTO does in the linker.
static bool instruments_at_link(const struct contprof_command *command,
                                struct contprof_needs needs) {
  return needs.plugin && command->stage == CONTPROF_STAGE_LINK && command->context_sensitive &&
         command->lto;
}

static void add_linker_word(struct contprof_word_list *out, const char *word) {
  contprof_word_add(out, "-Xlinker");
  contprof_word_add(out, word);
}

// lld learns the plugin's own options when LLVM's -load loads it, before those that follow. The
// mode is auto there.
static void add_linker_plugin(const struct contprof_command *command,
                              const struct contprof_toolchain *toolchain,
                              struct contprof_word_list *out) {
  add_linker_word(out,
                  contprof_word_format(out->arena, "--load-pass-plugin=%s", toolchain->plugin));
  add_linker_word(out, "-mllvm");
  add_linker_word(out, "-do-counter-promotion=false");
  if (command->lag_in_loops) {
    add_linker_word(out, "-mllvm");
    add_linker_word(out, contprof_word_format(out->arena, "-load=%s", toolchain->plugin));
    add_linker_word(out, "-mllvm");
    add_linker_word(out, LAG_OPTION);
  }
  if (command->value_slots != 0)
    return;
  add_linker_word(out, "-mllvm");
  add_linker_word(out, "-disable-vp");
}

// After all the user's inputs, so that instrumented members of their archives find the runtime.
// -Xlinker, not a bare path: an open -x would make the archive a source file. A sanitizer defines
// pthread_create weakly, which would keep the archive's out of the link.
static void add_shards(const struct contprof_command *command,
                       const struct contprof_toolchain *toolchain, struct contprof_word_list *out) {
  if (command->sanitized && !command->is_static)
    contprof_word_add(out, "-Wl,-u,contprof_thread_calls");
  add_linker_word(out, toolchain->shards);
  if (command->is_static)
    contprof_word_add(out, "-Wl,--wrap=pthread_create,--wrap=thrd_create");
}

static void add_link(const struct contprof_command *command, struct contprof_needs needs,
                     const struct contprof_toolchain *toolchain, struct contprof_word_list *out) {
  contprof_word_add(out, "-Wl,-u,__llvm_profile_runtime");
  if (needs.executable)
    contprof_word_add(out, "-Wl,-u,contprof_start_executable");
  contprof_word_add(out, "-Wl,--push-state,--no-whole-archive");
  if (needs.shards && toolchain->shards)
    add_shards(command, toolchain, out);
  if (needs.executable)
    add_linker_word(out, toolchain->executable_runtime);
  add_linker_word(out, toolchain->runtime);
  if (needs.shards && toolchain->shards && !command->is_static)
    contprof_word_add(out, "-ldl"); // of C libraries that have dlsym apart; else an empty archive
  contprof_word_add(out, "-Wl,--pop-state");
}

static bool fail(struct contprof_error *error, const char *format, const char *word) {
  return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET, format, word);
}

static bool check_target(const struct contprof_command *command, const char *target,
                         struct contprof_error *error) {
  bool segments = contprof_target_has_segments(target);
  if (command->mode == CONTPROF_MODE_SEGMENT && !segments)
    return fail(error, "-fprofile-continuous=segment is for x86-64 only, not for %s; use =pointer",
                target);
  if (!contprof_target_is_known(target))
    return fail(error,
                "-fprofile-continuous: there is no contprof runtime for %s, but for "
                "x86_64-linux-gnu and aarch64-linux-gnu",
                target);
  return true;
}

static bool is_lld(const char *linker) {
  const char *slash = strrchr(linker, '/');
  const char *name = slash ? slash + 1 : linker;
  return contprof_word_starts(name, "lld", NULL) || contprof_word_starts(name, "ld.lld", NULL);
}

static bool check_instrumenting_linker(const struct contprof_command *command,
                                       const struct contprof_toolchain *toolchain,
                                       struct contprof_error *error) {
  if (toolchain->major < 15)
    return fail(error,
                "-fprofile-continuous with -fcs-profile-generate and -flto instruments in the "
                "linker, which can load no plugin before LLVM 15%s",
                "");
  if (!is_lld(command->linker))
    return fail(error,
                "-fprofile-continuous with -fcs-profile-generate and -flto instruments in the "
                "linker; link with %s",
                "-fuse-ld=lld");
  if (command->mode != CONTPROF_MODE_AUTO)
    return fail(error,
                "-fprofile-continuous with -fcs-profile-generate and -flto instruments in the "
                "linker, which knows no mode but %s",
                "-fprofile-continuous=auto");
  return true;
}

static bool check(const struct contprof_command *command,
                  const struct contprof_toolchain *toolchain, struct contprof_needs needs,
                  struct contprof_error *error) {
  if (is_implied(command) && command->uses_profile)
    return fail(error,
                "-fprofile-continuous beside -fprofile-use needs -fcs-profile-generate, the only "
                "instrumentation of optimised code%s",
                "");
  if (needs.link && command->shared && command->mode == CONTPROF_MODE_SEGMENT)
    return fail(error,
                "-fprofile-continuous=segment can't go into a shared object; compile with "
                "-fPIC and %s",
                "-fprofile-continuous or -fprofile-continuous=pointer");
  if (is_instrumented(command) && command->sharded && command->mode == CONTPROF_MODE_SHADOW)
    return fail(
        error,
        "-fprofile-update=sharded and -fprofile-continuous=shadow exclude each other: in one "
        "each thread has its counters, in the other all count in one place%s",
        "");
  if (instruments_at_link(command, needs) && !check_instrumenting_linker(command, toolchain, error))
    return false;
  return !needs.plugin || check_target(command, toolchain->target, error);
}

bool contprof_plan_words(const struct contprof_command *command,
                         const struct contprof_toolchain *toolchain, struct contprof_word_list *out,
                         struct contprof_error *error) {
  struct contprof_needs needs = contprof_plan_needs(command);
  if (!check(command, toolchain, needs, error))
    return false;
  contprof_word_add_all(out, contprof_words(&command->words));
  if (!is_instrumented(command) && command->sharded && !command->incomplete)
    contprof_word_add(out, "-fprofile-update=atomic"); // as exact, and clang's
  if (!is_instrumented(command) || command->incomplete)
    return true;
  // Not every input takes every option (assembler sources, objects): no warning about ours.
  contprof_word_add(out, "--start-no-unused-arguments");
  if (toolchain->include) { // after all other directories, so that it can't get in the way of any
    contprof_word_add(out, "-idirafter");
    contprof_word_add(out, toolchain->include);
  }
  if (is_implied(command))
    contprof_word_add(out, implied_option(command));
  if (needs.plugin)
    add_compile(command, needs, toolchain, out);
  if (instruments_at_link(command, needs))
    add_linker_plugin(command, toolchain, out);
  if (needs.link)
    add_link(command, needs, toolchain, out);
  contprof_word_add(out, "--end-no-unused-arguments");
  return true;
}
