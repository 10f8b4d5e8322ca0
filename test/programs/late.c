// Counts that come after a module's own destructors. One source, three modules:
//
//   -DBASE     a plain library that calls back after everything: 5 times from its destructor, 7
//              times from a handler that runs after all destructors, 3 times from the destructor of
//              a thread's own data
//   -DLIBRARY  the counting library; it needs the former, so that the loader ends it first
//   neither    `late HOW TOLD [OBJECT]`: uses the library, which is linked or opened; then
//              exits. "alone" or "thread": a thread that counts until the process is no more, and
//              tells in the file TOLD how often it has
#include "known.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void base_register(void (*callback)(void));
void library_step(void);
void library_use(void);

#ifdef BASE

int __cxa_atexit(void (*handler)(void *), void *argument, void *module);

static void (*call_back)(void);
static pthread_key_t key;

static void call(int times) {
  for (int i = 0; i < times && call_back; i++)
    call_back();
}

static void at_the_very_end(void *nothing) {
  (void)nothing;
  call(7);
}

static void at_end_of_thread(void *nothing) {
  (void)nothing;
  call(3);
}

__attribute__((constructor)) static void begin(void) {
  __cxa_atexit(at_the_very_end, NULL, NULL);
  pthread_key_create(&key, at_end_of_thread);
}

__attribute__((destructor)) static void end(void) {
  call(5);
}

static void *short_life(void *nothing) {
  pthread_setspecific(key, &key);
  return nothing;
}

void base_register(void (*callback)(void)) {
  pthread_t thread;
  call_back = callback;
  pthread_create(&thread, NULL, short_life, NULL);
  pthread_join(thread, NULL);
}

#elif defined LIBRARY

static volatile unsigned long sink;

KEEP void library_late(void) {
  sink++;
}

KEEP void library_step(void) {
  sink++;
}

KEEP void library_use(void) {
  base_register(library_late);
}

#else

struct work {
  void (*step)(void);
  volatile unsigned long *told; // in a file, to outlive the process
};

static void *count_for_ever(void *argument) {
  struct work *work = argument;
  for (;;) {
    work->step();
    *work->told += 1;
  }
  return NULL;
}

static void *find(const char *object, const char *name) {
  void *handle = object ? dlopen(object, RTLD_NOW | RTLD_LOCAL) : NULL;
  void *symbol = dlsym(object ? handle : RTLD_DEFAULT, name);
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return symbol;
}

static void start_thread(struct work *work, const char *path) {
  pthread_t thread;
  int file = open(path, O_RDWR | O_CREAT, 0666);
  if (ftruncate(file, sizeof *work->told))
    exit(1);
  work->told = mmap(NULL, sizeof *work->told, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  pthread_create(&thread, NULL, count_for_ever, work);
  while (!*work->told)
    usleep(100);
}

int main(int argc, char **argv) {
  static struct work work;
  const char *object = argc > 3 ? argv[3] : NULL;
  void (*use)(void) = (void (*)(void))find(object, "library_use");
  work.step = (void (*)(void))find(object, "library_step");
  use();
  if (strcmp(argv[1], "thread") == 0)
    start_thread(&work, argv[2]);
  SAY_CALLS(library_use, 1);
  SAY_CALLS(library_late, 3 + 5 + 7);
  return 0;
}

#endif
