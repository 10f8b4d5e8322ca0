// Where an installation's parts are, and what is said when one is missing.
#include "contprof_llvms.h"
#include "tools/driver/toolchain.h"

#include <criterion/criterion.h>

#include <string.h>

static struct contprof_arena arena;
static struct contprof_error error;
static struct contprof_toolchain toolchain;

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
    cr_assert(contprof_toolchain_open("/none", "clang", major, (struct contprof_needs){0}, &arena,
                                      &toolchain, &error));
    cr_expect_str_eq(toolchain.plugin,
                     contprof_word_format(&arena, "/none/contprof-pass-%u.so", major));
    cr_expect_str_eq(toolchain.runtime,
                     contprof_word_format(&arena, "/none/libcontprof-rt-v%u.a", raw));
    cr_expect_str_eq(toolchain.executable_runtime,
                     contprof_word_format(&arena, "/none/libcontprof-exe-v%u.a", raw));
  }
}

Test(toolchain, other_versions_are_refused_with_those_there_are) {
  cr_assert_not(contprof_toolchain_open("/none", "/usr/bin/clang-13", 13,
                                        (struct contprof_needs){0}, &arena, &toolchain, &error));
  cr_expect_eq(error.code, CONTPROF_UNSUPPORTED);
  cr_expect(strstr(error.message, "'/usr/bin/clang-13' is clang 13"));
  for (size_t i = 0; i < sizeof contprof_llvms / sizeof *contprof_llvms; i++)
    cr_expect(strstr(error.message, contprof_word_format(&arena, "%u", contprof_llvms[i].major)));
}

Test(toolchain, missing_files_are_named) {
  unsigned major = contprof_llvms[0].major;
  cr_assert_not(contprof_toolchain_open("/none", "clang", major,
                                        (struct contprof_needs){.plugin = true}, &arena, &toolchain,
                                        &error));
  cr_expect_eq(error.code, CONTPROF_NOT_FOUND);
  cr_expect_str_eq(error.file, toolchain.plugin);
}
