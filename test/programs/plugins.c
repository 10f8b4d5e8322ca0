// plugins HOW TIMES [WAY]... each followed by a PATH: a thread for each PATH opens that shared
// object, calls its part_a with 3 calls of its leaf, and closes it, TIMES times over; another
// thread is there all the time. Then says how many calls there were, how many mappings and
// descriptors of live files are left, and ends as HOW says. WAY is
//
//   shared   other threads open the same object, so that each call is by itself
//   own      the thread alone
//   space    once, in a namespace of its own (dlmopen), and left open
#define _GNU_SOURCE // dlmopen
#include "ending.h"
#include "known.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 };

struct work {
  const char *way;
  const char *path;
  unsigned times;
  unsigned calls; // result
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void *fail(void) {
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

static void *open_object(const struct work *work) {
  void *object = strcmp(work->way, "space") ? dlopen(work->path, RTLD_NOW | RTLD_LOCAL)
                                            : dlmopen(LM_ID_NEWLM, work->path, RTLD_NOW);
  return object ? object : fail();
}

static void call_part(const struct work *work, void *object) {
  void (*part)(unsigned) = (void (*)(unsigned))dlsym(object, "part_a");
  if (!part)
    fail();
  if (strcmp(work->way, "shared") == 0)
    pthread_mutex_lock(&one_at_a_time);
  part(3);
  if (strcmp(work->way, "shared") == 0)
    pthread_mutex_unlock(&one_at_a_time);
}

static void *use_plugin(void *argument) {
  struct work *work = argument;
  if (strcmp(work->way, "space") == 0)
    work->times = 1;
  for (unsigned i = 0; i < work->times; i++) {
    void *object = open_object(work);
    call_part(work, object);
    work->calls++;
    if (strcmp(work->way, "space"))
      dlclose(object);
  }
  return NULL;
}

static void *wait_for_ever(void *nothing) {
  for (;;)
    pause();
  return nothing;
}

static unsigned live_mappings(void) {
  char line[4096];
  unsigned count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    count += strstr(line, ".profraw") != NULL;
  fclose(maps);
  return count;
}

static unsigned live_descriptors(void) {
  char path[300], target[4096];
  unsigned count = 0;
  DIR *directory = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(directory));) {
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    count += strstr(target, ".profraw") != NULL;
  }
  closedir(directory);
  return count;
}

int main(int argc, char **argv) {
  static struct work works[MOST];
  pthread_t threads[MOST], idle;
  unsigned count = (unsigned)(argc - 3) / 2, calls = 0;
  if (argc < 5 || count > MOST)
    return 2;
  pthread_create(&idle, NULL, wait_for_ever, NULL);
  for (unsigned i = 0; i < count; i++) {
    works[i] = (struct work){argv[3 + 2 * i], argv[4 + 2 * i], (unsigned)atoi(argv[2]), 0};
    pthread_create(&threads[i], NULL, use_plugin, &works[i]);
  }
  for (unsigned i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
    calls += works[i].calls;
  }
  SAY_CALLS(part_a, calls);
  SAY_CALLS(part_a_leaf, 3 * calls);
  printf("live mappings %u\nlive descriptors %u\n", live_mappings(), live_descriptors());
  the_end(argv[1]);
}
