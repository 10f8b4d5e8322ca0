// Starts other programs by posix_spawn, vfork and system, and counts on: all counts are in one
// file.
#include "ending.h"
#include "known.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile unsigned long sink;

KEEP void spawn_leaf(void) {
  sink++;
}

static void spawn_true(void) {
  char *argv[] = {"true", 0};
  pid_t pid;
  if (posix_spawnp(&pid, "true", 0, 0, argv, environ) != 0)
    exit(1);
  waitpid(pid, 0, 0);
}

// The child borrows the parent's memory until it execs, and so counts into the parent's file.
static void vfork_true(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    spawn_leaf();
    execlp("true", "true", (char *)0);
    _exit(1);
  }
  waitpid(pid, 0, 0);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  for (int i = 0; i < 10; i++) {
    spawn_leaf();
    spawn_true();
    vfork_true();
    if (system("exit 0") != 0)
      return 1;
  }
  SAY_CALLS(main, 1);
  SAY_CALLS(spawn_leaf, 20);
  the_end(argv[1]);
}
