// A shared object that makes threads of its own accord: make(COUNT, START) and joins them.
#include <pthread.h>
#include <stdlib.h>

void make(int count, void *(*start)(void *)) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  if (!threads)
    abort();
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], 0, start, 0))
      abort();
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  free(threads);
}
