#include "without_start_up.h"

#include <string.h>
#include <unistd.h>

#include "log.h"
#include "module.h"
#include "module_end.h"
#include "platform.h"
#include "value_sites.h"

__attribute__((weak)) bool contprof_has_start_up = false;

static bool asked;             // the first call has come
static bool written_when_ends; // the program wants it so

static void choose_pattern(const char *file) {
  struct contprof_pattern *pattern = &contprof_module.pattern;
  const char *compiled_in = __llvm_profile_filename, *why = NULL;
  const char *chosen = contprof_choose_pattern(file, compiled_in);
  if (contprof_pattern_parse(pattern, chosen))
    why = "file name too long";
  else if (pattern->has_tmpdir && !pattern->tmpdir[0])
    why = "TMPDIR is not set";
  if (!why)
    return;
  contprof_log("can't use the profile name", chosen, why, "the default name is used");
  contprof_pattern_parse(pattern, contprof_default_pattern);
}

void contprof_read_settings(char *const *environment) {
  struct contprof_pattern *pattern = &contprof_module.pattern;
  const char *file = NULL, *tmpdir = NULL;
  if (!contprof_is_secure()) {
    file = contprof_environment(environment, "LLVM_PROFILE_FILE");
    tmpdir = contprof_environment(environment, "TMPDIR");
  }
  contprof_pattern_begin(pattern, tmpdir);
  choose_pattern(file);
  contprof_module_know_directory();
}

void contprof_attach_values(void) {
  struct contprof_module *module = &contprof_module;
  contprof_values_attach(&module->image, module->live.base + module->live.layout.values);
  module->image.records_as_in_file = module->image.values_size == 0;
}

void contprof_stay_in_memory(void) {
  struct contprof_module *module = &contprof_module;
  module->state = CONTPROF_MEMORY;
  module->live.written = false;
  if (contprof_live_in_memory(&module->live, &module->image, NULL) == 0)
    contprof_attach_values();
}

void contprof_begin_when_asked(void) {
  if (asked || contprof_has_start_up || contprof_module.state != CONTPROF_IDLE)
    return;
  asked = true;
  if (!contprof_image_find(&contprof_module.image))
    return;
  contprof_read_settings(environ);
  contprof_stay_in_memory();
}

void contprof_write_when_it_ends(void) {
  written_when_ends = asked;
}

static void end_of_program(void) {
  if (written_when_ends)
    contprof_end();
}

__attribute__((section(".fini_array.00000"),
               used)) static void (*const at_end)(void) = end_of_program;
