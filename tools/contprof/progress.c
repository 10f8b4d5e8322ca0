#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 1000, INTERVAL = 100, CELLS = 30 }; // milliseconds; characters of the bar

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

struct contprof_progress contprof_progress_begin(const char *what, uint64_t total) {
  return (struct contprof_progress){
      .what = what, .total = total, .next = now() + PATIENCE, .silent = !isatty(fileno(stderr))};
}

void contprof_progress_tell(struct contprof_progress *progress, uint64_t done) {
  if (progress->silent || !progress->total || now() < progress->next)
    return;
  int full = (int)(done * CELLS / progress->total);
  fprintf(stderr, "\r\033[K[%.*s%*s] %" PRIu64 " of %" PRIu64 " %s", full,
          "##############################", CELLS - full, "", done, progress->total,
          progress->what);
  fflush(stderr);
  progress->shown = true;
  progress->next = now() + INTERVAL;
}

void contprof_progress_wipe(struct contprof_progress *progress) {
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}
