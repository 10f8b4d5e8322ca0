// launch PROGRAM: runs it and prints what it printed, a time of CLOCK_MONOTONIC in nanoseconds and
// further words (see started.c), the time counted from just before the program was spawned; then
// the processor's microseconds of the whole run, which other programs on the machine disturb less.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int fail(const char *what) {
  fprintf(stderr, "launch: %s failed\n", what);
  return 1;
}

int main(int argc, char **argv) {
  int channel[2], status;
  char said[256], *rest;
  pid_t child;
  posix_spawn_file_actions_t actions;
  struct rusage usage;
  if (argc != 2 || pipe(channel) || posix_spawn_file_actions_init(&actions) ||
      posix_spawn_file_actions_adddup2(&actions, channel[1], 1))
    return fail("preparing");
  long long start = clock_now();
  if (posix_spawn(&child, argv[1], &actions, NULL, argv + 1, environ))
    return fail("spawning");
  close(channel[1]);
  if (wait4(child, &status, 0, &usage) < 0 || status)
    return fail("the program");
  ssize_t got = read(channel[0], said, sizeof said - 1);
  if (got <= 0)
    return fail("reading");
  // It wrote word by word; a pipe holds them all by now.
  said[got] = 0;
  long long began = strtoll(said, &rest, 10);
  rest[strcspn(rest, "\n")] = 0;
  printf("%lld%s %ld\n", began - start, rest,
         (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
             usage.ru_stime.tv_usec);
  return 0;
}
