// contprof.h's functions, step by step; each step says what it expects, and `file COUNT PATH`: leaf
// has been called so often, all told, in the profile at PATH. `uses_api live|memory|fork`; ends by
// SIGKILL.
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

KEEP void leaf(unsigned n) {
  sink += n;
}

static void call(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    leaf(i);
}

static void want(const char *what, int wanted, int got) {
  if (wanted == got)
    return;
  printf("%s: %d, not %d\n", what, got, wanted);
  fflush(stdout);
  _exit(4);
}

static void errors(void) {
  want("no path", -EINVAL, contprof_snapshot(NULL));
  want("empty path", -EINVAL, contprof_snapshot(""));
  want("a directory", -EISDIR, contprof_snapshot("directory"));
  want("a link", -ELOOP, contprof_snapshot("link"));
  want("a device", -ENXIO, contprof_snapshot("/dev/null"));
  want("empty pattern", -EINVAL, contprof_rotate(""));
  want("in no directory", -ENOTDIR, contprof_rotate("/dev/null/x-%p.profraw"));
  char *longest = malloc(6000);
  memset(longest, 'x', 5999);
  longest[5999] = 0;
  want("too long a path", -ENAMETOOLONG, contprof_snapshot(longest));
  want("too long a pattern", -ENAMETOOLONG, contprof_rotate(longest));
  free(longest);
}

static void live(void) {
  char first[4096];
  errors();
  snprintf(first, sizeof first, "%s", contprof_filename());
  want("snapshot of itself", -EBUSY, contprof_snapshot(first));
  call(10);
  want("snapshot", 0, contprof_snapshot("new/directory/snap.profraw"));
  call(5);
  want("rotate", 0, contprof_rotate(NULL));
  want("new name", 1, strcmp(first, contprof_filename()) != 0);
  call(7);
  want("snapshot over the old one", 0, contprof_snapshot("snap.profraw"));
  want("snapshot over the old one", 0, contprof_snapshot("snap.profraw"));
  want("sync", 0, contprof_sync());
  want("rotate elsewhere", 0, contprof_rotate("else/where-%p.profraw"));
  call(3);
  unlink("gone.profraw");
  printf("file 10 new/directory/snap.profraw\nfile 7 snap.profraw\nfile 15 %s\nfile 3 %s\n", first,
         contprof_filename());
  want("errno", 0, errno == ENOENT ? 0 : errno);
}

// The name has no process id in it, and the place works again from the second step on.
static void memory(void) {
  want("in memory", 1, contprof_filename() == NULL);
  call(4);
  want("sync", -ENOTDIR, contprof_sync());
  want("snapshot", 0, contprof_snapshot("snap.profraw"));
  want("rotate, in the way", -ENOTDIR, contprof_rotate(NULL));
  unlink("place");
  want("rotate", 0, contprof_rotate(NULL));
  call(6);
  want("rotate", 0, contprof_rotate("place/other.profraw"));
  call(1);
  want("rotate", 0, contprof_rotate(NULL));
  printf("file 4 snap.profraw\nfile 4 place/one.profraw\nfile 1 place/other.profraw\n");
}

static void in_child(void) {
  printf("file 2 %s\n", contprof_filename());
  call(2);
  want("child's rotation", 0, contprof_rotate(NULL));
  call(9);
  want("child's snapshot", 0, contprof_snapshot("child.profraw"));
  want("child's sync", 0, contprof_sync());
  printf("file 9 %s\nfile 9 child.profraw\n", contprof_filename());
  fflush(stdout);
  _exit(0);
}

static void forked(void) {
  int status;
  call(1);
  want("rotate", 0, contprof_rotate(NULL));
  call(8);
  pid_t child = fork();
  if (child == 0)
    in_child();
  waitpid(child, &status, 0);
  want("child", 0, status);
  want("snapshot", 0, contprof_snapshot("parent.profraw"));
  printf("file 8 %s\nfile 8 parent.profraw\n", contprof_filename());
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  if (strcmp(argv[1], "live") == 0)
    live();
  else if (strcmp(argv[1], "memory") == 0)
    memory();
  else
    forked();
  the_end("kill");
}
