#include "command_line.h"

#include "clang_options.h"

#include <stdlib.h>
#include <string.h>

// The parse under way.
struct parser {
  struct contprof_command *command; // being filled
  struct contprof_arena *arena;     // owns made-up words
  struct contprof_error *error;
  const char *language;  // of the last -x; "" if none, or none again
  bool update_said;      // -fprofile-update= stands somewhere
  bool thread_sanitizer; // -fsanitize=thread in force
  bool off_after;        // instrumentation was turned off after the last -fprofile-continuous
  bool beyond_headers;   // an input is something else than a header
};

static bool read_mode(struct parser *parser, const char *word, const char *value) {
  static const char *const names[] = {"auto", "segment", "pointer", "shadow"};
  for (unsigned mode = 0; mode < sizeof names / sizeof *names; mode++) {
    if (strcmp(value, names[mode]) != 0)
      continue;
    parser->command->mode = (enum contprof_mode)mode;
    return true;
  }
  return contprof_fail(parser->error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                       "invalid value in '%s'; use auto, segment, pointer or shadow", word);
}

// The format has one byte for the number of a site's values.
static bool read_slots(struct parser *parser, const char *word, const char *value) {
  size_t digits = strspn(value, "0123456789");
  unsigned long slots = strtoul(value, NULL, 10);
  if (!digits || value[digits] || digits > 3 || slots > 255)
    return contprof_fail(parser->error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                         "invalid value in '%s'; use 0 (no value profiling) to 255", word);
  parser->command->mentioned = true;
  parser->command->value_slots = (int)slots;
  return true;
}

static bool read_lag(struct parser *parser, const char *word, const char *value) {
  bool loop = strcmp(value, "loop") == 0;
  if (!loop && strcmp(value, "none") != 0)
    return contprof_fail(parser->error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                         "invalid value in '%s'; use none or loop", word);
  parser->command->mentioned = true;
  parser->command->lag_in_loops = loop;
  return true;
}

// contprof's own options, which clang must not see.
static bool take_own(struct parser *parser, const char *word, bool *taken) {
  struct contprof_command *command = parser->command;
  const char *value;
  *taken = true;
  if (strcmp(word, "-fno-profile-continuous") == 0) {
    command->mentioned = true;
    command->continuous = false;
    return true;
  }
  if (contprof_word_starts(word, "-fprofile-continuous-value-slots=", &value))
    return read_slots(parser, word, value);
  if (contprof_word_starts(word, "-fprofile-continuous-lag=", &value))
    return read_lag(parser, word, value);
  if (strcmp(word, "-fprofile-update=sharded") == 0) {
    command->mentioned = command->sharded = parser->update_said = true;
    command->atomic = false;
    return true;
  }
  if (strcmp(word, "-fprofile-continuous") == 0)
    value = "auto";
  else if (!contprof_word_starts(word, "-fprofile-continuous=", &value)) {
    *taken = false;
    return true;
  }
  command->mentioned = command->continuous = true;
  parser->off_after = false;
  return read_mode(parser, word, value);
}

// True for OPTION and OPTION=anything.
static bool is_option(const char *word, const char *option) {
  const char *rest;
  return contprof_word_starts(word, option, &rest) && (*rest == '\0' || *rest == '=');
}

// What turns instrumentation on and off; the last of each pair wins, as in clang
// (clang/lib/Driver/ToolChains/Clang.cpp, addPGOAndCoverageFlags).
static void take_instrumentation(struct parser *parser, const char *word) {
  struct contprof_command *command = parser->command;
  if (is_option(word, "-fprofile-generate"))
    command->ir = true;
  else if (is_option(word, "-fprofile-instr-generate"))
    command->frontend = true;
  else if (is_option(word, "-fcs-profile-generate"))
    command->context_sensitive = true;
  else if (strcmp(word, "-fno-profile-generate") == 0)
    command->ir = false, parser->off_after = true;
  else if (strcmp(word, "-fno-profile-instr-generate") == 0)
    command->frontend = false, parser->off_after = true;
  else if (is_option(word, "-fprofile-use") || is_option(word, "-fprofile-instr-use"))
    command->uses_profile = true;
  else if (strcmp(word, "-fno-profile-use") == 0 || strcmp(word, "-fno-profile-instr-use") == 0)
    command->uses_profile = false;
  else if (strcmp(word, "-fcoverage-mapping") == 0)
    command->coverage = true;
  else if (strcmp(word, "-fno-coverage-mapping") == 0)
    command->coverage = false;
}

