#include "fork.h"

#include <pthread.h>
#include <string.h>

#include "bias.h"
#include "image_write.h"
#include "log.h"
#include "module.h"
#include "owner.h"
#include "shadow.h"
#include "shard_file.h"
#include "start.h"
#include "timestamps.h"
#include "value_sites.h"
#include "value_slots.h"

// What the static counters hold was counted by the parent.
static void forget_static_counts(void) {
  const struct contprof_image *image = &contprof_module.image;
  struct contprof_layout statics = {.counters = 0};
  statics.bitmap = (uint64_t)(image->bitmap - image->counters);
  if (image->in_place) // they are the parent's image
    memset(image->bitmap, 0, contprof_image_bitmap_size(image));
  else
    contprof_image_zero(image, &statics, image->counters);
}

static void forget_counts(void) {
  struct contprof_module *module = &contprof_module;
  contprof_image_zero(&module->image, &module->live.layout, module->live.base);
  contprof_values_reset(&module->image, module->live.base + module->live.layout.values);
}

// A sandbox may refuse memory, too. Then the child's counts are not told apart, but none is lost.
static void count_in_memory(char *base, int error) {
  struct contprof_module *module = &contprof_module;
  const char *path = module->live.path;
  module->failure = error;
  module->state = CONTPROF_MEMORY;
  if (contprof_live_in_memory(&module->live, &module->image, base)) {
    module->state = CONTPROF_IDLE;
    contprof_log_errno("can't leave the parent's file for", path, error,
                       "this process counts there");
  } else if (!module->quiet) {
    contprof_log_errno(
        "can't create", path, error,
        "this process counts in memory, the profile is written at exit if that works then");
  }
}

// A directory or a disk that failed the parent may be well again; a segment base in use is no
// better.
static bool can_have_file(const struct contprof_module *module) {
  return module->state == CONTPROF_LIVE || (module->failure && !module->quiet);
}

static void leave_parent(void) {
  struct contprof_module *module = &contprof_module;
  char *base = module->live.base;
  uint64_t size = module->live.size;
  if (module->state == CONTPROF_LIVE)
    contprof_live_close(&module->live);
  int error = contprof_live_create(&module->live, &module->image, &module->pattern, base);
  if (error)
    count_in_memory(base, -error);
  else if (module->state == CONTPROF_MEMORY)
    contprof_go_live();
  if (module->state != CONTPROF_IDLE)
    contprof_shards_forget(&module->live, size);
}

// The pages of the counters that the parent's file has there.
static void replace_in_place(void) {
  struct contprof_module *module = &contprof_module;
  bool live = module->state == CONTPROF_LIVE;
  int error = live ? contprof_shadow->make_ready(&module->live) : contprof_shadow->leave();
  if (!error && live)
    error = contprof_shadow->turn();
  module->statics = module->statics || !module->image.in_place;
  if (error)
    contprof_log_errno("can't leave the parent's file for", module->live.path, -error,
                       "this process counts there");
}

// Under the lock: no signal's handler may count in the child, or fork, while that has its parent's
// file. A shared object's lock may be another thread's, which does not exist here.
static void child(void) {
  struct contprof_module *module = &contprof_module;
  if (!module->image.executable) {
    contprof_lock_after_fork();
    contprof_lock();
  }
  contprof_slots_after_fork();
  if (module->state != CONTPROF_IDLE && module->live.base) {
    module->live.written = false;
    module->live.forked = true;
    module->live.images = 1; // of a new file, at least
    contprof_timestamps_restart();
    if (contprof_counts_beside()) // else they are at nothing; their pages stay shared
      forget_static_counts();
    if (can_have_file(module)) {
      leave_parent();
    } else {
      if (!module->quiet) // else no name will be asked for
        contprof_owner_look();
      forget_counts();
    }
    if (module->image.in_place && module->state != CONTPROF_IDLE)
      replace_in_place();
  }
  if (contprof_threads_forked && module->state != CONTPROF_IDLE)
    contprof_threads_forked();
  contprof_unlock();
}

// What pthread_atfork is made of in glibc. Of a module whose destructors have begun,
// pthread_atfork's handlers are called no more, not even for a fork that has begun; without a
// handle they stay.
__attribute__((weak)) int __register_atfork(void (*before)(void), void (*parent)(void),
                                            void (*child)(void), void *module);

// A shared object may be unloaded by another thread between two handlers of one fork, or while the
// C library is about to call one: so it has none in the parent, and takes no lock there.
static int watch(void) {
  if (!contprof_module.image.executable)
    return pthread_atfork(NULL, NULL, child);
  if (__register_atfork)
    return __register_atfork(contprof_lock, contprof_unlock, child, NULL);
  return pthread_atfork(contprof_lock, contprof_unlock, child);
}

void contprof_watch_forks(void) {
  int error = watch();
  if (error)
    contprof_log_errno("can't watch for forks in", contprof_module.image.name, error,
                       "children count into their parent's file");
}
