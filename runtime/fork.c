#include "fork.h"

#include <pthread.h>

#include "image_write.h"
#include "log.h"
#include "module.h"
#include "platform.h"
#include "value_sites.h"

static void forget_counts(void) {
  struct contprof_module *module = &contprof_module;
  struct contprof_layout statics = {.counters = 0};
  contprof_image_zero(&module->image, &module->live.layout, module->live.base);
  contprof_values_reset(&module->image, module->live.base + module->live.layout.values);
  // What the static counters hold was counted by the parent.
  statics.bitmap = (uint64_t)(module->image.bitmap - module->image.counters);
  contprof_image_zero(&module->image, &statics, module->image.counters);
}

static void count_in_memory(char *base, int error) {
  struct contprof_module *module = &contprof_module;
  module->failure = error;
  if (!module->quiet)
    contprof_log_errno(
        "can't create", module->live.path, error,
        "this process counts in memory, the profile is written at exit if that works then");
  int failed = contprof_live_in_memory(&module->live, &module->image, base);
  module->state = failed ? CONTPROF_IDLE : CONTPROF_MEMORY;
}

static void child(void) {
  struct contprof_module *module = &contprof_module;
  contprof_lock_after_fork();
  contprof_values_after_fork();
  if (module->state == CONTPROF_IDLE || !module->live.base)
    return;
  module->live.written = false;
  if (module->state == CONTPROF_MEMORY) {
    forget_counts();
    return;
  }
  char *base = module->live.base;
  contprof_live_close(&module->live);
  int error = contprof_live_create(&module->live, &module->image, &module->pattern, base);
  if (error)
    count_in_memory(base, -error);
  else
    contprof_take_static_counts();
}

void contprof_watch_forks(void) {
  pthread_atfork(contprof_lock, contprof_unlock, child);
}
