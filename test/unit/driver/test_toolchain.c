// Where an installation's parts are, and what is said when one is missing.
#include "contprof_llvms.h"
#include "tools/driver/toolchain.h"

#include <criterion/criterion.h>

#include <string.h>

static struct contprof_arena arena;
static struct contprof_error error;
static struct contprof_toolchain toolchain;

// In /none, for this machine, a Linux on x86-64.
static struct contprof_toolchain_query query(unsigned major, struct contprof_needs needs) {
  return (struct contprof_toolchain_query){.directory = "/none",
                                           .clang = "/usr/bin/clang-13",
                                           .major = major,
                                           .target = "x86_64-linux-gnu",
                                           .native = "x86_64-linux-gnu",
                                           .needs = needs};
}

static bool open(const struct contprof_toolchain_query *query) {
  return contprof_toolchain_open(query, &arena, &toolchain, &error);
}

static void set_up(void) {
  contprof_error_clear(&error);
}

static void tear_down(void) {
  contprof_arena_free(&arena);
}

TestSuite(toolchain, .init = set_up, .fini = tear_down);

Test(toolchain, library_directory) {
  cr_expect_str_eq(contprof_library_directory("/usr/bin/contprof-clang", &arena),
                   "/usr/lib/contprof");
  cr_expect_str_eq(contprof_library_directory("/contprof-clang", &arena), "/../lib/contprof");
  cr_expect_str_eq(contprof_library_directory("/a b/bin/x", &arena), "/a b/lib/contprof");
}

Test(toolchain, files_of_every_version) {
  for (size_t i = 0; i < sizeof contprof_llvms / sizeof *contprof_llvms; i++) {
    unsigned major = contprof_llvms[i].major, raw = contprof_llvms[i].raw_version;
    struct contprof_toolchain_query any = query(major, (struct contprof_needs){0});
    cr_assert(open(&any));
    cr_expect_str_eq(toolchain.plugin,
                     contprof_word_format(&arena, "/none/contprof-pass-%u.so", major));
    cr_expect_str_eq(toolchain.runtime,
                     contprof_word_format(&arena, "/none/libcontprof-rt-v%u.a", raw));
    cr_expect_str_eq(toolchain.executable_runtime,
                     contprof_word_format(&arena, "/none/libcontprof-exe-v%u.a", raw));
  }
}

Test(toolchain, other_versions_are_refused_with_those_there_are) {
  struct contprof_toolchain_query old = query(13, (struct contprof_needs){0});
  cr_assert_not(open(&old));
  cr_expect_eq(error.code, CONTPROF_UNSUPPORTED);
  cr_expect(strstr(error.message, "'/usr/bin/clang-13' is clang 13"));
  for (size_t i = 0; i < sizeof contprof_llvms / sizeof *contprof_llvms; i++)
    cr_expect(strstr(error.message, contprof_word_format(&arena, "%u", contprof_llvms[i].major)));
}

Test(toolchain, missing_files_are_named) {
  struct contprof_toolchain_query any =
      query(contprof_llvms[0].major, (struct contprof_needs){.plugin = true});
  cr_assert_not(open(&any));
  cr_expect_eq(error.code, CONTPROF_NOT_FOUND);
  cr_expect_str_eq(error.file, toolchain.plugin);
}

Test(toolchain, another_target_has_a_directory_of_its_own) {
  unsigned major = contprof_llvms[0].major, raw = contprof_llvms[0].raw_version;
  struct contprof_toolchain_query cross = query(major, (struct contprof_needs){0});
  cross.target = "aarch64-linux-gnu";
  cr_assert(open(&cross));
  cr_expect_str_eq(toolchain.target, "aarch64-linux-gnu");
  cr_expect_str_eq(toolchain.plugin,
                   contprof_word_format(&arena, "/none/contprof-pass-%u.so", major));
  cr_expect_str_eq(
      toolchain.runtime,
      contprof_word_format(&arena, "/none/aarch64-linux-gnu/libcontprof-rt-v%u.a", raw));
  cr_expect_str_eq(
      toolchain.executable_runtime,
      contprof_word_format(&arena, "/none/aarch64-linux-gnu/libcontprof-exe-v%u.a", raw));
}

Test(toolchain, a_target_without_runtime_is_refused_in_a_link) {
  struct contprof_toolchain_query cross =
      query(contprof_llvms[0].major, (struct contprof_needs){.link = true});
  cross.target = "aarch64-linux-gnu";
  cr_assert_not(open(&cross));
  cr_expect_eq(error.code, CONTPROF_NOT_FOUND);
  cr_expect_str_eq(error.file, toolchain.runtime);
  cr_expect_str_eq(error.message, "there is no contprof runtime for aarch64-linux-gnu in this "
                                  "installation, but for no target");
}
