// single_steps FILE DIRECTORY PROGRAM ARG...: runs the program, and from its first SIGTRAP to the
// next, and so on, one instruction at a time. After each it looks at FILE, and when that has
// changed leaves a copy, DIRECTORY/N.profraw: every state that the file is in. Other threads than
// the first run as they like. Says how many states there were.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 1 << 20 };

static int states;

static void need(int holds, const char *what) {
  if (holds)
    return;
  perror(what);
  exit(99);
}

static void keep(const char *directory, const char *bytes, size_t size) {
  char name[256];
  snprintf(name, sizeof name, "%s/%d.profraw", directory, states++);
  int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
  need(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0, name);
}

static void look(const char *file, const char *directory) {
  static char now[LARGEST], before[LARGEST];
  static ssize_t size_before;
  static int fd = -1;
  if (fd < 0)
    fd = open(file, O_RDONLY);
  need(fd >= 0, file);
  ssize_t size = pread(fd, now, sizeof now, 0);
  need(size > 0 && size < LARGEST, file);
  if (size == size_before && memcmp(now, before, (size_t)size) == 0)
    return;
  memcpy(before, now, (size_t)size);
  size_before = size;
  keep(directory, now, (size_t)size);
}

// A trap that the program has raised, not one of a step.
static int is_raised(pid_t child) {
  siginfo_t info;
  need(ptrace(PTRACE_GETSIGINFO, child, 0, &info) == 0, "PTRACE_GETSIGINFO");
  return info.si_code == SI_TKILL;
}

static void watch(pid_t child, const char *file, const char *directory) {
  int status, stepping = 0;
  for (;;) {
    need(ptrace(stepping ? PTRACE_SINGLESTEP : PTRACE_CONT, child, 0, 0) == 0, "ptrace");
    need(waitpid(child, &status, 0) == child, "waitpid");
    if (!WIFSTOPPED(status))
      return;
    need(WSTOPSIG(status) == SIGTRAP, "another signal");
    if (is_raised(child))
      stepping = !stepping;
    if (stepping)
      look(file, directory);
  }
}

int main(int argc, char **argv) {
  int status;
  if (argc < 4)
    return 2;
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    need(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "PTRACE_TRACEME");
    execv(argv[3], argv + 3);
    need(0, argv[3]);
  }
  need(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "exec");
  watch(child, argv[1], argv[2]);
  printf("states %d\n", states);
  return 0;
}
