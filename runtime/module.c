#include "module.h"

#include <string.h>

#include "bias.h"
#include "image_write.h"
#include "owner.h"
#include "page_map.h"
#include "platform.h"
#include "profile_add.h"
#include "timestamps.h"

CONTPROF_HIDDEN struct contprof_module contprof_module;

static char lock;
static uint64_t signals; // of the thread that has the lock, as they were before; under the lock

// A handler that forked, exited or jumped away while its thread has the lock would wait for itself,
// or leave all others waiting.
void contprof_lock(void) {
  uint64_t held = contprof_hold_signals();
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
    contprof_yield();
  signals = held;
}

void contprof_unlock(void) {
  uint64_t held = signals;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  contprof_release_signals(held);
}

void contprof_lock_after_fork(void) {
  lock = 0;
}

static const char *host_name(void) {
  static char host[CONTPROF_HOST_SIZE];
  if (!host[0])
    contprof_host_name(host, sizeof host);
  return host;
}

// Asked for a relative name alone: it is a system call, and a page to keep the answer.
void contprof_module_know_directory(void) {
  struct contprof_pattern *pattern = &contprof_module.pattern;
  if (pattern->text[0] != '/' && !pattern->directory[0])
    contprof_current_directory(pattern->directory, CONTPROF_PATH_SIZE);
}

void contprof_module_keep_start(void) {
  struct contprof_module *module = &contprof_module;
  if (!module->start_pattern[0])
    memcpy(module->start_pattern, module->pattern.text, sizeof module->start_pattern);
}

// What costs a system call or a pass over all functions is found only where the pattern asks for
// it.
struct contprof_name_values contprof_module_name_values(const struct contprof_pattern *pattern,
                                                        unsigned pool_index) {
  struct contprof_image *image = &contprof_module.image;
  contprof_module_know_directory();
  if (pattern->has_program && !image->program[0])
    contprof_image_find_program(image);
  return (struct contprof_name_values){.pid = contprof_owner_self()->pid,
                                       .host = pattern->has_host ? host_name() : "",
                                       .signature =
                                           pattern->has_pool ? contprof_image_signature(image) : 0,
                                       .pool_index = pool_index,
                                       .program = image->program,
                                       .build_id = image->build_id_text,
                                       .module = image->executable ? NULL : image->name};
}

// A byte counter is 0xff until its code has run, then 0.
static void take_byte_counters(char *to, char *from, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (!__atomic_load_n(&from[i], __ATOMIC_RELAXED)) {
      __atomic_store_n(&to[i], 0, __ATOMIC_RELAXED);
      __atomic_store_n(&from[i], (char)0xff, __ATOMIC_RELAXED);
    }
}

static void take_counters(char *to, char *from, uint64_t size) {
  contprof_counters_move(from, to, size);
}

static void take_bitmap(void) {
  const struct contprof_image *image = &contprof_module.image;
  char *bitmap = contprof_module.live.base + contprof_module.live.layout.bitmap;
  for (uint64_t i = 0; i < contprof_image_bitmap_size(image); i++)
    if (image->bitmap[i])
      __atomic_fetch_or(&bitmap[i], __atomic_exchange_n(&image->bitmap[i], 0, __ATOMIC_RELAXED),
                        __ATOMIC_RELAXED);
}

static void take_all_counters(void) {
  const struct contprof_image *image = &contprof_module.image;
  const struct contprof_live *live = &contprof_module.live;
  char *counters = live->base + live->layout.counters;
  void (*take)(char *, char *, uint64_t) =
      CONTPROF_BYTE_COUNTERS(image->version) ? take_byte_counters : take_counters;
  if (contprof_is_temporal(image))
    contprof_timestamps_each(image, counters, image->counters, true, take);
  else
    take(counters, image->counters, contprof_image_counters_size(image));
}

void contprof_take_static_counts(void) {
  if (!contprof_module.image.in_place)
    take_all_counters();
  take_bitmap();
}

enum { LOOK_PAGES = 64 }; // fewer are read as soon as asked about

bool contprof_take_early_counts(void) {
  const struct contprof_image *image = &contprof_module.image;
  char *counters = contprof_module.live.base + contprof_module.live.layout.counters;
  uintptr_t page = contprof_page_size(), start = (uintptr_t)image->counters;
  uintptr_t first = contprof_mapped_size(start, page);
  uintptr_t last = (uintptr_t)image->counters_end & ~(page - 1);
  bool plain = !contprof_is_temporal(image) && !CONTPROF_BYTE_COUNTERS(image->version);
  if (!contprof_module.live.adopted || !plain || last < first + LOOK_PAGES * page ||
      !contprof_pages_untouched((const char *)first, (const char *)last)) {
    contprof_take_static_counts();
    return false;
  }
  take_counters(counters, image->counters, first - start);
  take_counters(counters + (last - start), (char *)last, (uintptr_t)image->counters_end - last);
  take_bitmap();
  return true;
}

bool contprof_counts_beside(void) {
  const struct contprof_module *module = &contprof_module;
  return !module->biased || module->statics || contprof_bias_taken(&module->image, &module->live);
}

int contprof_write_from_memory(void) {
  struct contprof_module *module = &contprof_module;
  if (module->quiet || module->dumped || !module->live.base)
    return 0;
  contprof_take_static_counts();
  return contprof_live_write_out(&module->live, &module->pattern, module->live.base,
                                 module->live.layout.total);
}
