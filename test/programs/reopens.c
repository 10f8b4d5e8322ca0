// Loads and unloads a shared object many times, and says how the process has changed between the
// second time and the last: mappings and descriptors. `reopens OBJECT TIMES [thread]`; with
// "thread" another thread runs meanwhile. Not to be instrumented.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing) {
  for (;;)
    pause();
  return nothing;
}

static int mappings(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int count = 0;
  for (int c; (c = getc(maps)) != EOF;)
    count += c == '\n';
  fclose(maps);
  return count;
}

static int next_descriptor(void) {
  int fd = dup(1);
  close(fd);
  return fd;
}

static void use_once(const char *object) {
  void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  void (*counted)(void) = (void (*)(void))dlsym(handle, "counted");
  counted();
  dlclose(handle);
}

int main(int argc, char **argv) {
  pthread_t thread;
  int times = atoi(argv[2]);
  if (argc > 3)
    pthread_create(&thread, NULL, wait_for_ever, NULL);
  use_once(argv[1]);
  use_once(argv[1]);
  int maps = mappings(), descriptor = next_descriptor();
  for (int i = 2; i < times; i++)
    use_once(argv[1]);
  printf("more mappings: %d\nmore descriptors: %d\n", mappings() - maps,
         next_descriptor() - descriptor);
  return 0;
}
