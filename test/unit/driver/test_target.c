// Which target a command line and clang's default make.
#include "driver_words.h"
#include "tools/driver/target.h"

#include <criterion/criterion.h>

static struct contprof_arena arena;
static struct contprof_error error;

static void tear_down(void) {
  contprof_arena_free(&arena);
}

TestSuite(target, .fini = tear_down);

static void expect_name(const char *line, const char *default_triple, const char *wanted) {
  struct contprof_command command;
  cr_assert(contprof_command_parse(words_of(line, &arena), &arena, &command, &error));
  const char *name = contprof_target_name(&command, default_triple);
  cr_expect_str_eq(name, wanted, "%s, %s: %s", line, default_triple, name);
}

#define X86 "x86_64-linux-gnu"
#define ARM "aarch64-linux-gnu"

Test(target, of_a_command_line) {
  static const struct {
    const char *line, *name; // of a compiler for x86-64
  } cases[] = {
      {"a.c", X86},
      {"-m64 a.c", X86},
      {"-m32 a.c", "i386"},
      {"-m16 a.c", "i386"},
      {"-mx32 a.c", "x32"},
      {"-m32 -m64 a.c", X86},
      {"--target=x86_64-pc-linux-gnu a.c", X86},
      {"--target=x86_64-linux-musl a.c", X86},
      {"--target=amd64-linux a.c", X86},
      {"--target=x86_64-linux-gnux32 a.c", "x32"},
      {"--target=x86_64-linux-gnux32 -m64 a.c", X86},
      {"--target=i686-linux-gnu a.c", "i386"},
      {"--target=i386-pc-linux-gnu -m64 a.c", X86},
      {"--target=aarch64-linux-gnu a.c", ARM},
      {"--target=riscv64-linux-gnu -target arm64-unknown-linux-gnu a.c", ARM},
      {"--target=aarch64-linux-musl a.c", ARM},
      {"--target=aarch64-linux-gnu -m32 a.c", "arm"},
      {"--target=aarch64-linux-gnu -mbig-endian a.c", "aarch64_be"},
      {"--target=aarch64-linux-gnu -mbig-endian -mlittle-endian a.c", ARM},
      {"--target=aarch64_be-linux-gnu a.c", "aarch64_be-linux-gnu"},
      {"--target=aarch64-linux-gnu_ilp32 a.c", "aarch64-linux-gnu_ilp32"},
      {"--target=aarch64-linux-android a.c", "aarch64-linux-android"},
      {"--target=aarch64-apple-darwin a.c", "aarch64-apple-darwin"},
      {"--target=x86_64-pc-windows-msvc a.c", "x86_64-pc-windows-msvc"},
      {"--target=aarch64 a.c", "aarch64"},
      {"--target=riscv64-linux-gnu a.c", "riscv64-linux-gnu"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_name(cases[i].line, X86, cases[i].name);
}

Test(target, of_a_compiler_for_another_machine) {
  expect_name("a.c", "aarch64-unknown-linux-gnu", ARM);
  expect_name("--target=x86_64-linux-gnu a.c", "aarch64-unknown-linux-gnu", X86);
  expect_name("a.c", "armv7-linux-gnueabihf", "armv7-linux-gnueabihf");
}

Test(target, only_names_of_the_list_are_known) {
  cr_expect(contprof_target_is_known(X86));
  cr_expect(contprof_target_is_known(ARM));
  cr_expect_not(contprof_target_is_known("i386"));
  cr_expect_not(contprof_target_is_known("aarch64-linux-android"));
  cr_expect(contprof_target_has_segments(X86));
  cr_expect_not(contprof_target_has_segments(ARM));
}

Test(target, of_a_programs_name) {
  cr_expect_str_eq(contprof_target_of_program("/usr/bin/clang-19", &arena), "");
  cr_expect_str_eq(contprof_target_of_program("clang++", &arena), "");
  cr_expect_str_eq(contprof_target_of_program("/a-clang/aarch64-linux-gnu-clang++-19", &arena),
                   ARM);
  cr_expect_str_eq(contprof_target_of_program("/a-clang/clang", &arena), "");
}
