// Threads that count into one function and come and go in every way: `sharded HOW KIND...`. Each
// kind makes CROWD threads at a time, ROUNDS times, and each of them calls work() CALLS times, and
// last_words() at its very end, from a destructor of thread-specific data.
//
//   plain      joined after their return      detached   nobody waits for them
//   exits      leave by pthread_exit          cancelled  by the creator, while they wait
//   c11        made by thrd_create            masked     made with all signals held by attribute
//   signals    a handler counts in each, while it works; all have the one counter of on_signal()
//   nested     each makes another one, and ends before that has counted
//   library    made by the shared object ./libmaker.so, opened now
//   forks      one in each round forks; the child, in its own file, has its own threads
#define _GNU_SOURCE
#include "ending.h"
#include "known.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { CROWD = 64, ROUNDS = 4, CALLS = 2000 };

static _Thread_local volatile unsigned long sink;
static unsigned long long works, words, handled; // what has been counted, by this process alone
static pthread_key_t key;
static sem_t done; // a thread is about to end, or to wait for the end

KEEP void work(unsigned n) {
  sink += n;
}

KEEP void last_words(void *unused) {
  (void)unused;
  sink++;
}

KEEP void on_signal(int number) {
  sink += (unsigned)number;
}

static void need(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "sharded: %s: %s\n", what, strerror(errno));
  _exit(99);
}

static void *a_life(void *unused) {
  pthread_setspecific(key, &key);
  for (unsigned i = 0; i < CALLS; i++)
    work(i);
  return unused;
}

static void *exiting(void *unused) {
  pthread_exit(a_life(unused));
}

static int c11(void *unused) {
  return a_life(unused) != NULL;
}

static void *detached(void *unused) {
  a_life(unused);
  sem_post(&done);
  return NULL;
}

static void *waiting(void *unused) {
  a_life(unused);
  sem_post(&done);
  for (;;)
    pause();
}

static void *signalled(void *unused) {
  for (unsigned i = 0; i < 100; i++)
    raise(SIGUSR1);
  return a_life(unused);
}

static void *nesting(void *unused) {
  pthread_t inner;
  need(pthread_create(&inner, NULL, detached, NULL) == 0, "pthread_create");
  pthread_detach(inner);
  return a_life(unused);
}

static void *joined(pthread_t thread) {
  void *result;
  need(pthread_join(thread, &result) == 0, "pthread_join");
  return result;
}

static void crowd(void *(*start)(void *), const pthread_attr_t *attributes) {
  pthread_t threads[CROWD];
  for (int i = 0; i < CROWD; i++)
    need(pthread_create(&threads[i], attributes, start, &threads[i]) == 0, "pthread_create");
  if (start == detached || start == waiting || start == nesting)
    for (int i = 0; i < CROWD; i++)
      while (sem_wait(&done) != 0) {
      }
  for (int i = 0; i < CROWD; i++) {
    if (start == waiting)
      pthread_cancel(threads[i]);
    if (start == detached)
      pthread_detach(threads[i]);
    else
      need(joined(threads[i]) == (start == waiting ? PTHREAD_CANCELED : &threads[i]), "result");
  }
  works += (start == nesting ? 2ULL : 1ULL) * CROWD * CALLS;
  words += (start == nesting ? 2ULL : 1ULL) * CROWD;
}

static void c11_crowd(void) {
  thrd_t threads[CROWD];
  for (int i = 0; i < CROWD; i++)
    need(thrd_create(&threads[i], c11, &threads[i]) == thrd_success, "thrd_create");
  for (int i = 0; i < CROWD; i++) {
    int result = 0;
    need(thrd_join(threads[i], &result) == thrd_success && result == 1, "thrd_join");
  }
  works += CROWD * CALLS;
  words += CROWD;
}

static void masked_crowd(void) {
  pthread_attr_t attributes;
  sigset_t all;
  sigfillset(&all);
  pthread_attr_init(&attributes);
#ifdef __GLIBC__ // 2.32; musl has none
  need(pthread_attr_setsigmask_np(&attributes, &all) == 0, "pthread_attr_setsigmask_np");
#else
  need(0, "pthread_attr_setsigmask_np");
#endif
  crowd(a_life, &attributes);
}

static void library_crowd(void) {
  void *library = dlopen("./libmaker.so", RTLD_NOW);
  need(library != NULL, "dlopen");
  void (*make)(int, void *(*)(void *)) = (void (*)(int, void *(*)(void *)))dlsym(library, "make");
  need(make != NULL, "dlsym");
  make(CROWD, a_life);
  works += CROWD * CALLS;
  words += CROWD;
}

static void say_all(void) {
  SAY_CALLS(work, works);
  SAY_CALLS(last_words, words);
  SAY_CALLS(on_signal, handled);
}

// Its lines go to a file of its own, named after it.
static void *forking(void *unused) {
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    char name[32];
    works = words = handled = 0;
    crowd(a_life, NULL);
    work(1);
    works++;
    snprintf(name, sizeof name, "said-%d", (int)getpid());
    need(freopen(name, "w", stdout) != NULL, name);
    say_all();
    the_end("kill");
  }
  need(waitpid(child, NULL, 0) == child, "waitpid");
  return a_life(unused);
}

// Beside others that come and go.
static void forks(void) {
  pthread_t thread;
  need(pthread_create(&thread, NULL, forking, NULL) == 0, "pthread_create");
  crowd(a_life, NULL);
  joined(thread);
  works += CALLS;
  words++;
}

static void one_round(const char *kind) {
  if (strcmp(kind, "plain") == 0)
    crowd(a_life, NULL);
  else if (strcmp(kind, "detached") == 0)
    crowd(detached, NULL);
  else if (strcmp(kind, "exits") == 0)
    crowd(exiting, NULL);
  else if (strcmp(kind, "cancelled") == 0)
    crowd(waiting, NULL);
  else if (strcmp(kind, "c11") == 0)
    c11_crowd();
  else if (strcmp(kind, "masked") == 0)
    masked_crowd();
  else if (strcmp(kind, "nested") == 0)
    crowd(nesting, NULL);
  else if (strcmp(kind, "library") == 0)
    library_crowd();
  else if (strcmp(kind, "forks") == 0)
    forks();
  else if (strcmp(kind, "signals") == 0)
    crowd(signalled, NULL), handled += CROWD * 100;
  else
    need(0, kind);
}

// Until those that nobody waits for are gone, so that all have said their last words.
static void await_others(void) {
  struct timespec pause = {0, 1000 * 1000};
  char name[64];
  for (int others = 1; others;) {
    FILE *status = fopen("/proc/self/status", "r");
    need(status != NULL, "/proc/self/status");
    while (fgets(name, sizeof name, status))
      if (sscanf(name, "Threads: %d", &others) == 1)
        others--;
    fclose(status);
    if (others)
      nanosleep(&pause, NULL);
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  need(pthread_key_create(&key, last_words) == 0 && sem_init(&done, 0, 0) == 0, "start");
  signal(SIGUSR1, on_signal);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 2; i < argc; i++)
      one_round(argv[i]);
  await_others();
  say_all();
  the_end(argv[1]);
}
