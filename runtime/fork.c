#include "fork.h"

#include <pthread.h>

#include "image_write.h"
#include "log.h"
#include "module.h"
#include "owner.h"
#include "platform.h"
#include "value_sites.h"
#include "value_slots.h"

// What the static counters hold was counted by the parent.
static void forget_static_counts(void) {
  const struct contprof_image *image = &contprof_module.image;
  struct contprof_layout statics = {.counters = 0};
  statics.bitmap = (uint64_t)(image->bitmap - image->counters);
  contprof_image_zero(image, &statics, image->counters);
}

static void forget_counts(void) {
  struct contprof_module *module = &contprof_module;
  contprof_image_zero(&module->image, &module->live.layout, module->live.base);
  contprof_values_reset(&module->image, module->live.base + module->live.layout.values);
}

static void count_in_memory(char *base, int error) {
  struct contprof_module *module = &contprof_module;
  module->failure = error;
  if (!module->quiet)
    contprof_log_errno(
        "can't create", module->live.path, error,
        "this process counts in memory, the profile is written at exit if that works then");
  module->state = CONTPROF_MEMORY;
  error = -contprof_live_in_memory(&module->live, &module->image, base);
  if (!error)
    return;
  module->state = CONTPROF_IDLE;
  contprof_log_errno("can't leave the parent's", module->live.path, error,
                     "this process counts there");
}

static void child(void) {
  struct contprof_module *module = &contprof_module;
  contprof_lock_after_fork();
  contprof_slots_after_fork();
  if (module->state == CONTPROF_IDLE || !module->live.base)
    return;
  module->live.written = false;
  if (!module->biased) // else they are at nothing, and their pages stay shared
    forget_static_counts();
  if (module->state == CONTPROF_MEMORY) {
    contprof_owner_look();
    forget_counts();
    return;
  }
  char *base = module->live.base;
  contprof_live_close(&module->live);
  int error = contprof_live_create(&module->live, &module->image, &module->pattern, base);
  if (error)
    count_in_memory(base, -error);
}

void contprof_watch_forks(void) {
  int error = pthread_atfork(contprof_lock, contprof_unlock, child);
  if (error)
    contprof_log_errno("can't watch for forks in", contprof_module.image.name, error,
                       "children count into their parent's file");
}