static bool list_has(const char *list, const char *item) {
  size_t length = strlen(item);
  for (const char *at = list; (at = strstr(at, item)); at += length)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
      return true;
  return false;
}

// The last -fprofile-update= wins; on x86-64 and AArch64, "prefer-atomic" is atomic. Without one,
// ThreadSanitizer asks for atomic updates, as it does of clang 14 and 16 (addPGOAndCoverageFlags).
static void take_update(struct parser *parser, const char *word) {
  struct contprof_command *command = parser->command;
  const char *value;
  if (contprof_word_starts(word, "-fprofile-update=", &value)) {
    command->sharded = false;
    command->atomic = strcmp(value, "atomic") == 0 || strcmp(value, "prefer-atomic") == 0;
    parser->update_said = true;
  }
}

static void take_sanitizer(struct parser *parser, const char *word) {
  const char *value;
  if (contprof_word_starts(word, "-fsanitize=", &value)) {
    parser->command->sanitized = true;
    parser->thread_sanitizer |= list_has(value, "thread");
  } else if (contprof_word_starts(word, "-fno-sanitize=", &value)) {
    parser->command->sanitized &= !list_has(value, "all");
    parser->thread_sanitizer &= !list_has(value, "thread") && !list_has(value, "all");
  }
}

// A word that goes to the linker: what it makes of the link.
static void take_linker_word(struct contprof_command *command, const char *word) {
  static const char *const shared[] = {"-shared", "--shared", "-Bshareable", NULL};
  static const char *const relocatable[] = {"-r", "--relocatable", "-relocatable",
                                            "-i", "-Ur",           NULL};
  if (contprof_word_in(word, shared))
    command->shared = true;
  if (strcmp(word, "-static") == 0)
    command->is_static = true;
  if (contprof_word_in(word, relocatable))
    command->relocatable = true;
}

// -Wl,A,B...
static void take_linker_words(struct parser *parser, const char *words) {
  parser->command->has_input = parser->beyond_headers = true; // clang links for it alone
  while (*words) {
    size_t length = strcspn(words, ",");
    take_linker_word(parser->command, contprof_arena_string(parser->arena, words, length));
    words += length + (words[length] == ',');
  }
}

static void take_language(struct parser *parser, const char *language) {
  parser->language = strcmp(language, "none") == 0 ? "" : language;
}

static void take_link(struct parser *parser, const char *word) {
  struct contprof_command *command = parser->command;
  const char *value;
  if (strcmp(word, "-shared") == 0 || strcmp(word, "--shared") == 0)
    command->shared = true;
  else if (strcmp(word, "-static") == 0 || strcmp(word, "--static") == 0 ||
           strcmp(word, "-static-pie") == 0)
    command->is_static = true;
  else if (strcmp(word, "-r") == 0)
    command->relocatable = true;
  else if (strcmp(word, "-noprofilelib") == 0)
    command->no_runtime = true;
  else if (contprof_word_starts(word, "-Wl,", &value))
    take_linker_words(parser, value);
  else if (contprof_word_starts(word, "-fuse-ld=", &value) ||
           contprof_word_starts(word, "--ld-path=", &value))
    command->linker = value;
  else if (is_option(word, "-flto"))
    command->lto = true;
  else if (strcmp(word, "-fno-lto") == 0)
    command->lto = false;
  else if (contprof_word_starts(word, "-l", NULL))
    command->has_input = parser->beyond_headers = true;
  else if (contprof_word_starts(word, "-x", &value) ||
           contprof_word_starts(word, "--language=", &value))
    take_language(parser, value);
}

static void take_target(struct contprof_command *command, const char *word) {
  static const struct {
    const char *option; // word
    unsigned bits;      // as in contprof_command
  } widths[] = {{"-m16", 16}, {"-m32", 32}, {"-mx32", 33}, {"-m64", 64}};
  const char *value;
  if (contprof_word_starts(word, "--target=", &value))
    command->target = value;
  if (strcmp(word, "-mbig-endian") == 0 || strcmp(word, "-EB") == 0)
    command->big_endian = true;
  else if (strcmp(word, "-mlittle-endian") == 0 || strcmp(word, "-EL") == 0)
    command->big_endian = false;
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    if (strcmp(word, widths[i].option) == 0)
      command->bits = widths[i].bits;
}

