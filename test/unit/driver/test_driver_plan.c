// Command line in, clang's command line out.
#include "driver_words.h"
#include "tools/driver/driver_plan.h"
#include "tools/driver/target.h"

#include <criterion/criterion.h>

static struct contprof_arena arena;
static struct contprof_error error;

static void tear_down(void) {
  contprof_arena_free(&arena);
}

TestSuite(driver_plan, .fini = tear_down);

// A toolchain on x86-64, of this version of clang.
static struct contprof_toolchain toolchain(unsigned major) {
  return (struct contprof_toolchain){.plugin = "P.so",
                                     .runtime = "rt.a",
                                     .executable_runtime = "exe.a",
                                     .target = "x86_64-linux-gnu",
                                     .major = major};
}

static bool plan(const char *line, unsigned major, struct contprof_word_list *out) {
  struct contprof_command command;
  struct contprof_toolchain tools = toolchain(major);
  contprof_error_clear(&error);
  cr_assert(contprof_command_parse(words_of(line, &arena), &arena, &command, &error));
  tools.target = contprof_target_name(&command, tools.target);
  *out = (struct contprof_word_list){.arena = &arena};
  return contprof_plan_words(&command, &tools, out, &error);
}

static void expect_plan(const char *line, const char *planned) {
  struct contprof_word_list out;
  cr_assert(plan(line, 19, &out), "%s: %s", line, error.message);
  cr_expect_str_eq(line_of(&out), planned, "%s\n  gives  %s\n  not    %s", line, line_of(&out),
                   planned);
}

static void refuse(const char *line, unsigned major, const char *part) {
  struct contprof_word_list out;
  cr_assert_not(plan(line, major, &out), "%s", line);
  cr_expect(strstr(error.message, part), "%s: %s", line, error.message);
}

#define BEGIN " --start-no-unused-arguments"
#define END " --end-no-unused-arguments"
#define NO_STOCK " -noprofilelib"
#define PLUGIN(mode)                                                                               \
  " -Xclang -load -Xclang P.so -fpass-plugin=P.so -Xclang -mllvm -Xclang -contprof-mode=" mode     \
      NO_STOCK
#define EXACT " -Xclang -mllvm -Xclang -do-counter-promotion=false"
#define PULL " -Wl,-u,__llvm_profile_runtime"
#define START " -Wl,-u,contprof_start_executable"
#define OPEN " -Wl,--push-state,--no-whole-archive"
#define CLOSE " -Wl,--pop-state"
#define EXECUTABLE PULL START OPEN " -Xlinker exe.a -Xlinker rt.a" CLOSE
#define SHARED PULL OPEN " -Xlinker rt.a" CLOSE
#define IMPLIED " -fprofile-generate"

Test(driver_plan, public_header_comes_after_all_other_directories) {
  struct contprof_command command;
  struct contprof_toolchain tools = toolchain(19);
  struct contprof_word_list out = {.arena = &arena};
  tools.include = "lib/include";
  contprof_error_clear(&error);
  cr_assert(contprof_command_parse(words_of("-E -fprofile-continuous a.c", &arena), &arena,
                                   &command, &error));
  cr_assert(contprof_plan_words(&command, &tools, &out, &error));
  cr_expect(strstr(line_of(&out), BEGIN " -idirafter lib/include "), "%s", line_of(&out));
}

Test(driver_plan, compiling) {
  expect_plan("-fprofile-continuous -c a.c", "-c a.c" BEGIN IMPLIED PLUGIN("auto") EXACT END);
  expect_plan("-fprofile-continuous=segment -S a.c",
              "-S a.c" BEGIN IMPLIED PLUGIN("segment") EXACT END);
  expect_plan("-fprofile-continuous=pointer -fprofile-generate=d -c a.c",
              "-fprofile-generate=d -c a.c" BEGIN PLUGIN("pointer") EXACT END);
  expect_plan("-fprofile-continuous -fprofile-instr-generate -c a.c",
              "-fprofile-instr-generate -c a.c" BEGIN PLUGIN("auto") END);
  expect_plan("-fprofile-use=p -fcs-profile-generate -fprofile-continuous -c a.c",
              "-fprofile-use=p -fcs-profile-generate -c a.c" BEGIN PLUGIN("auto") EXACT END);
  expect_plan("-fprofile-continuous -fcoverage-mapping -c a.c",
              "-fcoverage-mapping -c a.c" BEGIN " -fprofile-instr-generate" PLUGIN("auto") END);
}

