// What is read out of a command line.
#include "driver_words.h"
#include "tools/driver/command_line.h"

#include <criterion/criterion.h>

static struct contprof_arena arena;
static struct contprof_error error;

static void tear_down(void) {
  contprof_arena_free(&arena);
}

TestSuite(command_line, .fini = tear_down);

static struct contprof_command parse(const char *line) {
  struct contprof_command command;
  contprof_error_clear(&error);
  cr_assert(contprof_command_parse(words_of(line, &arena), &arena, &command, &error), "%s: %s",
            line, error.message);
  return command;
}

static void refuse(const char *line, const char *message) {
  struct contprof_command command;
  contprof_error_clear(&error);
  cr_assert_not(contprof_command_parse(words_of(line, &arena), &arena, &command, &error));
  cr_expect_eq(error.code, CONTPROF_USAGE);
  cr_expect_str_eq(error.message, message);
}

Test(command_line, own_options_are_taken_out_and_the_last_wins) {
  static const struct {
    const char *line; // the command line
    const char *left; // what clang still sees
    bool mentioned, continuous;
    enum contprof_mode mode;
  } cases[] = {
      {"", "", false, false, CONTPROF_MODE_AUTO},
      {"-c a.c", "-c a.c", false, false, CONTPROF_MODE_AUTO},
      {"-fprofile-continuous", "", true, true, CONTPROF_MODE_AUTO},
      {"-c -fprofile-continuous a.c", "-c a.c", true, true, CONTPROF_MODE_AUTO},
      {"a.c -fprofile-continuous=auto", "a.c", true, true, CONTPROF_MODE_AUTO},
      {"a.c -fprofile-continuous=segment", "a.c", true, true, CONTPROF_MODE_SEGMENT},
      {"-fprofile-continuous=shadow a.c", "a.c", true, true, CONTPROF_MODE_SHADOW},
      {"a.c -fprofile-continuous=pointer", "a.c", true, true, CONTPROF_MODE_POINTER},
      {"-fprofile-continuous=pointer -fprofile-continuous=segment a.c", "a.c", true, true,
       CONTPROF_MODE_SEGMENT},
      {"-fprofile-continuous=pointer -fprofile-continuous a.c", "a.c", true, true,
       CONTPROF_MODE_AUTO},
      {"-fprofile-continuous a.c -fno-profile-continuous", "a.c", true, false, CONTPROF_MODE_AUTO},
      {"-fno-profile-continuous a.c -fprofile-continuous", "a.c", true, true, CONTPROF_MODE_AUTO},
      {"-fno-profile-continuous a.c", "a.c", true, false, CONTPROF_MODE_AUTO},
      // Values of other options are not ours.
      {"-o -fprofile-continuous a.c", "-o -fprofile-continuous a.c", false, false,
       CONTPROF_MODE_AUTO},
      {"-Xclang -fprofile-continuous a.c", "-Xclang -fprofile-continuous a.c", false, false,
       CONTPROF_MODE_AUTO},
      {"-MF -fprofile-continuous -fprofile-continuous a.c", "-MF -fprofile-continuous a.c", true,
       true, CONTPROF_MODE_AUTO},
      {"-c -- -fprofile-continuous", "-c ./-fprofile-continuous", false, false, CONTPROF_MODE_AUTO},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct contprof_command command = parse(cases[i].line);
    cr_expect_str_eq(line_of(&command.words), cases[i].left);
    cr_expect_eq(command.mentioned, cases[i].mentioned, "%s", cases[i].line);
    cr_expect_eq(command.continuous, cases[i].continuous, "%s", cases[i].line);
    cr_expect_eq(command.mode, cases[i].mode, "%s", cases[i].line);
  }
}

Test(command_line, wrong_modes_are_refused) {
  refuse("-fprofile-continuous=shade a.c",
         "invalid value in '-fprofile-continuous=shade'; use auto, segment, pointer or shadow");
  refuse("-fprofile-continuous= a.c",
         "invalid value in '-fprofile-continuous='; use auto, segment, pointer or shadow");
  refuse("-fprofile-continuous=Segment -fno-profile-continuous",
         "invalid value in '-fprofile-continuous=Segment'; use auto, segment, pointer or shadow");
}

