// See thread_calls.c.
#include "thread_calls.h"

#include <dlfcn.h>

static contprof_thrd_create *real_thrd_create;

static void find_real(void) {
  real_thrd_create = (contprof_thrd_create *)dlsym(RTLD_NEXT, "thrd_create");
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = find_real;

__attribute__((visibility("default"))) int thrd_create(thrd_t *id, thrd_start_t start,
                                                       void *argument) {
  if (!real_thrd_create)
    find_real();
  return real_thrd_create ? contprof_create_c11_thread(real_thrd_create, id, start, argument)
                          : thrd_error;
}
