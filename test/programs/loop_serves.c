// A server's loop, with loops inside it whose number of rounds is known; or one such loop that
// takes for ever. Killed from outside. It tells its progress through a shared file, in words of 64
// bits:
//
//   loop_serves serve PROGRESS   requests that it has begun, requests that it has finished
//   loop_serves count PROGRESS   rounds of the loop
//
// A request is ROWS rounds of one loop around INNER of another.
#include "known.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 20, INNER = 500 };

static volatile sig_atomic_t stop;
static unsigned numbers[INNER];
static volatile unsigned sink;

struct progress {
  volatile uint64_t begun, finished;
};

static struct progress *map_progress(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ftruncate(fd, sizeof(struct progress)) != 0)
    exit(1);
  void *map = mmap(0, sizeof(struct progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    exit(1);
  return map;
}

KEEP void serve(struct progress *progress) {
  while (!stop) {
    progress->begun++;
    unsigned sum = 0;
    for (unsigned row = 0; row < ROWS; row++) {
      sum ^= row;
      for (unsigned i = 0; i < INNER; i++)
        sum += numbers[i];
    }
    sink = sum;
    progress->finished++;
  }
}

KEEP void count(struct progress *progress) {
  for (uint64_t i = 0; i < UINT64_MAX; i++)
    progress->begun++;
}

static void on_signal(int number) {
  stop = number;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  signal(SIGTERM, on_signal);
  struct progress *progress = map_progress(argv[2]);
  for (unsigned i = 0; i < INNER; i++)
    numbers[i] = i * 7;
  if (argv[1][0] == 's')
    serve(progress);
  else
    count(progress);
  return 0;
}