Test(driver_plan, value_slots) {
#define SLOTS(n) " -Xclang -mllvm -Xclang -contprof-value-slots=" n
#define PLUGIN_WITH(slots)                                                                         \
  " -Xclang -load -Xclang P.so -fpass-plugin=P.so -Xclang -mllvm -Xclang "                         \
  "-contprof-mode=auto" slots NO_STOCK
  expect_plan("-fprofile-continuous -fprofile-continuous-value-slots=24 -c a.c",
              "-c a.c" BEGIN IMPLIED PLUGIN_WITH(SLOTS("24")) EXACT END);
  expect_plan("-fprofile-continuous -fprofile-continuous-value-slots=0 -c a.c",
              "-c a.c" BEGIN IMPLIED PLUGIN_WITH(SLOTS("0") " -Xclang -mllvm -Xclang -disable-vp")
                  EXACT END);
  expect_plan("-mllvm -disable-vp -fprofile-continuous -fprofile-continuous-value-slots=0 -c a.c",
              "-mllvm -disable-vp -c a.c" BEGIN IMPLIED PLUGIN_WITH(SLOTS("0")) EXACT END);
  expect_plan("-fprofile-continuous-value-slots=4 -c a.c", "-c a.c");
}

Test(driver_plan, lag) {
  expect_plan("-fprofile-continuous -fprofile-continuous-lag=loop -c a.c",
              "-c a.c" BEGIN IMPLIED PLUGIN_WITH(" -Xclang -mllvm -Xclang -contprof-lag=loop")
                  EXACT END);
  expect_plan("-fprofile-continuous -fprofile-continuous-lag=none -c a.c",
              "-c a.c" BEGIN IMPLIED PLUGIN("auto") EXACT END);
  expect_plan("-fprofile-continuous-lag=loop -c a.c", "-c a.c");
}

Test(driver_plan, linking) {
  expect_plan("-fprofile-continuous a.o", "a.o" BEGIN IMPLIED PLUGIN("auto") EXACT EXECUTABLE END);
  expect_plan("a.c b.o -fprofile-continuous -lfoo -o p",
              "a.c b.o -lfoo -o p" BEGIN IMPLIED PLUGIN("auto") EXACT EXECUTABLE END);
  expect_plan("-shared -fprofile-continuous a.o -o l.so",
              "-shared a.o -o l.so" BEGIN IMPLIED PLUGIN("pointer") EXACT SHARED END);
  expect_plan("-Wl,-shared -fprofile-continuous a.o",
              "-Wl,-shared a.o" BEGIN IMPLIED PLUGIN("pointer") EXACT SHARED END);
  expect_plan("-r -fprofile-continuous a.o -o b.o",
              "-r a.o -o b.o" BEGIN IMPLIED PLUGIN("auto") EXACT END);
  expect_plan("-noprofilelib -fprofile-continuous a.o",
              "-noprofilelib a.o" BEGIN IMPLIED PLUGIN("auto") EXACT END);
  expect_plan("-fprofile-continuous -- -a.o",
              "./-a.o" BEGIN IMPLIED PLUGIN("auto") EXACT EXECUTABLE END);
}

Test(driver_plan, nothing_to_generate) {
  expect_plan("-fprofile-continuous -E a.c", "-E a.c" BEGIN IMPLIED END);
  expect_plan("-fprofile-continuous -M a.c", "-M a.c" BEGIN IMPLIED END);
  expect_plan("-fprofile-continuous -fprofile-generate -fsyntax-only a.c",
              "-fprofile-generate -fsyntax-only a.c" BEGIN END);
  expect_plan("-fprofile-continuous -v", "-v" BEGIN IMPLIED END);
  expect_plan("-fprofile-continuous --version", "--version" BEGIN IMPLIED END);
}

