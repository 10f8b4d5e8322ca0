// Eight threads that fork at the same time, eight children each, each fourth of them with a child
// and a grandchild of its own. While they do, they count. Every process does its own amount of work
// and says it in a file said-<pid>. `many_forks HOW`: all end that way. Built with
// -fprofile-update=atomic.
#include "ending.h"
#include "known.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, CHILDREN = 8, GENERATIONS = 3, PARENT_WORK = 100 };

static _Thread_local volatile unsigned long sink;
static const char *how;

KEEP void work(void) {
  sink++;
}

static void work_times(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    work();
}

static void say(unsigned work_done) {
  char name[64];
  snprintf(name, sizeof name, "said-%d", (int)getpid());
  int fd = open(name, O_CREAT | O_WRONLY, 0600);
  if (fd < 0)
    abort();
  dprintf(fd, "calls work %u\n", work_done);
  close(fd);
}

// In the child: its work, and its own children's.
static void live(unsigned amount, unsigned generations) {
  pid_t child = 0;
  work_times(amount);
  if (generations > 1 && (child = fork()) == 0)
    live(amount + 1, generations - 1);
  if (child > 0)
    waitpid(child, 0, 0);
  say(amount);
  the_end(how);
}

static void *thread(void *number) {
  pid_t children[CHILDREN];
  for (unsigned i = 0; i < CHILDREN; i++) {
    unsigned amount = (unsigned)(uintptr_t)number * 100 + i * 10 + 1;
    children[i] = fork();
    if (children[i] == 0)
      live(amount, i % 4 == 0 ? GENERATIONS : 1);
    work_times(PARENT_WORK);
  }
  for (unsigned i = 0; i < CHILDREN; i++)
    waitpid(children[i], 0, 0);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2)
    return 2;
  how = argv[1];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, thread, (void *)i);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  say(THREADS * CHILDREN * PARENT_WORK);
  the_end(how);
}