static void take_stage(struct contprof_command *command, const char *word) {
  enum contprof_stage stage = CONTPROF_STAGE_LINK;
  if (contprof_option_makes_text(word))
    stage = CONTPROF_STAGE_TEXT;
  else if (contprof_option_makes_code(word))
    stage = CONTPROF_STAGE_CODE;
  if (stage > command->stage) // the earliest end wins, whatever the order
    command->stage = stage;
}

static void take_option(struct parser *parser, const char *word) {
  take_instrumentation(parser, word);
  take_update(parser, word);
  take_sanitizer(parser, word);
  take_link(parser, word);
  take_target(parser->command, word);
  if (contprof_word_starts(word, "--config=", NULL))
    parser->command->configured = true;
  take_stage(parser->command, word);
}

static void take_valued(struct parser *parser, const char *option, const char *value) {
  struct contprof_command *command = parser->command;
  if (strcmp(option, "-Xlinker") == 0 || strcmp(option, "--for-linker") == 0) {
    command->has_input = parser->beyond_headers = true;
    take_linker_word(command, value);
  } else if (strcmp(option, "-target") == 0) {
    command->target = value;
  } else if (strcmp(option, "--config") == 0) {
    command->configured = true;
  } else if (strcmp(option, "-l") == 0) {
    command->has_input = parser->beyond_headers = true;
  } else if (strcmp(option, "-x") == 0 || strcmp(option, "--language") == 0) {
    take_language(parser, value);
  }
}

// A header, which clang precompiles: no link follows.
static bool is_header(const char *language, const char *name) {
  static const char *const endings[] = {".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", NULL};
  const char *dot = strrchr(name, '.');
  if (*language)
    return strstr(language, "-header") != NULL;
  return dot && contprof_word_in(dot, endings);
}

static void take_input(struct parser *parser, const char *name) {
  parser->command->has_input = true;
  if (!is_header(parser->language, name))
    parser->beyond_headers = true;
}

// Everything after `--` is an input. contprof adds options behind the inputs, so the `--` goes, and
// a name that would be taken for an option gets a directory.
static void take_inputs(struct parser *parser, const char *const *words) {
  for (; *words; words++) {
    bool bare = **words != '-' || strcmp(*words, "-") == 0;
    take_input(parser, *words);
    contprof_word_add(&parser->command->words,
                      bare ? *words : contprof_word_format(parser->arena, "./%s", *words));
  }
}

static bool is_input(const char *word) {
  return *word != '-' || strcmp(word, "-") == 0;
}

static bool take_words(struct parser *parser, const char *const *words) {
  struct contprof_command *command = parser->command;
  for (; *words; words++) {
    bool own;
    if (strcmp(*words, "--") == 0) {
      take_inputs(parser, words + 1);
      return true;
    }
    if (!take_own(parser, *words, &own))
      return false;
    if (own)
      continue;
    contprof_word_add(&command->words, *words);
    if (contprof_option_takes_value(*words)) {
      command->incomplete = !words[1];
      if (command->incomplete)
        return true;
      take_valued(parser, words[0], words[1]);
      contprof_word_add(&command->words, *++words);
    } else if (is_input(*words)) {
      take_input(parser, *words);
    } else {
      take_option(parser, *words);
    }
  }
  return true;
}

bool contprof_command_parse(const char *const *words, struct contprof_arena *arena,
                            struct contprof_command *command, struct contprof_error *error) {
  *command = (struct contprof_command){
      .words.arena = arena, .value_slots = CONTPROF_SLOTS_UNSAID, .linker = "", .target = ""};
  struct parser parser = {.command = command, .arena = arena, .error = error, .language = ""};
  if (!take_words(&parser, words))
    return false;
  command->atomic_implied = parser.thread_sanitizer && !parser.update_said;
  command->instrument_off =
      parser.off_after && !command->ir && !command->frontend && !command->context_sensitive;
  if (command->has_input && !parser.beyond_headers)
    command->stage = CONTPROF_STAGE_TEXT;
  return true;
}
