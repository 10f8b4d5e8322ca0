// Preloaded: fsync as always, and one line about it in the file that SYNC_LOG names: `fsync PATH`.
// With SYNC_FAILS, an extension: files that have it fail with EIO.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int fd) {
  char link[64], path[PATH_MAX] = "";
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const char *fails = getenv("SYNC_FAILS");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (readlink(link, path, sizeof path - 1) < 0)
    abort();
  FILE *log = fopen(getenv("SYNC_LOG"), "a");
  if (!log)
    abort();
  fprintf(log, "fsync %s\n", path);
  fclose(log);
  if (fails && strstr(path, fails)) {
    errno = EIO;
    return -1;
  }
  return next(fd);
}
