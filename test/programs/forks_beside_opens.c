// Opens and closes a shared object TIMES times while two threads fork all the while:
// `forks_beside_opens OBJECT TIMES`. Says how often the object's function part_a was called, by the
// first thread alone. Not to be instrumented.
#include "known.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKERS = 2 };

static _Bool stop;

// No signal may be held back once fork has returned.
static void expect_no_signal_blocked(void) {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  for (int number = 1; number < 32; number++)
    if (sigismember(&blocked, number))
      abort();
}

static void *fork_on(void *nothing) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    pid_t child = fork();
    expect_no_signal_blocked();
    if (child == 0)
      _exit(0);
    if (child > 0)
      waitpid(child, NULL, 0);
  }
  return nothing;
}

int main(int argc, char **argv) {
  pthread_t forkers[FORKERS];
  int times = argc == 3 ? atoi(argv[2]) : 0;
  for (int i = 0; i < FORKERS; i++)
    pthread_create(&forkers[i], NULL, fork_on, NULL);
  for (int i = 0; i < times; i++) {
    void *object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void (*part)(unsigned) = (void (*)(unsigned))dlsym(object, "part_a");
    part(1);
    dlclose(object);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < FORKERS; i++)
    pthread_join(forkers[i], NULL);
  SAY_CALLS(part_a, times);
  return 0;
}
