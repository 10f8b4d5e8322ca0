// For programs that are linked statically: the driver has the linker turn calls of the C library's
// functions into calls of these (ld --wrap). Calls within the C library stay.
#include "thread_calls.h"

contprof_pthread_create __real_pthread_create, __wrap_pthread_create;
contprof_thrd_create __real_thrd_create, __wrap_thrd_create;

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes,
                          contprof_start_function start, void *argument) {
  return contprof_create_thread(__real_pthread_create, id, attributes, start, argument);
}

int __wrap_thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
  return contprof_create_c11_thread(__real_thrd_create, id, start, argument);
}
