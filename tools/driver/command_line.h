// A compiler command line, understood as far as contprof needs: what is asked of contprof, what
// kind of instrumentation, how far the compilation goes, what is linked. Pure: no file is opened.
#ifndef CONTPROF_DRIVER_COMMAND_LINE_H
#define CONTPROF_DRIVER_COMMAND_LINE_H

#include "../base/error.h"
#include "word_list.h"

// How counters are reached (-contprof-mode of the compiler plugin).
enum contprof_mode {
  CONTPROF_MODE_AUTO,
  CONTPROF_MODE_SEGMENT,
  CONTPROF_MODE_POINTER,
  CONTPROF_MODE_SHADOW,
};

// value_slots when -fprofile-continuous-value-slots was not given.
#define CONTPROF_SLOTS_UNSAID (-1)

// How far clang goes.
enum contprof_stage {
  CONTPROF_STAGE_LINK, // the default
  CONTPROF_STAGE_CODE, // -c, -S: code is generated, nothing linked
  CONTPROF_STAGE_TEXT, // -E, -M, -fsyntax-only, headers alone...: no code is generated
};

struct contprof_command {
  struct contprof_word_list words; // the command line without contprof's own options and `--`
  bool mentioned;                  // one of contprof's own options stands somewhere
  bool continuous;                 // the last of them asks for it
  enum contprof_mode mode;         // of the last -fprofile-continuous
  int value_slots;                 // of -fprofile-continuous-value-slots, 0 to 255; or UNSAID
  bool lag_in_loops;               // of -fprofile-continuous-lag: loop
  bool instrument_off;             // an -fno-profile-[instr-]generate after it, and nothing on
  bool frontend;                   // -fprofile-instr-generate[=file] in force
  bool ir;                         // -fprofile-generate[=dir] in force
  bool context_sensitive;          // -fcs-profile-generate[=dir]
  bool uses_profile;               // -fprofile-use, -fprofile-instr-use in force
  bool coverage;                   // -fcoverage-mapping in force
  bool atomic;                     // -fprofile-update=atomic in force
  bool sharded;                    // -fprofile-update=sharded in force; not in `words`
  bool sanitized;                  // an -fsanitize= after the last -fno-sanitize=all
  bool atomic_implied;             // by -fsanitize=thread, for want of an -fprofile-update=
  enum contprof_stage stage;
  bool has_input;     // anything clang would compile or link
  bool incomplete;    // the last option lacks its value; clang will say so
  bool shared;        // the link makes a shared object
  bool is_static;     // ... a program without dynamic linker (-static, -static-pie)
  bool relocatable;   // the link makes an object file (-r)
  bool no_runtime;    // -noprofilelib: the user brings a runtime, or none
  bool lto;           // -flto[=...] in force
  const char *linker; // value of the last -fuse-ld= or --ld-path=; "" if none
  const char *target; // value of the last --target; "" if none
  unsigned bits;      // of -m32 (32), -mx32 (x32: 33), -m16 (16), -m64 (64); 0 if none
  bool big_endian;    // -mbig-endian, which turns some targets round
  bool configured;    // --config names a file, which may hold any option
};

// Parses `words` (without argv[0], up to its NULL; response files already expanded). Fails with
// CONTPROF_USAGE on a wrong value of -fprofile-continuous, -fprofile-continuous-lag or
// -fprofile-continuous-value-slots.
bool contprof_command_parse(const char *const *words, struct contprof_arena *arena,
                            struct contprof_command *command, struct contprof_error *error);

#endif
