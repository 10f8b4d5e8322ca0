// A parent and its children, each doing its own known amount of work, each saying what it counted
// in a file said-<pid>. `forks HOW`: all end that way, children first. The second child forks a
// grandchild.
#include "ending.h"
#include "known.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 3, PARENT_BEFORE = 1000, PARENT_AFTER = 7, GRANDCHILD_WORK = 5 };

static volatile unsigned long sink;

KEEP void work(unsigned n) {
  sink += n;
}

KEEP void in_parent(void) {
  sink++;
}

KEEP void in_child(void) {
  sink++;
}

static void work_times(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    work(i);
}

static void say_to_own_file(unsigned work_done, unsigned parent, unsigned child) {
  char name[64];
  snprintf(name, sizeof name, "said-%d", (int)getpid());
  if (!freopen(name, "w", stdout))
    exit(1);
  SAY_CALLS(work, work_done);
  SAY_CALLS(in_parent, parent);
  SAY_CALLS(in_child, child);
  fflush(stdout);
}

static void wait_for_all(void) {
  while (wait(0) > 0) {
  }
}

static void grandchild(const char *how) {
  if (fork() == 0) {
    work_times(GRANDCHILD_WORK);
    say_to_own_file(GRANDCHILD_WORK, 0, 0);
    the_end(how);
  }
  wait_for_all();
}

static void child(unsigned number, const char *how) {
  in_child();
  work_times(100 * number);
  if (number == 2)
    grandchild(how);
  say_to_own_file(100 * number, 0, 1);
  the_end(how);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  work_times(PARENT_BEFORE);
  for (unsigned number = 1; number <= CHILDREN; number++) {
    if (fork() == 0)
      child(number, argv[1]);
    in_parent();
  }
  wait_for_all();
  work_times(PARENT_AFTER);
  say_to_own_file(PARENT_BEFORE + PARENT_AFTER, CHILDREN, 0);
  the_end(argv[1]);
}
