// Profiles beside those of others, functions of contprof's beside handlers, a child beside a parent
// without a file. `beside moved|pool|again|handlers|late`; the first three end by SIGKILL. A
// newcomer is this very program, executed anew under the same name: it calls leaf NEWCOMER times.
#define _GNU_SOURCE
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEWCOMER = 7, POOL = 61, FORKS = 50, LATE = 1000, EVERY = 3000 /* microseconds */ };

static volatile unsigned long sink;
static volatile int forks;

KEEP void leaf(unsigned n) {
  sink += n;
}

static void call(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    leaf(i);
}

static void newcomer(void) {
  pid_t child = vfork();
  if (child == 0) {
    execl("/proc/self/exe", "newcomer", "newcomer", (char *)NULL);
    _exit(3);
  }
  waitpid(child, NULL, 0);
}

// The file is filed away under another name, and its own is taken by the newcomer. What the program
// then does with its file is not the newcomer's affair.
static void moved(void) {
  call(1);
  if (rename(contprof_filename(), "filed-away"))
    exit(4);
  newcomer();
  __llvm_profile_set_filename("elsewhere.profraw");
  call(2);
}

// What the dead have counted in the pool stays.
static void pool(void) {
  call(POOL);
  __llvm_profile_set_filename("pool-%m.profraw");
}

// Counts in memory, and writes its profile twice; a newcomer has taken the name in between.
static void again(void) {
  unlink("place");
  call(1);
  if (__llvm_profile_write_file())
    exit(5);
  newcomer();
  call(2);
  if (__llvm_profile_write_file())
    exit(6);
}

static void fork_once(int signal) {
  (void)signal;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
  forks++;
}

// A handler forks in the midst of contprof's functions, and the last one exits there.
static void handlers(void) {
  struct itimerval often = {{0, EVERY}, {0, EVERY}};
  signal(SIGALRM, fork_once);
  setitimer(ITIMER_REAL, &often, NULL);
  while (forks < FORKS)
    contprof_snapshot("snapshot.profraw");
  signal(SIGALRM, exit);
  for (;;)
    contprof_snapshot("snapshot.profraw");
}

// The child can have a file, its parent could not; its function that forked goes on.
KEEP void late(void) {
  unlink("place");
  pid_t child = fork();
  if (child == 0) {
    for (unsigned i = 0; i < LATE; i++)
      sink += i;
    exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  const char *what = argc == 2 ? argv[1] : "";
  if (strcmp(what, "moved") == 0)
    moved();
  else if (strcmp(what, "pool") == 0)
    pool();
  else if (strcmp(what, "again") == 0)
    again();
  else if (strcmp(what, "handlers") == 0)
    handlers();
  else if (strcmp(what, "late") == 0)
    late();
  else if (strcmp(what, "newcomer") == 0)
    call(NEWCOMER);
  else
    return 2;
  the_end(strcmp(what, "late") == 0 ? "exit" : "kill");
}
