// older_threads HOW PATH: opens the shared object (part.c, with PART=a) while a thread
// is there already, which waits. The first thread calls part_a 10 times with 3 calls of its leaf,
// the other one then 20 times, and then a thread that it starts 5 times. Then it ends as HOW says.
#include "ending.h"
#include "known.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_barrier_t opened;
static void (*part)(unsigned);

static void call_part(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    part(3);
}

static void *younger(void *nothing) {
  call_part(5);
  return nothing;
}

static void *older(void *nothing) {
  pthread_t thread;
  pthread_barrier_wait(&opened);
  call_part(20);
  pthread_create(&thread, NULL, younger, NULL);
  pthread_join(thread, NULL);
  return nothing;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc != 3)
    return 2;
  pthread_barrier_init(&opened, NULL, 2);
  pthread_create(&thread, NULL, older, NULL);
  void *object = dlopen(argv[2], RTLD_NOW);
  part = object ? (void (*)(unsigned))dlsym(object, "part_a") : NULL;
  if (!part)
    return 1;
  call_part(10);
  pthread_barrier_wait(&opened);
  pthread_join(thread, NULL);
  SAY_CALLS(part_a, 35);
  SAY_CALLS(part_a_leaf, 105);
  the_end(argv[1]);
}
