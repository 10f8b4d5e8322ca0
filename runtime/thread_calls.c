// For programs that are linked dynamically: definitions of the executable come before those of the
// C library, for every object of the process, and the linker exports them as that has them too. The
// one for C11's threads is in a file of its own: a program may bring either itself.
#include "thread_calls.h"

#include <dlfcn.h>
#include <errno.h>

CONTPROF_HIDDEN char contprof_thread_calls;

// The sanitizers' own, which stand in the executable as well and want to know of each thread.
__attribute__((weak)) contprof_pthread_create __interceptor_pthread_create;

static contprof_pthread_create *real_pthread_create;

// The C library may allocate for this. Before the first constructor, while there is one thread. Of
// a C library that has threads in a library of their own, that may be loaded later.
static void find_real(void) {
  real_pthread_create = __interceptor_pthread_create;
  if (!real_pthread_create)
    real_pthread_create = (contprof_pthread_create *)dlsym(RTLD_NEXT, "pthread_create");
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = find_real;

__attribute__((visibility("default"))) int pthread_create(pthread_t *id,
                                                          const pthread_attr_t *attributes,
                                                          contprof_start_function start,
                                                          void *argument) {
  if (!real_pthread_create)
    find_real();
  return real_pthread_create
             ? contprof_create_thread(real_pthread_create, id, attributes, start, argument)
             : EAGAIN;
}
