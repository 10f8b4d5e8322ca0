// What a program asks of its profile, beside threads that count all the time: `sharded_life HOW
// ACTION...`. CROWD threads call work() until they are told to stop; what each has called is known.
//
//   rotate NAME    contprof_rotate          snapshot NAME  contprof_snapshot, of all threads at
//   rest rename NAME    __llvm_profile_set_filename buffer NAME    __llvm_profile_write_buffer, of
//   all threads at rest, into that file reset          __llvm_profile_reset_counters, of all
//   threads at rest: what it says begins anew close_all      every descriptor but 1 and 2 more as
//   many threads again
#define _GNU_SOURCE
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CROWD = 8, MOST = 64 };

static pthread_t threads[MOST];
static int thread_count;
static unsigned long long calls[MOST * 8]; // of each thread, a line of the cache apart
static int resting, stopped;               // the threads are to rest, to end
static int at_rest;                        // how many do
static _Thread_local volatile unsigned long sink;

KEEP void work(void) {
  sink++;
}

static void need(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "sharded_life: %s\n", what);
  _exit(99);
}

static void rest_while_told(void) {
  __atomic_fetch_add(&at_rest, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&resting, __ATOMIC_SEQ_CST))
    sched_yield();
  __atomic_fetch_sub(&at_rest, 1, __ATOMIC_SEQ_CST);
}

static void *counting(void *argument) {
  unsigned long long *mine = argument;
  while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED)) {
    for (int i = 0; i < 100; i++)
      work();
    *mine += 100;
    if (__atomic_load_n(&resting, __ATOMIC_RELAXED))
      rest_while_told();
  }
  return NULL;
}

static void make_crowd(void) {
  for (int i = 0; i < CROWD; i++, thread_count++)
    need(thread_count < MOST &&
             pthread_create(&threads[thread_count], NULL, counting, &calls[thread_count * 8]) == 0,
         "pthread_create");
}

static void rest(void) {
  __atomic_store_n(&resting, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&at_rest, __ATOMIC_SEQ_CST) < thread_count)
    sched_yield();
}

static void go_on(void) {
  __atomic_store_n(&resting, 0, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&at_rest, __ATOMIC_SEQ_CST))
    sched_yield();
}

static unsigned long long sum(void) {
  unsigned long long all = 0;
  for (int i = 0; i < thread_count; i++)
    all += calls[i * 8];
  return all;
}

static void write_buffer(const char *name) {
  uint64_t size = __llvm_profile_get_size_for_buffer();
  char *buffer = malloc(size);
  int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  need(buffer && __llvm_profile_write_buffer(buffer) == 0, "write_buffer");
  need(fd >= 0 && write(fd, buffer, size) == (ssize_t)size && close(fd) == 0, name);
  free(buffer);
}

// Takes a name where the action needs one.
static void act(const char *action, char ***rest_of_words) {
  int at_rest_for = strcmp(action, "snapshot") == 0 || strcmp(action, "buffer") == 0 ||
                    strcmp(action, "reset") == 0;
  if (at_rest_for)
    rest();
  if (strcmp(action, "rotate") == 0)
    need(contprof_rotate(*(*rest_of_words)++) == 0, action);
  else if (strcmp(action, "rename") == 0)
    __llvm_profile_set_filename(*(*rest_of_words)++);
  else if (strcmp(action, "snapshot") == 0)
    need(contprof_snapshot(*(*rest_of_words)++) == 0, action);
  else if (strcmp(action, "buffer") == 0)
    write_buffer(*(*rest_of_words)++);
  else if (strcmp(action, "reset") == 0)
    __llvm_profile_reset_counters(), memset(calls, 0, sizeof calls);
  else if (strcmp(action, "close_all") == 0)
    close(0), closefrom(3);
  else if (strcmp(action, "more") == 0)
    make_crowd();
  else
    need(0, action);
  if (at_rest_for && strcmp(action, "reset") != 0)
    printf("%s %llu\n", action, sum());
  if (at_rest_for)
    go_on();
  usleep(2000); // for the threads to count meanwhile
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  make_crowd();
  for (char **words = argv + 2; *words;) {
    const char *action = *words++;
    act(action, &words);
  }
  __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < thread_count; i++)
    pthread_join(threads[i], NULL);
  SAY_CALLS(work, sum());
  the_end(argv[1]);
}