Test(driver_plan, nothing_asked) {
  expect_plan("-fno-profile-continuous -c a.c", "-c a.c");
  expect_plan("-fprofile-continuous -fno-profile-continuous a.c", "a.c");
  expect_plan("-fprofile-continuous -fno-profile-generate a.c", "-fno-profile-generate a.c");
  expect_plan("-fprofile-continuous a.c -o", "a.c -o");
  expect_plan("-fprofile-continuous -fno-profile-continuous", "");
}

Test(driver_plan, targets) {
  refuse("-fprofile-continuous -m32 -c a.c", 19, "no contprof runtime for i386");
  refuse("-fprofile-continuous -mx32 -c a.c", 19, "no contprof runtime for x32");
  refuse("-fprofile-continuous=segment -m32 a.c", 19, "x86-64 only, not for i386");
  refuse("-fprofile-continuous=segment --target=aarch64-linux-gnu -c a.c", 19,
         "x86-64 only, not for aarch64-linux-gnu; use =pointer");
  refuse(
      "-fprofile-continuous -target riscv64-linux-gnu -c a.c", 19,
      "no contprof runtime for riscv64-linux-gnu, but for x86_64-linux-gnu and aarch64-linux-gnu");
  expect_plan("-fprofile-continuous -target aarch64-linux-gnu a.o",
              "-target aarch64-linux-gnu a.o" BEGIN IMPLIED PLUGIN("auto") EXACT EXECUTABLE END);
  expect_plan("-fprofile-continuous --target=aarch64-linux-gnu -c a.c",
              "--target=aarch64-linux-gnu -c a.c" BEGIN IMPLIED PLUGIN("auto") EXACT END);
  expect_plan("-fprofile-continuous=segment --target=x86_64-linux-gnu -m64 -c a.c",
              "--target=x86_64-linux-gnu -m64 -c a.c" BEGIN IMPLIED PLUGIN("segment") EXACT END);
  expect_plan("-fprofile-continuous -m32 -E a.c", "-m32 -E a.c" BEGIN IMPLIED END);
}

Test(driver_plan, what_can_not_work) {
  refuse("-fprofile-continuous=segment -shared a.c -o l.so", 19, "shared object");
  refuse("-fprofile-continuous=segment -Wl,-shared a.o", 16, "shared object");
  refuse("-fprofile-continuous -fprofile-use=p -c a.c", 19, "-fcs-profile-generate");
  refuse("-fprofile-continuous -fprofile-instr-use=p -c a.c", 19, "-fcs-profile-generate");
}

Test(driver_plan, instrumentation_in_the_linker) {
  expect_plan("-fprofile-continuous -flto=thin -fuse-ld=lld -fcs-profile-generate a.o",
              "-flto=thin -fuse-ld=lld -fcs-profile-generate a.o" BEGIN PLUGIN("auto") EXACT
              " -Xlinker --load-pass-plugin=P.so -Xlinker -mllvm -Xlinker "
              "-do-counter-promotion=false" EXECUTABLE END);
  expect_plan("-fprofile-continuous -flto -fcs-profile-generate -c a.c",
              "-flto -fcs-profile-generate -c a.c" BEGIN PLUGIN("auto") EXACT END);
  refuse("-fprofile-continuous -flto -fuse-ld=lld -fcs-profile-generate a.o", 14, "before LLVM 15");
  refuse("-fprofile-continuous -flto -fcs-profile-generate a.o", 19, "-fuse-ld=lld");
  refuse("-fprofile-continuous -flto -fuse-ld=gold -fcs-profile-generate a.o", 19, "-fuse-ld=lld");
  refuse("-fprofile-continuous=pointer -flto -fuse-ld=lld -fcs-profile-generate a.o", 19,
         "no mode but");
}
