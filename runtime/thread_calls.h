// The two ways to a thread that programs and their libraries have, with a shard for each. `real` is
// the C library's own function. One thing differs by how the program is linked, and so has a file
// for each: how they come to be called instead of that.
#ifndef CONTPROF_RUNTIME_THREAD_CALLS_H
#define CONTPROF_RUNTIME_THREAD_CALLS_H

#include <pthread.h>
#include <threads.h>

#include "thread_shards.h"

typedef int contprof_pthread_create(pthread_t *, const pthread_attr_t *, contprof_start_function,
                                    void *);
typedef int contprof_thrd_create(thrd_t *, thrd_start_t, void *);

static inline int contprof_create_thread(contprof_pthread_create *real, pthread_t *id,
                                         const pthread_attr_t *attributes,
                                         contprof_start_function start, void *argument) {
  struct contprof_creator creator;
  struct contprof_thread *thread = contprof_thread_prepare(&creator);
  if (!thread)
    return real(id, attributes, start, argument);
  contprof_thread_set_start(thread, start, NULL, argument);
  int error = real(id, attributes, contprof_thread_run, thread);
  contprof_thread_made(thread, &creator, error);
  return error;
}

static inline int contprof_create_c11_thread(contprof_thrd_create *real, thrd_t *id,
                                             thrd_start_t start, void *argument) {
  struct contprof_creator creator;
  struct contprof_thread *thread = contprof_thread_prepare(&creator);
  if (!thread)
    return real(id, start, argument);
  contprof_thread_set_start(thread, NULL, start, argument);
  int error = real(id, contprof_thread_run_c11, thread);
  contprof_thread_made(thread, &creator, error != thrd_success);
  return error;
}

#endif