Test(command_line, value_slots) {
  static const struct {
    const char *line;
    int slots;
  } cases[] = {
      {"-fprofile-continuous a.c", CONTPROF_SLOTS_UNSAID},
      {"-fprofile-continuous -fprofile-continuous-value-slots=0 a.c", 0},
      {"-fprofile-continuous-value-slots=255 -fprofile-continuous a.c", 255},
      {"-fprofile-continuous-value-slots=255 -fprofile-continuous-value-slots=24 a.c", 24},
      {"-Xclang -fprofile-continuous-value-slots=24 a.c", CONTPROF_SLOTS_UNSAID},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(parse(cases[i].line).value_slots, cases[i].slots, "%s", cases[i].line);
  refuse("-fprofile-continuous-value-slots=256 a.c",
         "invalid value in '-fprofile-continuous-value-slots=256'; use 0 (no value profiling) to "
         "255");
  refuse("-fprofile-continuous-value-slots= a.c",
         "invalid value in '-fprofile-continuous-value-slots='; use 0 (no value profiling) to 255");
  refuse("-fprofile-continuous-value-slots=-1 a.c",
         "invalid value in '-fprofile-continuous-value-slots=-1'; use 0 (no value profiling) to "
         "255");
}

Test(command_line, lag) {
  cr_expect_not(parse("-fprofile-continuous a.c").lag_in_loops);
  cr_expect(parse("-fprofile-continuous-lag=loop -fprofile-continuous a.c").lag_in_loops);
  cr_expect_not(
      parse("-fprofile-continuous-lag=loop -fprofile-continuous-lag=none a.c").lag_in_loops);
  cr_expect_not(parse("-Xclang -fprofile-continuous-lag=loop a.c").lag_in_loops);
  refuse("-fprofile-continuous-lag= a.c",
         "invalid value in '-fprofile-continuous-lag='; use none or loop");
  refuse("-fprofile-continuous-lag=loops a.c",
         "invalid value in '-fprofile-continuous-lag=loops'; use none or loop");
}

Test(command_line, instrumentation) {
  static const struct {
    const char *line;
    bool ir, frontend, cs, off;
  } cases[] = {
      {"-fprofile-continuous", false, false, false, false},
      {"-fprofile-continuous -fprofile-generate", true, false, false, false},
      {"-fprofile-continuous -fprofile-generate=dir", true, false, false, false},
      {"-fprofile-continuous -fprofile-instr-generate", false, true, false, false},
      {"-fprofile-continuous -fprofile-instr-generate=a.profraw", false, true, false, false},
      {"-fprofile-continuous -fcs-profile-generate", false, false, true, false},
      {"-fprofile-continuous -fcs-profile-generate=d", false, false, true, false},
      {"-fprofile-continuous -fprofile-generate -fno-profile-generate", false, false, false, true},
      {"-fprofile-continuous -fno-profile-generate -fprofile-generate", true, false, false, false},
      {"-fno-profile-generate -fprofile-continuous", false, false, false, false},
      {"-fprofile-continuous -fno-profile-instr-generate", false, false, false, true},
      {"-fprofile-continuous -fno-profile-generate -fprofile-instr-generate", false, true, false,
       false},
      {"-fprofile-continuous -fcs-profile-generate -fno-profile-generate", false, false, true,
       false},
      {"-fprofile-continuous -fprofile-generated-thing", false, false, false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct contprof_command command = parse(cases[i].line);
    cr_expect_eq(command.ir, cases[i].ir, "%s", cases[i].line);
    cr_expect_eq(command.frontend, cases[i].frontend, "%s", cases[i].line);
    cr_expect_eq(command.context_sensitive, cases[i].cs, "%s", cases[i].line);
    cr_expect_eq(command.instrument_off, cases[i].off, "%s", cases[i].line);
  }
}

Test(command_line, thread_sanitizer_implies_atomic_updates) {
  static const struct {
    const char *line;
    bool atomic, implied;
  } cases[] = {
      {"a.c", false, false},
      {"-fsanitize=thread a.c", false, true},
      {"-fsanitize=undefined,thread a.c", false, true},
      {"-fsanitize=address a.c", false, false},
      {"-fsanitize=thread-like a.c", false, false},
      {"-fsanitize=thread -fno-sanitize=thread a.c", false, false},
      {"-fsanitize=thread -fno-sanitize=all a.c", false, false},
      {"-fsanitize=thread -fprofile-update=single a.c", false, false},
      {"-fprofile-update=atomic -fsanitize=thread a.c", true, false},
      {"-fprofile-update=prefer-atomic a.c", true, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct contprof_command command = parse(cases[i].line);
    cr_expect_eq(command.atomic, cases[i].atomic, "%s", cases[i].line);
    cr_expect_eq(command.atomic_implied, cases[i].implied, "%s", cases[i].line);
  }
}

Test(command_line, sanitized) {
  cr_expect_not(parse("-fsanitize-trap a.c").sanitized);
  cr_expect(parse("-fsanitize=address a.c").sanitized);
  cr_expect(parse("-fsanitize=address -fno-sanitize=undefined a.c").sanitized);
  cr_expect_not(parse("-fsanitize=address -fno-sanitize=undefined,all a.c").sanitized);
}

Test(command_line, stage) {
  static const struct {
    const char *line;
    enum contprof_stage stage;
  } cases[] = {
      {"a.c", CONTPROF_STAGE_LINK},
      {"a.c b.c -o p", CONTPROF_STAGE_LINK},
      {"a.o -shared", CONTPROF_STAGE_LINK},
      {"-c a.c", CONTPROF_STAGE_CODE},
      {"-S a.c -o -", CONTPROF_STAGE_CODE},
      {"-c -MD -MF a.d a.c", CONTPROF_STAGE_CODE},
      {"-c -MMD -MP a.c", CONTPROF_STAGE_CODE},
      {"-E a.c", CONTPROF_STAGE_TEXT},
      {"-c -E a.c", CONTPROF_STAGE_TEXT},
      {"-E -c a.c", CONTPROF_STAGE_TEXT},
      {"-M a.c", CONTPROF_STAGE_TEXT},
      {"-MM a.c", CONTPROF_STAGE_TEXT},
      {"-fsyntax-only a.c", CONTPROF_STAGE_TEXT},
      {"--analyze a.c", CONTPROF_STAGE_TEXT},
      {"-o -c a.c", CONTPROF_STAGE_LINK},
      {"-Xlinker -E a.c", CONTPROF_STAGE_LINK},
      {"-Wl,-E a.c", CONTPROF_STAGE_LINK},
      {"a.c -- -c", CONTPROF_STAGE_LINK},
      {"a.h", CONTPROF_STAGE_TEXT},
      {"a.hpp -o a.pch", CONTPROF_STAGE_TEXT},
      {"-x c++-header a", CONTPROF_STAGE_TEXT},
      {"-xc-header a", CONTPROF_STAGE_TEXT},
      {"-x c-header -c a.h", CONTPROF_STAGE_TEXT},
      {"-x c-header a.h -x none b.c", CONTPROF_STAGE_LINK},
      {"-x c a.h", CONTPROF_STAGE_LINK},
      {"a.h b.o", CONTPROF_STAGE_LINK},
      {"a.h -lm", CONTPROF_STAGE_LINK},
      {"-include a.h b.c", CONTPROF_STAGE_LINK},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(parse(cases[i].line).stage, cases[i].stage, "%s", cases[i].line);
}

Test(command_line, inputs) {
  static const char *const with[] = {"a.c",    "-",          "-x c -",     "a.o",
                                     "-lfoo",  "-l foo",     "-Wl,-z,now", "-Xlinker now",
                                     "-- a.c", "-o out a.c", "@missing",   "-I inc a.c"};
  static const char *const without[] = {"",
                                        "-v",
                                        "--version",
                                        "-o out",
                                        "-I inc",
                                        "-x c",
                                        "-DX",
                                        "-print-search-dirs",
                                        "-target x86_64-linux-gnu",
                                        "-MF x.d",
                                        "--",
                                        "-###"};
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    cr_expect(parse(with[i]).has_input, "%s", with[i]);
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    cr_expect_not(parse(without[i]).has_input, "%s", without[i]);
}

Test(command_line, kind_of_link) {
  static const char *const shared[] = {"-shared",          "--shared",
                                       "-Wl,-shared",      "-Wl,-z,now,-shared",
                                       "-Xlinker -shared", "-Wl,-Bshareable"};
  static const char *const relocatable[] = {"-r", "-Wl,-r", "-Wl,--relocatable", "-Xlinker -r"};
  static const char *const neither[] = {"-static",        "-static-pie",     "-pie",
                                        "-shared-libgcc", "-rdynamic",       "-o -shared",
                                        "-Wl,-soname,x",  "-Xclang -shared", "-Wl,-rpath,-r2"};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    cr_expect(parse(shared[i]).shared, "%s", shared[i]);
  for (size_t i = 0; i < sizeof relocatable / sizeof *relocatable; i++)
    cr_expect(parse(relocatable[i]).relocatable, "%s", relocatable[i]);
  for (size_t i = 0; i < sizeof neither / sizeof *neither; i++)
    cr_expect_not(parse(neither[i]).shared || parse(neither[i]).relocatable, "%s", neither[i]);
}

Test(command_line, link_options) {
  cr_expect(parse("-noprofilelib").no_runtime);
  cr_expect(parse("-flto").lto && parse("-flto=thin").lto);
  cr_expect_not(parse("-flto -fno-lto").lto);
  cr_expect_str_eq(parse("-fuse-ld=bfd -fuse-ld=lld").linker, "lld");
  cr_expect_str_eq(parse("--ld-path=/opt/ld.lld-16").linker, "/opt/ld.lld-16");
  cr_expect_str_eq(parse("a.c").linker, "");
}

Test(command_line, target) {
  cr_expect_str_eq(parse("--target=aarch64-linux-gnu").target, "aarch64-linux-gnu");
  cr_expect_str_eq(parse("-target riscv64-linux").target, "riscv64-linux");
  cr_expect_str_eq(parse("--target=a -target b").target, "b");
  cr_expect_eq(parse("-m32").bits, 32u);
  cr_expect_eq(parse("-m32 -m64").bits, 64u);
  cr_expect_eq(parse("a.c").bits, 0u);
}

Test(command_line, a_missing_value_is_left_to_clang) {
  cr_expect(parse("-fprofile-continuous a.c -o").incomplete);
  cr_expect(parse("-fprofile-continuous a.c -Xlinker").incomplete);
  cr_expect_not(parse("-fprofile-continuous a.c -o x").incomplete);
}

Test(command_line, inputs_after_a_double_dash) {
  struct contprof_command command = parse("-c -fprofile-continuous -- a.c -b.c - -- c.c");
  cr_expect_str_eq(line_of(&command.words), "-c a.c ./-b.c - ./-- c.c");
}
